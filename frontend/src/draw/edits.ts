// Edits of a drawing as changes of its text. Each takes the graph as the text has it, and returns
// all that one step changes: a device that is renamed keeps its cables, its place and its machine.
import { type Change, type Path, type Value } from "../workbench/patch";
import {
  type Cable,
  type Device,
  type End,
  type Graph,
  type Kind,
  type Point,
  SECTIONS,
  endText,
  freshName,
  mapOf,
  usedPorts,
} from "./graph";

const STEMS: Record<Kind, string> = { node: "n", switch: "sw", hub: "hub" };
const NIC_STEM = "eth";
const FRONT_END = "fe";
/** Distance of a copy from its original, in points. */
const BESIDE = 40;

/** A device that is not in the text yet. */
export interface Wanted {
  kind: Kind;
  part: string | null;
  nics: number;
  nic: string | null;
}

/** Returns the changes that add a device, and the device. */
export function addDevice(
  graph: Graph,
  wanted: Wanted,
): { name: string; device: Device; changes: Change[] } {
  const name = freshName(STEMS[wanted.kind], graph.devices.keys());
  const nics = Array.from({ length: wanted.nics }, (_, nic) => `${NIC_STEM}${nic}`);
  const { kind, part } = wanted;
  const own = new Map(nics.map((nic) => [nic, wanted.nic]));
  const device: Device = { name, kind, part, nics: own, isRouted: false };
  return { name, device, changes: [newDevice(device)] };
}

function newDevice(device: Device): Change {
  return { path: ["topology", SECTIONS[device.kind], device.name], value: fieldsOf(device) };
}

function fieldsOf({ kind, part, nics, isRouted }: Device): Value {
  if (kind === "node") {
    const own = Object.fromEntries(nics);
    return part === null ? { nics: own } : { part, nics: own };
  }
  return isRouted ? { ...(part !== null && { part }), routed: true } : part;
}

/** Returns the changes that give places in the drawing; places in the room stay. */
export function setPlaces(design: unknown, places: Map<string, Point>): Change[] {
  const section = mapOf(design).places;
  const given = mapOf(section);
  const rounded = ({ x, y }: Point): Value => [Math.round(x), Math.round(y)];
  const valueOf = (name: string, place: Point): Value => {
    const metres = Array.isArray(given[name]) ? given[name] : mapOf(given[name]).metres;
    const drawn = rounded(place);
    return Array.isArray(metres) ? { metres: metres as Value, drawn } : { drawn };
  };
  if (Object.keys(given).length === 0) {
    const all = [...places].map(([name, place]) => [name, valueOf(name, place)]);
    return all.length > 0 ? [{ path: ["places"], value: Object.fromEntries(all) as Value }] : [];
  }
  return [...places].map(([name, place]) =>
    Array.isArray(mapOf(given[name]).drawn)
      ? { path: ["places", name, "drawn"], value: rounded(place) }
      : { path: ["places", name], value: valueOf(name, place) },
  );
}

/** Returns the changes that take the places of devices that are gone out of the text. */
export function stalePlaces(design: unknown, graph: Graph): Change[] {
  const places = mapOf(mapOf(design).places);
  const known = (name: string) => graph.devices.has(name) || name === FRONT_END;
  const gone = new Set(Object.keys(places).filter((name) => !known(name)));
  return without(places, ["places"], gone, false);
}

/** Returns the changes that remove devices and cables, with all that belongs to the devices. */
export function remove(
  design: unknown,
  graph: Graph,
  names: Iterable<string>,
  cables: Iterable<number>,
): Change[] {
  const gone = new Set(names);
  const numbers = new Set(cables);
  for (const { index, a, b } of graph.cables) {
    if (gone.has(a.device) || gone.has(b.device)) numbers.add(index);
  }
  const topology = mapOf(mapOf(design).topology);
  const given = Array.isArray(topology.cables) ? topology.cables.length : 0;
  const changes: Change[] = [];
  if (numbers.size > 0 && numbers.size === given) {
    changes.push({ path: ["topology", "cables"], value: [] });
  } else {
    for (const at of numbers) changes.push({ path: ["topology", "cables", at], value: undefined });
  }
  for (const section of Object.values(SECTIONS)) {
    const isNeeded = section === SECTIONS.node;
    changes.push(...without(topology[section], ["topology", section], gone, isNeeded));
  }
  for (const section of ["places", "nodes"]) {
    changes.push(...without(mapOf(design)[section], [section], gone, false));
  }
  return changes;
}

/** Returns the changes that take names out of a section; an empty one goes as a whole. */
function without(section: unknown, path: Path, gone: Set<string>, isNeeded: boolean): Change[] {
  const names = Object.keys(mapOf(section));
  const own = names.filter((name) => gone.has(name));
  if (own.length === 0) return [];
  if (own.length === names.length) return [{ path, value: isNeeded ? {} : undefined }];
  return own.map((name) => ({ path: [...path, name], value: undefined }));
}

/** Returns the changes that give a device another name. */
export function rename(design: unknown, graph: Graph, from: string, to: string): Change[] {
  const device = graph.devices.get(from);
  if (!device || from === to) return [];
  const sections = ["places", "nodes"].filter((one) => from in mapOf(mapOf(design)[one]));
  return [
    ...withEnds(graph, from, (end) => ({ ...end, device: to })),
    ...sections.map((section): Change => ({ path: [section, from], key: to })),
    { path: ["topology", SECTIONS[device.kind], from], key: to },
  ];
}

/** Returns the changes that give a port of a device another name. */
export function renamePort(
  design: unknown,
  graph: Graph,
  name: string,
  from: string,
  to: string,
): Change[] {
  const device = graph.devices.get(name);
  if (!device || from === to) return [];
  const own = withEnds(graph, name, (end) => (end.port === from ? { ...end, port: to } : end));
  if (device.kind !== "node") return own;
  const real = mapOf(mapOf(mapOf(mapOf(design).nodes)[name]).nics);
  return [
    ...own,
    ...(from in real ? [{ path: ["nodes", name, "nics", from], key: to } as Change] : []),
    { path: ["topology", "nodes", name, "nics", from], key: to },
  ];
}

function withEnds(graph: Graph, name: string, made: (end: End) => End): Change[] {
  const found: Change[] = [];
  for (const { index, a, b } of graph.cables) {
    for (const [at, end] of [a, b].entries()) {
      const text = endText(made(end));
      if (end.device === name && text !== endText(end)) {
        found.push({ path: ["topology", "cables", index, at], value: text });
      }
    }
  }
  return found;
}

/** Returns the changes that add a NIC to a node, and the name of the NIC. */
export function addNic(
  graph: Graph,
  name: string,
  part: string | null,
): { nic: string; changes: Change[] } {
  const nic = freshName(NIC_STEM, graph.devices.get(name)?.nics.keys() ?? []);
  return { nic, changes: [{ path: ["topology", "nodes", name, "nics", nic], value: part }] };
}

/** Returns the changes that remove a NIC with its cable. */
export function removeNic(graph: Graph, name: string, nic: string): Change[] {
  const cables = graph.cables
    .filter(({ a, b }) => [a, b].some((end) => end.device === name && end.port === nic))
    .map(({ index }): Path => ["topology", "cables", index]);
  const paths: Path[] = [...cables, ["topology", "nodes", name, "nics", nic]];
  return paths.map((path) => ({ path, value: undefined }));
}

/** A cable that is not in the text yet. */
export interface NewCable {
  a: End;
  b: End;
  part: string | null;
}

/** Returns the changes that add cables. */
export function addCables(design: unknown, cables: NewCable[]): Change[] {
  const given = mapOf(mapOf(design).topology).cables;
  const n = Array.isArray(given) ? given.length : 0;
  const rows = cables.map(rowOf);
  if (n === 0) return rows.length > 0 ? [{ path: ["topology", "cables"], value: rows }] : [];
  return rows.map((value, at): Change => ({ path: ["topology", "cables", n + at], value }));
}

function rowOf({ a, b, part }: NewCable): Value {
  const ends = [endText(a), endText(b)];
  return part === null ? ends : [...ends, part];
}

/** Returns the change of the part of a cable. */
export function setCablePart(cable: Cable, part: string | null): Change[] {
  return [{ path: ["topology", "cables", cable.index], value: rowOf({ ...cable, part }) }];
}

/** Returns the changes that give a device another part; null for the usual one. */
export function setPart(device: Device, part: string | null): Change[] {
  const path: Path = ["topology", SECTIONS[device.kind], device.name];
  if (device.kind === "node") return [{ path: [...path, "part"], value: part ?? undefined }];
  return [{ path, value: fieldsOf({ ...device, part }) }];
}

/** Devices with the cables among them, and their places. */
export interface Clip {
  devices: Device[];
  cables: Cable[];
  places: Map<string, Point>;
}

/** Returns a copy of some devices. */
export function copy(graph: Graph, names: Iterable<string>, places: Map<string, Point>): Clip {
  const chosen = new Set(names);
  return {
    devices: [...graph.devices.values()].filter(({ name }) => chosen.has(name)),
    cables: graph.cables.filter(({ a, b }) => chosen.has(a.device) && chosen.has(b.device)),
    places: new Map([...places].filter(([name]) => chosen.has(name))),
  };
}

/** Returns the changes that put a copy beside its original, and the names of its devices. */
export function paste(
  design: unknown,
  graph: Graph,
  clip: Clip,
  times = 1,
): { names: string[]; changes: Change[]; places: Map<string, Point> } {
  const taken = new Set(graph.devices.keys());
  const names = new Map<string, string>();
  for (const { name, kind } of clip.devices) {
    const stem = /^(.*?[a-z])\d*$/i.exec(name)?.[1] ?? STEMS[kind];
    const fresh = freshName(stem, taken);
    taken.add(fresh);
    names.set(name, fresh);
  }
  const places = new Map<string, Point>();
  for (const [name, { x, y }] of clip.places) {
    places.set(names.get(name)!, { x: x + BESIDE * times, y: y + BESIDE * times });
  }
  const moved = (end: End): End => ({ ...end, device: names.get(end.device)! });
  const cables = clip.cables.map(({ a, b, part }) => ({ a: moved(a), b: moved(b), part }));
  const devices = clip.devices.map((one) => newDevice({ ...one, name: names.get(one.name)! }));
  return {
    names: [...names.values()],
    changes: [...devices, ...addCables(design, cables)],
    places,
  };
}

/** Returns why a device cannot have a name; empty if it can. */
export function wrongName(graph: Graph, from: string, to: string): string {
  if (!/^(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(to)) {
    return "A name has letters, digits and inner hyphens, and at least one letter.";
  }
  if (/^(?:localhost|fe)$/i.test(to)) return `${to} is the name of something else.`;
  const others = [...graph.devices.keys()].filter((name) => name !== from);
  const isTaken = others.some((name) => name.toLowerCase() === to.toLowerCase());
  return isTaken ? `There is a device ${to} already.` : "";
}

/** Returns why a port of a device cannot have a name; empty if it can. */
export function wrongPort(graph: Graph, device: Device, from: string, to: string): string {
  const form = device.kind === "node" ? /^[A-Za-z0-9][\w.-]{0,14}$/ : /^[A-Za-z0-9][\w./-]{0,31}$/;
  if (!form.test(to) || /^(?:lo|id0|all|default|bond\d+)$/.test(to)) {
    return `${to || "Nothing"} is no name of a port.`;
  }
  const own = device.kind === "node" ? device.nics.keys() : usedPorts(graph, device.name);
  return [...own].some((name) => name === to && name !== from) ? `${to} is there already.` : "";
}
