// The network as linkwright.views.check_page writes it into the page: columns packed into the
// smallest integers that hold them, little-endian, in base64. Here they become arrays, and ids get
// their names.
import { type Bond, type Fabric, fabricOf, otherEnd, portsOf } from "../failures/fabric";
import { type Failure } from "../failures/remains";
import { type Counts } from "../failures/toll";
import { type Tables } from "../failures/tables";

/** Integers, less the least of them. */
interface Packed {
  least: number;
  bytes: 1 | 2 | 4;
  data: string;
}

type Columns<Names extends string> = Record<Names, Packed>;

export interface Written {
  n_nodes: number;
  is_explicit: boolean;
  names: string[];
  /** The names of the cables in the plan's tables. */
  cable_names: string[];
  kinds: ("node" | "hub" | "switch")[];
  parts: string[];
  port_start: Packed;
  bonds: Bond[];
  cable_a: Packed;
  cable_b: Packed;
  /** The address of each node port, empty where it has none. */
  port_address: string[];
  identity_node: Packed;
  ways: Columns<"port" | "via" | "n_standby" | "standby_port" | "standby_via">;
  /** The single failures of the proof: each a set of parts, which begin at `start`. */
  failures: { kinds: string[]; names: string[]; start: Packed; part_kind: Packed; part_id: Packed };
  tolls: Columns<Shown>;
}

/** What the table says of a failure. */
export type Shown = Exclude<keyof Counts, "extra_hops">;

/** A failure of the proof: parts that fail together, such as all of a chassis. */
export interface Proved {
  kind: string;
  name: string;
  parts: Failure[];
}

export interface Model {
  fabric: Fabric;
  tables: Tables;
  written: Written;
  /** Every part that can fail by itself. */
  parts: Failure[];
  /** The failures of the proof, and what each costs. */
  proved: Proved[];
  tolls: Record<Shown, Int32Array>;
}

/** Returns the network of the page. */
export function modelOf(written: Written): Model {
  const portStart = unpack(written.port_start);
  const ends: [Int32Array, Int32Array] = [unpack(written.cable_a), unpack(written.cable_b)];
  const fabric = fabricOf(written.n_nodes, portStart, ends, written.bonds);
  const tolls = Object.fromEntries(
    Object.entries(written.tolls).map(([name, packed]) => [name, unpack(packed)]),
  ) as Model["tolls"];
  const tables = tablesOf(written, portStart);
  const parts = partsOf(fabric, written);
  return { fabric, tables, written, parts, proved: provedOf(fabric, written), tolls };
}

function partsOf(fabric: Fabric, written: Written): Failure[] {
  const cables = Array.from(fabric.linkA, (_, id): Failure => ({ kind: "cable", id }));
  const nics: Failure[] = [];
  for (let port = 0; port < fabric.portStart[fabric.nNodes]!; port++) {
    if (fabric.linkOf[port]! >= 0) nics.push({ kind: "nic", id: port });
  }
  const isWired = (id: number) => portsOf(fabric, id).some((port) => fabric.linkOf[port]! >= 0);
  const devices = written.kinds
    .map((kind, id): Failure => ({ kind, id }))
    .filter(({ id }) => isWired(id));
  return [...devices, ...cables, ...nics];
}

/** The proof's parts are cables, ports and devices; a box that dies is the set of its cables. */
function provedOf(fabric: Fabric, { failures, kinds }: Written): Proved[] {
  const [start, codes, ids] = [failures.start, failures.part_kind, failures.part_id].map(unpack);
  const part = (at: number): Failure => {
    const id = ids![at]!;
    return { kind: codes![at] === 0 ? "cable" : codes![at] === 1 ? "nic" : kinds[id]!, id };
  };
  return failures.names.map((name, index) => {
    const [first, end] = [start![index]!, start![index + 1]!];
    const parts = Array.from({ length: end - first }, (_, at) => part(first + at));
    const kind = failures.kinds[index]!;
    const isBox = kind === "hub" || kind === "switch";
    return { kind, name, parts: isBox ? asDevices(fabric, kinds, parts) : parts };
  });
}

/** Ports of a node's routes are written as numbers on that node. */
function tablesOf(written: Written, portStart: Int32Array): Tables {
  const { ways, n_nodes: nNodes } = written;
  const port = unpack(ways.port);
  const nStandby = unpack(ways.n_standby);
  const standbyPort = unpack(ways.standby_port);
  const standbyStart = new Int32Array(port.length + 1);
  for (let place = 0; place < port.length; place++) {
    const first = portStart[place % nNodes]!;
    const end = standbyStart[place]! + nStandby[place]!;
    for (let at = standbyStart[place]!; at < end; at++) standbyPort[at]! += first;
    standbyStart[place + 1] = end;
    if (port[place]! >= 0) port[place]! += first;
  }
  const owner = unpack(written.identity_node);
  const [via, standbyVia] = [unpack(ways.via), unpack(ways.standby_via)];
  return { nNodes, owner, port, via, standbyStart, standbyPort, standbyVia };
}

function unpack({ least, bytes, data }: Packed): Int32Array {
  const text = atob(data);
  const values = new Int32Array(text.length / bytes);
  for (let index = 0; index < values.length; index++) {
    let value = 0;
    for (let byte = bytes - 1; byte >= 0; byte--) {
      value = value * 256 + text.charCodeAt(index * bytes + byte);
    }
    values[index] = value + least;
  }
  return values;
}

/** Returns the hubs and switches whose cables are just these; the cables where there are none. */
function asDevices(fabric: Fabric, kinds: Written["kinds"], cables: Failure[]): Failure[] {
  const links = new Set(cables.map(({ id }) => id));
  const ends = [...links].flatMap((link) => [fabric.linkA[link]!, fabric.linkB[link]!]);
  const near = [...new Set(ends.map((port) => fabric.deviceOf[port]!))].sort((a, b) => a - b);
  const linksOf = (device: number) =>
    portsOf(fabric, device)
      .map((port) => fabric.linkOf[port]!)
      .filter((link) => link >= 0);
  const whole = near
    .filter((device) => device >= fabric.nNodes)
    .filter((device) => linksOf(device).every((link) => links.has(link)))
    .sort((a, b) => linksOf(b).length - linksOf(a).length);
  const found: Failure[] = [];
  for (const id of whole) {
    const own = linksOf(id).filter((link) => links.delete(link));
    if (own.length > 0) found.push({ kind: kinds[id]!, id });
  }
  return links.size === 0 ? found : cables;
}

/** Returns the name of a connector: `eth0` of a node, `p0` of a hub or switch. */
export function portName({ fabric }: Model, port: number): string {
  const device = fabric.deviceOf[port]!;
  return `${device < fabric.nNodes ? "eth" : "p"}${port - fabric.portStart[device]!}`;
}

/** Returns the names of a connector and of its device, as the plan's tables have them. */
export function connectorName(model: Model, port: number): string {
  return `${model.written.names[model.fabric.deviceOf[port]!]}:${portName(model, port)}`;
}

/** Returns the name of a cable, and its two ends. */
function cableName(model: Model, link: number): string {
  const { linkA, linkB } = model.fabric;
  const name = model.written.cable_names[link];
  return `${name}, ${connectorName(model, linkA[link]!)} – ${connectorName(model, linkB[link]!)}`;
}

/** Returns the name of a part that can fail, with its kind. */
export function failureName(model: Model, { kind, id }: Failure): string {
  if (kind === "cable") return `cable ${cableName(model, id)}`;
  if (kind === "nic") return `NIC ${connectorName(model, id)}`;
  return `${kind} ${model.written.names[id]}`;
}

/** Returns the failure of a device as a whole. */
export function deviceFailure(model: Model, device: number): Failure {
  return { kind: model.written.kinds[device]!, id: device };
}

/** Returns the ports of a device with a cable, and the ports at the other ends. */
export function cabledPorts({ fabric }: Model, device: number) {
  return portsOf(fabric, device)
    .filter((port) => fabric.linkOf[port]! >= 0)
    .map((port) => {
      const link = fabric.linkOf[port]!;
      return { port, link, far: otherEnd(fabric, link, port) };
    });
}
