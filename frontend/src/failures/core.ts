// The proof of failures: feature `failures` of crates/page. This file gives its answers their
// types; crates/page/src/failures/calls.rs has the questions.
import wasm from "../../failures.wasm";
import { Core, compiled, numbersOf } from "../core";
import { inflated } from "../inflated";

export type Kind = "cable" | "nic" | "hub" | "switch" | "node";

/** One part that fails: a cable by its link, a NIC by its port, the others by their device. */
export interface Failure {
  kind: Kind;
  id: number;
}

/** Counts of connections and hops, with the names of `FailureImpact` in crates/resilience. */
export type Counts = Record<
  | "n_untouched"
  | "n_rerouted"
  | "n_recomputed"
  | "n_daemon"
  | "n_disconnected"
  | "n_looping"
  | "n_unanswered"
  | "extra_hops"
  | "worst_extra_hops"
  | "most_forwarded",
  number
>;

/** The worst outcome of a pair. *Helped* is a pair whose packets are lost until tables are
 * recomputed, or until a routing daemon finds the path that is left. */
export type Outcome = "rerouted" | "helped" | "disconnected";

/** The cost of some parts failing at once. */
export interface Impact {
  counts: Counts;
  /** A pair that fares worst, by its addresses; null where all are untouched. */
  worst: { outcome: Outcome; from: number; to: number } | null;
  /** Per node, its connections that are lost, those that are rerouted, and the packets that it
   * relays while every living node sends one to every other. */
  nodes: { lost: Uint32Array; rerouted: Uint32Array; relayed: Uint32Array };
  links: { isDead: Uint8Array };
}

/** The end of a packet's route. */
export type End = "arrived" | "no-route" | "unseen" | "loop" | "disconnected";

/** One step of a route: out of a port, over some links, to a port of the next node. */
export interface Hop {
  port: number;
  via: number;
  links: number[];
}

export interface Route {
  hops: Hop[];
  end: End;
  /** The node where the route ends; for a loop, the node to which it returns. */
  at: number;
  /** The ports of a failed attempt: out of one, to the other, if there is one; null without it. */
  attempt: { port: number; via?: number } | null;
}

/** The tables that a packet follows: before the failure, after it, or recomputed for the rest. */
export type Tables = "before" | "after" | "recomputed";

/** A network in which failures are tried. */
export class Trial {
  private constructor(private readonly core: Core) {}

  /** Returns a network that was packed for it. */
  static async of(packed: string): Promise<Trial> {
    const core = new Core(await compiled(wasm));
    core.ask("failures_open", new Uint8Array(await inflated(packed)));
    return new Trial(core);
  }

  /** Lets all of some parts fail at once. */
  fail(failures: Iterable<Failure>): Impact {
    const question = [...failures].map(({ kind, id }) => `${kind} ${id}`);
    const { values, columns } = this.core.ask("failures_fail", question);
    const { outcome, from, to } = values.worst ?? {};
    const worst = outcome && { outcome: outcome as Outcome, from: Number(from), to: Number(to) };
    return {
      counts: numbersOf(values.counts) as Counts,
      worst: worst || null,
      nodes: columns.nodes as Impact["nodes"],
      links: columns.links as Impact["links"],
    };
  }

  /** Returns the route of a packet from a node to an address; see `fail` for what failed. */
  route(from: number, to: number, tables: Tables): Route {
    const question = [`from ${from}`, `to ${to}`, `tables ${tables}`];
    const { values, columns } = this.core.ask("failures_route", question);
    const { port, via, nLinks } = columns.hops as Record<"port" | "via" | "nLinks", Uint32Array>;
    const links = columns.links!.id as Uint32Array;
    let end = 0;
    const hops = [...port].map((out, hop) => ({
      port: out,
      via: via[hop]!,
      links: [...links.subarray(end, (end += nLinks[hop]!))],
    }));
    const attempt = values.attempt ? (numbersOf(values.attempt) as Route["attempt"]) : null;
    return { hops, end: values.route!.end as End, at: Number(values.route!.at), attempt };
  }
}
