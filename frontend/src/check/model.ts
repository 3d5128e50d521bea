// The network as linkwright.views.check_page writes it into the page: names and texts as they are,
// the network as the proof of failures opens it. This file gives ids their names.
import { type Counts, type Failure, Trial } from "../failures/core";
import { type Cabling, type Fabric, fabricOf, otherEnd, portsOf } from "../failures/fabric";
import { inflatedJson } from "../inflated";
import { type Steps } from "./figures";

export interface Written {
  cabling: Cabling;
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
  /** The node that each address belongs to. */
  owner: number[];
  /** Rates and times of cables and devices. */
  steps: Steps;
  /** The network, packed, deflated, in base64. */
  network: string;
  /** `Failures`, deflated, in base64. */
  failures: string;
}

/** The counts of a failure that the table shows. */
export type Shown = Exclude<keyof Counts, "extra_hops" | "most_forwarded">;

/** The failures of the proof as they are written. */
interface Failures {
  kinds: string[];
  names: string[];
  /** The parts of failure i are those from `start[i]` up to `start[i + 1]`. */
  start: number[];
  /** 0 cable, 1 NIC, 2 device. */
  part_kind: number[];
  part_id: number[];
  impacts: Record<Shown, number[]>;
}

/** A failure of the proof: parts that fail together, such as all of a chassis. */
export interface Proved {
  kind: string;
  name: string;
  parts: Failure[];
}

export interface Model {
  fabric: Fabric;
  /** The node that each address belongs to. */
  owner: number[];
  trial: Trial;
  written: Written;
  /** Every part that can fail by itself. */
  parts: Failure[];
  /** The failures of the proof, and the impact of each. */
  proved: Proved[];
  impacts: Record<Shown, number[]>;
}

/** Returns the network of the page. */
export async function modelOf(written: Written): Promise<Model> {
  const { cabling, owner } = written;
  const fabric = fabricOf(cabling);
  const [trial, failures] = await Promise.all([
    Trial.of(written.network),
    inflatedJson<Failures>(written.failures),
  ]);
  const { impacts } = failures;
  const proved = provedOf(fabric, written.kinds, failures);
  return { fabric, owner, trial, written, parts: partsOf(fabric, written), proved, impacts };
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
  kinds: Written["kinds"],
  failures: Failures,
): Proved[] {
  const { start, part_kind, part_id } = failures;
  const part = (at: number): Failure => {
    const id = part_id[at]!;
    return { kind: (["cable", "nic"] as const)[part_kind[at]!] ?? kinds[id]!, id };
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
