// What a set of failures leaves of the fabric: the ports that still have carrier, and which of them
// a frame still joins. The rule is that of crates/network/src/metrics/survival/remains.rs: hubs and
// switches join whatever a living link joins; here all parts are found anew, for any set.
import { type Fabric, otherEnd } from "./fabric";

export type Kind = "cable" | "nic" | "hub" | "switch" | "node";

/** One part that fails: a cable by its link, a NIC by its port, the others by their device. */
export interface Failure {
  kind: Kind;
  id: number;
}

export interface Remains {
  fabric: Fabric;
  /** The part of its segment that each port is in while all is whole: its wire. */
  wire: Int32Array;
  /** The part of its segment that each port is in, -1 without carrier. */
  part: Int32Array;
  nParts: number;
  isDeadDevice: Uint8Array;
  isDeadLink: Uint8Array;
}

/** Returns what is left when all of some parts fail at once. */
export function remains(fabric: Fabric, failures: Iterable<Failure>): Remains {
  const isDeadDevice = new Uint8Array(fabric.nDevices);
  const isDeadLink = new Uint8Array(fabric.linkA.length);
  const killPort = (port: number) => {
    if (fabric.linkOf[port]! >= 0) isDeadLink[fabric.linkOf[port]!] = 1;
  };
  for (const { kind, id } of failures) {
    if (kind === "cable") isDeadLink[id] = 1;
    else if (kind === "nic") killPort(id);
    else {
      isDeadDevice[id] = 1;
      for (let p = fabric.portStart[id]!; p < fabric.portStart[id + 1]!; p++) killPort(p);
    }
  }
  const wire = wireOf(fabric);
  return { fabric, wire, ...parts(fabric, isDeadLink), isDeadDevice, isDeadLink };
}

const wires = new WeakMap<Fabric, Int32Array>();

function wireOf(fabric: Fabric): Int32Array {
  const known = wires.get(fabric);
  if (known) return known;
  const { part } = parts(fabric, new Uint8Array(fabric.linkA.length));
  wires.set(fabric, part);
  return part;
}

/** Returns whether some port of an interface has carrier: a living link. */
export function hasCarrier({ fabric, part }: Remains, port: number): boolean {
  for (let one = fabric.interfaceStart[port]!; one < fabric.interfaceEnd[port]!; one++) {
    if (part[one]! >= 0) return true;
  }
  return false;
}

/** Returns whether all frames get from one interface to another without passing a node: a bond
 * sends by every port that has carrier, whether or not it still leads to the other.
 */
export function joins(left: Remains, from: number, to: number): boolean {
  const { fabric, part } = left;
  let hasLive = false;
  for (let one = fabric.interfaceStart[from]!; one < fabric.interfaceEnd[from]!; one++) {
    if (part[one]! < 0) continue;
    hasLive = true;
    const other = onWire(left, one, to);
    if (other < 0 || part[other] !== part[one]) return false;
  }
  return hasLive;
}

/** Returns the port of the interface of `to` that is on the wire of a port, -1 where none is. */
function onWire({ fabric, wire }: Remains, from: number, to: number): number {
  for (let one = fabric.interfaceStart[to]!; one < fabric.interfaceEnd[to]!; one++) {
    if (wire[one] === wire[from]) return one;
  }
  return -1;
}

function parts(fabric: Fabric, isDeadLink: Uint8Array): { part: Int32Array; nParts: number } {
  const part = new Int32Array(fabric.deviceOf.length).fill(-1);
  let nParts = 0;
  const stack: number[] = [];
  for (let first = 0; first < part.length; first++) {
    stack.push(first);
    let isNew = false;
    while (stack.length > 0) {
      const port = stack.pop()!;
      const link = fabric.linkOf[port]!;
      if (part[port] !== -1 || link < 0 || isDeadLink[link]) continue;
      part[port] = nParts;
      isNew = true;
      stack.push(otherEnd(fabric, link, port));
      const device = fabric.deviceOf[port]!;
      if (device < fabric.nNodes) continue;
      for (let p = fabric.portStart[device]!; p < fabric.portStart[device + 1]!; p++) stack.push(p);
    }
    if (isNew) nParts++;
  }
  return { part, nParts };
}

/** How a hub or switch was first entered: over a link from a port on the way. */
interface Entry {
  link: number;
  before: number;
}

/** Returns the links by which frames get from one interface to another, over hubs and switches. */
export function linksBetween(fabric: Fabric, left: Remains, from: number, to: number): number[] {
  const found: number[] = [];
  for (let one = fabric.interfaceStart[from]!; one < fabric.interfaceEnd[from]!; one++) {
    const other = onWire(left, one, to);
    if (other >= 0) found.push(...linksOfWire(fabric, left, one, other));
  }
  return found;
}

function linksOfWire(fabric: Fabric, left: Remains, from: number, to: number): number[] {
  const entered = new Map<number, Entry>();
  const queue = [from];
  for (const port of queue) {
    const link = fabric.linkOf[port]!;
    if (link < 0 || left.isDeadLink[link]) continue;
    const far = otherEnd(fabric, link, port);
    if (far === to) return trail(fabric, entered, { link, before: port }, from);
    const device = fabric.deviceOf[far]!;
    if (device < fabric.nNodes || entered.has(device)) continue;
    entered.set(device, { link, before: port });
    for (let p = fabric.portStart[device]!; p < fabric.portStart[device + 1]!; p++) queue.push(p);
  }
  return [];
}

function trail(fabric: Fabric, entered: Map<number, Entry>, last: Entry, from: number): number[] {
  const links = [last.link];
  for (let entry = last; entry.before !== from; ) {
    entry = entered.get(fabric.deviceOf[entry.before]!)!;
    links.unshift(entry.link);
  }
  return links;
}
