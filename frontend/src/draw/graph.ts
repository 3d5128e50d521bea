// The devices and cables of a design of kind `custom`, as the text has them: also of one that is
// not finished. A cable keeps its number in the text, so that an edit finds it again.
export type Kind = "node" | "switch" | "hub";

export interface Point {
  x: number;
  y: number;
}

export interface Device {
  name: string;
  kind: Kind;
  /** Key of its part; null for the usual one of the design. */
  part: string | null;
  /** NICs of a node, by name, each with the key of its part or null. */
  nics: Map<string, string | null>;
  isRouted: boolean;
}

export interface End {
  device: string;
  /** Name of the port; empty for the next free one of a hub or switch. */
  port: string;
}

export interface Cable {
  /** Number in the list of the text. */
  index: number;
  a: End;
  b: End;
  part: string | null;
}

export interface Graph {
  devices: Map<string, Device>;
  cables: Cable[];
  /** Places in the drawing that the text gives. */
  places: Map<string, Point>;
}

/** Sections of the topology, by the kind of their devices. */
export const SECTIONS: Record<Kind, string> = { node: "nodes", switch: "switches", hub: "hubs" };

type Fields = Record<string, unknown>;

/** Returns the graph of a design; null if its topology is of another kind. */
export function graphOf(design: unknown): Graph | null {
  const topology = mapOf(mapOf(design).topology);
  if (topology.kind !== "custom") return null;
  const devices = new Map<string, Device>();
  for (const kind of ["node", "switch", "hub"] as const) {
    for (const [name, fields] of Object.entries(mapOf(topology[SECTIONS[kind]]))) {
      if (!devices.has(name)) devices.set(name, deviceOf(name, kind, fields));
    }
  }
  const given: unknown[] = Array.isArray(topology.cables) ? topology.cables : [];
  const cables = given.flatMap((one, index) => cableOf(one, index));
  return { devices, cables, places: placesOf(design) };
}

function deviceOf(name: string, kind: Kind, fields: unknown): Device {
  const own = mapOf(fields);
  const nics = kind === "node" ? Object.entries(mapOf(own.nics)) : [];
  return {
    name,
    kind,
    part: wordOf(typeof fields === "string" ? fields : own.part),
    nics: new Map(nics.map(([nic, part]) => [nic, wordOf(part)])),
    isRouted: own.routed === true,
  };
}

function cableOf(given: unknown, index: number): Cable[] {
  if (!Array.isArray(given) || given.length < 2) return [];
  const [a, b, part] = given as unknown[];
  return [{ index, a: endOf(a), b: endOf(b), part: wordOf(part) }];
}

function endOf(text: unknown): End {
  const [device = "", ...port] = String(text).split(":");
  return { device: device.trim(), port: port.join(":").trim() };
}

/** Returns the text of an end of a cable. */
export function endText({ device, port }: End): string {
  return port ? `${device}:${port}` : device;
}

function placesOf(design: unknown): Map<string, Point> {
  const found = new Map<string, Point>();
  for (const [name, place] of Object.entries(mapOf(mapOf(design).places))) {
    const { drawn } = mapOf(place);
    if (!Array.isArray(drawn) || drawn.length !== 2) continue;
    const [x, y] = drawn.map(Number) as [number, number];
    if (Number.isFinite(x) && Number.isFinite(y)) found.set(name, { x, y });
  }
  return found;
}

/** Returns the cables with an end at a device. */
export function cablesAt(graph: Graph, name: string): Cable[] {
  return graph.cables.filter(({ a, b }) => a.device === name || b.device === name);
}

/** Returns the names of the ports of a device that have a cable. */
export function usedPorts(graph: Graph, name: string): Set<string> {
  const used = new Set<string>();
  for (const { a, b } of graph.cables) {
    for (const { device, port } of [a, b]) if (device === name && port) used.add(port);
  }
  return used;
}

/** Returns the NICs of a node without a cable. */
export function freeNics(graph: Graph, name: string): string[] {
  const used = usedPorts(graph, name);
  return [...(graph.devices.get(name)?.nics.keys() ?? [])].filter((nic) => !used.has(nic));
}

/** Returns a name of a stem and a number that nothing has. */
export function freshName(stem: string, taken: Iterable<string>): string {
  const names = new Set([...taken].map((name) => name.toLowerCase()));
  for (let number = 0; ; number++) {
    if (!names.has(`${stem}${number}`)) return `${stem}${number}`;
  }
}

export function mapOf(value: unknown): Fields {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? (value as Fields) : {};
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
