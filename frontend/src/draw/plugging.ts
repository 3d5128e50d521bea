// The ports of new cables: free NICs first, a further NIC where the computer has room, and a cable
// that fits both connectors. What does not fit is a sentence, and nothing changes.
import { type Change } from "../workbench/patch";
import { type CataloguePart } from "../workbench/schema";
import { type NewCable, addCables } from "./edits";
import { type Device, type End, type Graph, cablesAt, freeNics, freshName } from "./graph";

/** The parts of a design: of the catalogue, by role for what has no part of its own. */
export interface Parts {
  catalogue: CataloguePart;
  /** Key of the part of each role; empty for one that the design describes by itself. */
  usual: Record<string, string>;
}

/** A port that can take a cable. */
interface Plug {
  port: string;
  nic: string | null;
  isNew: boolean;
  connector: string | null;
  rate: number;
}

export class Plugging {
  /** Why the last two devices were not joined. */
  reason = "";
  private readonly cables: NewCable[] = [];
  private readonly nics: Change[] = [];
  private readonly graph: Graph;

  constructor(
    private readonly design: unknown,
    graph: Graph,
    private readonly parts: Parts,
  ) {
    this.graph = structuredClone(graph);
  }

  /** Returns all changes so far. */
  get changes(): Change[] {
    return [...this.nics, ...addCables(this.design, this.cables)];
  }

  /** Joins two devices by a cable, of a part if one is wanted; says whether it could. */
  join(from: string, to: string, part: string | null = null): boolean {
    const [a, b] = [this.graph.devices.get(from), this.graph.devices.get(to)];
    if (!a || !b || a === b) {
      this.reason = "A cable joins two different devices.";
      return false;
    }
    const [plugsA, plugsB] = [this.plugsOf(a), this.plugsOf(b)];
    const full = plugsA.length === 0 ? a : plugsB.length === 0 ? b : null;
    if (full) return this.refuse(full);
    for (const one of plugsA) {
      const other = plugsB.find((plug) => fits(one.connector, plug.connector));
      if (!other) continue;
      const ends: [End, End] = [this.use(a, one), this.use(b, other)];
      this.add({ a: ends[0], b: ends[1], part: part ?? this.cableFor(one, other) });
      return true;
    }
    this.reason = `${from} and ${to} have no connectors that fit each other.`;
    return false;
  }

  private refuse(device: Device): false {
    const thing = this.keyOf(device.kind, device.part) || device.kind;
    this.reason = `${device.name} has no free port: ${thing} has no room for one more.`;
    return false;
  }

  private add(cable: NewCable): void {
    this.cables.push(cable);
    this.graph.cables.push({ index: this.graph.cables.length, ...cable });
  }

  private use(device: Device, plug: Plug): End {
    if (plug.isNew) {
      device.nics.set(plug.port, plug.nic);
      const path = ["topology", "nodes", device.name, "nics", plug.port];
      this.nics.push({ path, value: plug.nic });
    }
    return { device: device.name, port: plug.port };
  }

  private plugsOf(device: Device): Plug[] {
    if (device.kind !== "node") {
      const facts = this.parts.catalogue.facts[this.keyOf(device.kind, device.part)];
      const used = cablesAt(this.graph, device.name).length;
      if (facts?.ports !== undefined && used >= facts.ports) return [];
      return [this.plug("", device.kind, device.part, false)];
    }
    const free = freeNics(this.graph, device.name).map((nic) =>
      this.plug(nic, "nic", device.nics.get(nic) ?? null, false),
    );
    const port = freshName("eth", device.nics.keys());
    const further = nicsWithRoom(device, this.parts).map((nic) =>
      this.plug(port, "nic", nic, true),
    );
    return [...free, ...further];
  }

  private plug(port: string, role: string, part: string | null, isNew: boolean): Plug {
    const facts = this.parts.catalogue.facts[this.keyOf(role, part)];
    const connector = facts?.connector ?? null;
    return { port, nic: part, isNew, connector, rate: facts?.rate_mbps ?? 0 };
  }

  private keyOf(role: string, part: string | null): string {
    return part ?? this.parts.usual[role] ?? "";
  }

  /** Returns the cable for two connectors: the usual one if it fits, else the slowest that does. */
  private cableFor(a: Plug, b: Plug): string | null {
    const { catalogue, usual } = this.parts;
    const connector = a.connector ?? b.connector;
    const rate = Math.min(a.rate, b.rate);
    const serves = (key: string) => {
      const facts = catalogue.facts[key];
      return fits(facts?.connector ?? null, connector) && (facts?.rate_mbps ?? Infinity) >= rate;
    };
    if (!usual.cable || serves(usual.cable)) return null;
    const all = (catalogue.parts.cable ?? []).map(([key]) => key).filter(serves);
    const rateOf = (key: string) => catalogue.facts[key]?.rate_mbps ?? Infinity;
    return all.sort((x, y) => rateOf(x) - rateOf(y))[0] ?? null;
  }
}

/** Returns the parts of which a computer takes one NIC more, the usual one and its own first. */
export function nicsWithRoom(device: Device, parts: Parts): (string | null)[] {
  const { usual, catalogue } = parts;
  const room = catalogue.facts[device.part ?? usual.node ?? ""]?.room;
  if (!room) return [null];
  // Ports of one family of connectors are the same ports, whichever part names them.
  const familyOf = (key: string) => catalogue.facts[key]?.connector ?? key;
  const has = (key: string) =>
    [...device.nics.values()].filter((nic) => familyOf(nic ?? usual.nic ?? "") === familyOf(key))
      .length;
  const isFree = (key: string) => !(key in room) || room[key] === null || has(key) < room[key]!;
  // Two ports or more first, since a node with one is the end of every path; then the slowest.
  const hasTwo = (key: string) => Number((room[key] ?? 2) >= 2);
  const rateOf = (key: string) => catalogue.facts[key]?.rate_mbps ?? 0;
  const others = Object.keys(room)
    .filter((key) => key !== usual.nic)
    .sort((a, b) => hasTwo(b) - hasTwo(a) || rateOf(a) - rateOf(b));
  const own = [...new Set(device.nics.values())].filter((nic) => nic !== null);
  const keys = [...new Set([...own, ...others])].filter((key) => others.includes(key));
  return [...(isFree(usual.nic ?? "") ? [null] : []), ...keys.filter(isFree)];
}

/** Returns the NIC and the number of them that a new computer begins with. */
export function firstNics(part: string | null, parts: Parts): { nic: string | null; nics: number } {
  const room = parts.catalogue.facts[part ?? parts.usual.node ?? ""]?.room;
  const bare: Device = { name: "", kind: "node", part, nics: new Map(), isRouted: false };
  const nic = nicsWithRoom(bare, parts)[0] ?? null;
  const most = room?.[nic ?? parts.usual.nic ?? ""];
  return { nic, nics: Math.max(1, Math.min(2, most ?? 2)) };
}

function fits(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b;
}
