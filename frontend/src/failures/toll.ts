// What a set of failures costs: the counts of crates/network/src/metrics/survival, for any number
// of parts at once. Pairs are ordered pairs of addresses of different nodes; those of dead nodes
// are not counted.
import { components } from "./components";
import { type Fabric } from "./fabric";
import { Follower } from "./follow";
import { type Failure, type Remains, remains } from "./remains";
import { LOOP, type Tables } from "./tables";

export interface Counts {
  untouched: number;
  rerouted: number;
  replanned: number;
  daemon: number;
  cut_off: number;
  looping: number;
  unanswered: number;
  extra_hops: number;
  worst_extra_hops: number;
}

/** How a pair fares; a pair of one node or of a dead one is not counted. HELPED is a pair that is
 * lost until tables are planned anew or a routing daemon finds the path that is left. */
export const NOT_COUNTED = 0;
export const UNTOUCHED = 1;
export const REROUTED = 2;
export const HELPED = 3;
export const CUT_OFF = 4;

export interface Toll {
  left: Remains;
  counts: Counts;
  /** How the pair from address f to address t fares, at t * n + f. */
  fate: Uint8Array;
  /** Per node, the pairs it begins or ends that are rerouted, and that do not arrive. */
  reroutedOf: Int32Array;
  lostOf: Int32Array;
}

/** Tries failures on one network. */
export class Proof {
  /** Hops of node n to address i in the whole network, at i * nNodes + n; negative where lost. */
  private readonly whole: Int32Array;
  private readonly follower: Follower;

  constructor(
    readonly fabric: Fabric,
    readonly tables: Tables,
    private readonly isExplicit: boolean,
  ) {
    const { owner, nNodes } = tables;
    this.follower = new Follower(fabric, tables);
    this.whole = new Int32Array(owner.length * nNodes);
    const left = remains(fabric, []);
    for (let to = 0; to < owner.length; to++) {
      this.follower.follow(to, left);
      this.whole.set(this.follower.ends, to * nNodes);
    }
  }

  /** Returns what it costs when all of some parts fail at once. */
  try(failures: Iterable<Failure>): Toll {
    const left = remains(this.fabric, failures);
    const n = this.tables.owner.length;
    const toll: Toll = {
      left,
      counts: none(),
      fate: new Uint8Array(n * n),
      reroutedOf: new Int32Array(this.tables.nNodes),
      lostOf: new Int32Array(this.tables.nNodes),
    };
    const component = components(this.fabric, left);
    for (let to = 0; to < n; to++) {
      if (left.isDeadDevice[this.tables.owner[to]!]) continue;
      this.follower.follow(to, left);
      this.count(toll, to, component);
    }
    this.countUnanswered(toll);
    return toll;
  }

  private count(toll: Toll, to: number, component: Int32Array): void {
    const { owner } = this.tables;
    const { counts, fate, left } = toll;
    const target = owner[to]!;
    for (let from = 0; from < owner.length; from++) {
      const node = owner[from]!;
      if (node === target || left.isDeadDevice[node]) continue;
      const end = this.follower.ends[node]!;
      if (end < 0) {
        const isCutOff = component[node] !== component[target];
        fate[to * owner.length + from] = isCutOff ? CUT_OFF : HELPED;
        counts[isCutOff ? "cut_off" : this.isExplicit ? "daemon" : "replanned"]++;
        if (end === LOOP) counts.looping++;
        mark(toll.lostOf, node, target);
      } else if (this.follower.isDetour[node]) {
        fate[to * owner.length + from] = REROUTED;
        this.countDetour(toll, to, node, end);
      } else {
        fate[to * owner.length + from] = UNTOUCHED;
        counts.untouched++;
      }
    }
  }

  private countDetour(toll: Toll, to: number, node: number, hops: number): void {
    const before = this.whole[to * this.tables.nNodes + node]!;
    const extra = before < 0 ? 0 : Math.max(0, hops - before);
    toll.counts.rerouted++;
    toll.counts.extra_hops += extra;
    toll.counts.worst_extra_hops = Math.max(toll.counts.worst_extra_hops, extra);
    mark(toll.reroutedOf, node, this.tables.owner[to]!);
  }

  /** Counts the pairs that arrive by themselves, but whose answers do not. */
  private countUnanswered({ counts, fate }: Toll): void {
    const n = this.tables.owner.length;
    for (let to = 0; to < n; to++) {
      for (let from = 0; from < n; from++) {
        if (fate[to * n + from]! >= HELPED && fate[from * n + to]! < HELPED) counts.unanswered++;
      }
    }
  }
}

function mark(of: Int32Array, a: number, b: number): void {
  of[a]!++;
  of[b]!++;
}

function none(): Counts {
  return {
    untouched: 0,
    rerouted: 0,
    replanned: 0,
    daemon: 0,
    cut_off: 0,
    looping: 0,
    unanswered: 0,
    extra_hops: 0,
    worst_extra_hops: 0,
  };
}
