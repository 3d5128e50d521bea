// The network as linkwright.views.check_page writes it into the page: names and texts as they are,
// numbers in packed columns. This file turns them into arrays and gives ids their names.
import { columns, inflated } from "../failures/columns";
import { Core, type Counts, type Failure } from "../failures/core";
import { type Fabric, fabricOf, otherEnd, portsOf } from "../failures/fabric";

export interface Written {
  n_nodes: number;
  is_explicit: boolean;
  names: string[];
  /** The names of the cables in the plan's tables. */
  cable_names: string[];
  kinds: ("node" | "hub" | "switch")[];
  parts: string[];
  /** The name of each port; empty where names follow from numbers. */
  port_names: string[];
  /** The address of each node port, empty where it has none. */
  port_address: string[];
  /** The network: `_network` of check_page.py says which columns. */
  network: string;
  /** The failures of the proof; in columns, the parts of each, their kinds and ids, and `SHOWN`. */
  failures: { kinds: string[]; names: string[]; columns: string };
}

/** The counts of a failure that the table shows, in the order of its columns. */
const SHOWN = [
  "untouched",
  "rerouted",
  "recomputed",
  "daemon",
  "disconnected",
  "looping",
  "unanswered",
  "worst_extra_hops",
] as const satisfies (keyof Counts)[];
export type Shown = (typeof SHOWN)[number];

/** A failure of the proof: parts that fail together, such as all of a chassis. */
export interface Proved {
  kind: string;
  name: string;
  parts: Failure[];
}

export interface Model {
  fabric: Fabric;
  /** The node that each address belongs to. */
  owner: Int32Array;
  core: Core;
  written: Written;
  /** Every part that can fail by itself. */
  parts: Failure[];
  /** The failures of the proof, and the impact of each. */
  proved: Proved[];
  impacts: Record<Shown, Int32Array>;
}

/** Returns the network of the page. */
export async function modelOf(written: Written): Promise<Model> {
  const { n_nodes: nNodes } = written;
  const network = await inflated(written.network);
  const core = await Core.of(network, nNodes);
  const [, portStart, linkA, linkB, , , owner] = columns(network);
  const fabric = fabricOf(nNodes, portStart!, linkA!, linkB!);
  const [starts, codes, ids, ...counts] = columns(await inflated(written.failures.columns));
  const impacts = Object.fromEntries(
    SHOWN.map((name, index) => [name, counts[index]!]),
  ) as Model["impacts"];
  const proved = provedOf(fabric, written, [starts!, codes!, ids!]);
  return { fabric, owner: owner!, core, written, parts: partsOf(fabric, written), proved, impacts };
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
function provedOf(
  fabric: Fabric,
  { failures, kinds }: Written,
  [start, codes, ids]: [Int32Array, Int32Array, Int32Array],
): Proved[] {
  const part = (at: number): Failure => {
    const id = ids[at]!;
    return { kind: codes[at] === 0 ? "cable" : codes[at] === 1 ? "nic" : kinds[id]!, id };
  };
  return failures.names.map((name, index) => {
    const [first, end] = [start[index]!, start[index + 1]!];
    const parts = Array.from({ length: end - first }, (_, at) => part(first + at));
    const kind = failures.kinds[index]!;
    const isBox = kind === "hub" || kind === "switch";
    return { kind, name, parts: isBox ? asDevices(fabric, kinds, parts) : parts };
  });
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

/** Returns the name of a connector: by default `eth0` of a node, `p0` of a hub or switch. */
export function portName({ fabric, written }: Model, port: number): string {
  if (written.port_names.length > 0) return written.port_names[port]!;
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
