// The proof of failures: crates/page compiled to WebAssembly, whose functions take and give 32-bit
// words in its memory (crates/page/src/calls.rs). This file only turns words into names.
import wasm from "../../page.wasm";
import { inflated } from "./columns";

export type Kind = "cable" | "nic" | "hub" | "switch" | "node";

/** One part that fails: a cable by its link, a NIC by its port, the others by their device. */
export interface Failure {
  kind: Kind;
  id: number;
}

const COUNTS = [
  "untouched",
  "rerouted",
  "recomputed",
  "daemon",
  "disconnected",
  "looping",
  "unanswered",
  "extra_hops",
  "worst_extra_hops",
  "most_forwarded",
] as const;

export type Counts = Record<(typeof COUNTS)[number], number>;

/** How the packets of a pair fare. HELPED is one that is lost until tables are recomputed or a
 * routing daemon finds the path that is left. */
export const REROUTED = 1;
export const HELPED = 2;
export const DISCONNECTED = 3;

/** The cost of some parts failing at once. */
export interface Impact {
  counts: Counts;
  /** A pair that fares worst, by its addresses; null where all are untouched. */
  example: { outcome: number; from: number; to: number } | null;
  /** Per node, its connections that are lost, and that are rerouted. */
  lostOf: Uint32Array;
  reroutedOf: Uint32Array;
  /** Packets that each node forwards while every living node sends one to every other. */
  load: Uint32Array;
  isDeadLink: Uint32Array;
}

// The end of a packet's route.
export const ARRIVED = 0;
export const UNSEEN = 2;
export const LOOP = 3;
export const NO_PATH = 4;

/** One step of a route: out of a port, over some links, to a port of the next node. */
export interface Hop {
  port: number;
  via: number;
  links: number[];
}

export interface Route {
  hops: Hop[];
  /** ARRIVED, UNSEEN, LOOP, NO_PATH or, without a route, another number. */
  end: number;
  /** The node where the route ends; for a loop, the node to which it returns. */
  at: number;
  /** The ports of a failed attempt: out of one, to the other (-1: none); null without one. */
  attempt: { port: number; via: number } | null;
}

/** The tables that a packet follows: before the failure, after it, or recomputed for the rest. */
export type Tables = "before" | "after" | "recomputed";

interface Calls {
  memory: WebAssembly.Memory;
  question(nWords: number): number;
  answer(): number;
  open(): void;
  fail(): number;
  route(from: number, to: number, isWhole: boolean, isRecomputed: boolean): number;
}

/** A network in which failures are tried. */
export class Core {
  private constructor(
    private readonly calls: Calls,
    private readonly nNodes: number,
  ) {}

  /** Returns the core of a network that linkwright.views.check_page packed. */
  static async of(network: ArrayBuffer, nNodes: number): Promise<Core> {
    const { instance } = await WebAssembly.instantiate(await inflated(wasm));
    const core = new Core(instance.exports as unknown as Calls, nNodes);
    core.ask(new Uint32Array(network));
    core.calls.open();
    return core;
  }

  /** Lets all of some parts fail at once. */
  fail(failures: Iterable<Failure>): Impact {
    this.ask([...failures].flatMap(({ kind, id }) => [codeOf(kind), id]));
    const words = this.answer(this.calls.fail());
    let at = 0;
    const take = (n: number) => words.subarray(at, (at += n));
    const counts = Object.fromEntries(
      [...take(COUNTS.length)].map((count, index) => [COUNTS[index]!, count]),
    ) as Counts;
    const [outcome, from, to] = take(3) as unknown as [number, number, number];
    return {
      counts,
      example: outcome > 0 ? { outcome, from, to } : null,
      lostOf: take(this.nNodes),
      reroutedOf: take(this.nNodes),
      load: take(this.nNodes),
      isDeadLink: words.subarray(at),
    };
  }

  /** Returns the route of a packet from a node to an address; see `fail` for what failed. */
  route(from: number, to: number, tables: Tables): Route {
    const n = this.calls.route(from, to, tables === "before", tables === "recomputed");
    const words = Int32Array.from(this.answer(n));
    const [end, node, port, via] = words as unknown as [number, number, number, number];
    const hops: Hop[] = [];
    for (let at = 4; at < words.length; at += 3 + words[at + 2]!) {
      const links = [...words.subarray(at + 3, at + 3 + words[at + 2]!)];
      hops.push({ port: words[at]!, via: words[at + 1]!, links });
    }
    return { hops, end, at: node, attempt: port < 0 ? null : { port, via } };
  }

  private ask(words: ArrayLike<number>): void {
    const at = this.calls.question(words.length);
    new Uint32Array(this.calls.memory.buffer, at, words.length).set(words);
  }

  /** The memory may move at the next call: the answer is copied out of it. */
  private answer(nWords: number): Uint32Array {
    return new Uint32Array(this.calls.memory.buffer, this.calls.answer(), nWords).slice();
  }
}

function codeOf(kind: Kind): number {
  return kind === "cable" ? 0 : kind === "nic" ? 1 : 2;
}
