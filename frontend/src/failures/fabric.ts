// The cabling as numbers: devices with the nodes first, ports counted over all devices, links
// between two ports.

export interface Fabric {
  nNodes: number;
  nDevices: number;
  /** The ports of device d are portStart[d] up to portStart[d + 1]. */
  portStart: Int32Array;
  deviceOf: Int32Array;
  /** The link plugged into each port, -1 where there is none. */
  linkOf: Int32Array;
  /** The ports at the ends of each link. */
  linkA: Int32Array;
  linkB: Int32Array;
}

/** The cabling as linkwright.views.embedded writes it; the arrays are the fields of these names. */
export interface Cabling {
  n_nodes: number;
  port_start: number[];
  link_a: number[];
  link_b: number[];
}

/** Returns the fabric of some links. */
export function fabricOf({ n_nodes: nNodes, ...columns }: Cabling): Fabric {
  const [portStart, linkA, linkB] = [columns.port_start, columns.link_a, columns.link_b].map(
    (column) => Int32Array.from(column),
  ) as [Int32Array, Int32Array, Int32Array];
  const nDevices = portStart.length - 1;
  const nPorts = portStart[nDevices]!;
  const deviceOf = new Int32Array(nPorts);
  for (let device = 0; device < nDevices; device++) {
    deviceOf.fill(device, portStart[device]!, portStart[device + 1]!);
  }
  const linkOf = new Int32Array(nPorts).fill(-1);
  for (let link = 0; link < linkA.length; link++) {
    linkOf[linkA[link]!] = link;
    linkOf[linkB[link]!] = link;
  }
  return { nNodes, nDevices, portStart, deviceOf, linkOf, linkA, linkB };
}

/** Returns the port at the other end of a link. */
export function otherEnd(fabric: Fabric, link: number, port: number): number {
  return fabric.linkA[link] === port ? fabric.linkB[link]! : fabric.linkA[link]!;
}

/** Returns the ports of a device, in order. */
export function portsOf(fabric: Fabric, device: number): number[] {
  const [first, end] = [fabric.portStart[device]!, fabric.portStart[device + 1]!];
  return Array.from({ length: end - first }, (_, index) => first + index);
}
