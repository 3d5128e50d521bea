// The network of the page as linkwright.views.play_page writes it. This file gives ids their names,
// and lists the parts that can be pulled.
import { type Cabling, type Fabric, fabricOf, portsOf } from "../failures/fabric";
import { type PulledPart } from "./recording";

export interface Written {
  cabling: Cabling;
  /** Whether cables show how busy they are instead of single frames. */
  is_dense: boolean;
  names: string[];
  kinds: ("node" | "hub" | "switch")[];
  /** The names of the cables in the plan's tables. */
  cable_names: string[];
  /** The name of each port; empty where names follow from numbers. */
  port_names: string[];
  /** The node of each rank. */
  node_of_rank: number[];
  /** The sizes of the messages of each embedded program. */
  programs: string[];
  seed: number;
  /** Whether the page can take another seed. */
  has_seeds: boolean;
  /** The parts that fail in the run that the page was made for; null where faults of other kinds
   * are among them, which the page cannot change. */
  pulled: PulledPart[] | null;
  /** Words for names of metrics that do not read as words. */
  metric_words: Record<string, string>;
  /** The packed run, deflated, in base64. */
  run: string;
}

export interface Cluster {
  written: Written;
  fabric: Fabric;
}

/** A part that can be pulled. */
export type Part = Pick<PulledPart, "kind" | "id">;

/** Returns whether two parts are one. */
export function isSame(some: Part, other: Part): boolean {
  return some.kind === other.kind && some.id === other.id;
}

/** Returns the network of the page. */
export function clusterOf(written: Written): Cluster {
  return { written, fabric: fabricOf(written.cabling) };
}

/** Returns the name of a device and of one of its connectors. */
export function connectorName({ fabric, written }: Cluster, port: number): string {
  const device = fabric.deviceOf[port]!;
  const given = written.port_names[port];
  const letter = device < fabric.nNodes ? "eth" : "p";
  return `${written.names[device]}:${given ?? `${letter}${port - fabric.portStart[device]!}`}`;
}

/** Returns the name of a part, with its kind. */
export function partName(cluster: Cluster, { kind, id }: Part): string {
  const { fabric, written } = cluster;
  if (kind === "nic") return `NIC ${connectorName(cluster, id)}`;
  if (kind !== "cable") return `${kind} ${written.names[id]}`;
  const ends = [fabric.linkA[id]!, fabric.linkB[id]!].map((port) => connectorName(cluster, port));
  return `cable ${written.cable_names[id]}, ${ends.join(" – ")}`;
}

/** Returns all parts that can be pulled: devices first, then cables. */
export function partsOf({ fabric, written }: Cluster): Part[] {
  const devices = written.kinds
    .map((kind, id): Part => ({ kind, id }))
    .filter(({ id }) => portsOf(fabric, id).some((port) => fabric.linkOf[port]! >= 0));
  const cables = Array.from(fabric.linkA, (_, id): Part => ({ kind: "cable", id }));
  return [...devices, ...cables];
}
