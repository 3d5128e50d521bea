// A recording made ready for playing: its rows by lane, how busy everything is over time, and the
// moments at which a step stops. Made once per run.
import { type Fabric } from "../failures/fabric";
import { ARRIVED, NONE, type Recording } from "./recording";
import { Bins, Intervals, Lanes, countUntil } from "./search";

const MOST_BINS = 2048;
const MOST_SHARES = 4_000_000;
const SAMPLE = 5000;
/** Kinds of work on a processor. */
export const N_WORKS = 6;

/** The kind of moment that a step goes to. */
export type Stop = "trouble" | "message" | "frame" | "mark";

export class Run {
  /** Frames on wires, by direction of a link: twice its number, one more from its end B. */
  readonly wires: Bins;
  /** Work of processors: six lanes per node. */
  readonly processors: Bins;
  readonly queues: Lanes;
  readonly work: Lanes;
  readonly ranks: Lanes;
  readonly windows: Lanes;
  readonly messages: Intervals;
  readonly collisions: Intervals;
  /** The longest time that a frame takes, and a typical one. */
  readonly longest: number;
  readonly usual: number;
  readonly mostBytes: number;
  readonly mostQueued: number;
  /** The frames that did not arrive, by their ends. */
  readonly lost: { rows: Uint32Array; time: Float64Array };
  readonly stops: Record<Stop, Float64Array>;

  constructor(
    readonly recording: Recording,
    readonly fabric: Fabric,
    readonly nRanks: number,
  ) {
    const { frames, queues, work, ranks, messages, windows, connections, collisions } = recording;
    const nPorts = fabric.deviceOf.length;
    this.queues = new Lanes(queues.port, nPorts);
    this.work = new Lanes(work.node, fabric.nNodes);
    this.ranks = new Lanes(ranks.rank, nRanks);
    this.windows = new Lanes(windows.connection, connections.from.length);
    this.messages = new Intervals(messages.start, messages.end);
    this.collisions = new Intervals(collisions.time, collisions.until);
    this.mostBytes = most(frames.bytes);
    this.mostQueued = most(queues.bytes);
    const lengths = frames.end.map((end, row) => end - frames.start[row]!);
    this.longest = most(lengths);
    this.usual = usualOf(lengths);
    this.wires = this.wiresOf();
    this.processors = this.processorsOf();
    this.lost = lostOf(recording);
    this.stops = stopsOf(recording, this.lost.time);
  }

  /** Returns the lane of a wire's direction, -1 where the port has no cable. */
  direction(port: number): number {
    const link = this.fabric.linkOf[port]!;
    return link < 0 ? -1 : 2 * link + (this.fabric.linkB[link] === port ? 1 : 0);
  }

  /** Returns the first frame that may be on a wire after a time. */
  firstFrame(time: number): number {
    return countUntil(this.recording.frames.start, time);
  }

  /** Returns the next or the last stop before a time; null where there is none. */
  stop(kind: Stop, time: number, isBack: boolean): number | null {
    const times = this.stops[kind];
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBack ? times[middle]! < time : times[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return times[isBack ? low - 1 : low] ?? null;
  }

  private wiresOf(): Bins {
    const { frames, end } = this.recording;
    const nLanes = 2 * this.fabric.linkA.length;
    const bins = new Bins(nLanes, binsOf(nLanes), end);
    for (let row = 0; row < frames.start.length; row++) {
      const lane = this.direction(frames.from[row]!);
      if (lane >= 0) bins.add(lane, frames.start[row]!, frames.end[row]!);
    }
    return bins;
  }

  private processorsOf(): Bins {
    const { work, end } = this.recording;
    const nLanes = N_WORKS * this.fabric.nNodes;
    const bins = new Bins(nLanes, binsOf(nLanes), end);
    for (let row = 0; row < work.start.length; row++) {
      const lane = N_WORKS * work.node[row]! + work.kind[row]!;
      bins.add(lane, work.start[row]!, work.end[row]!);
    }
    return bins;
  }
}

/** Returns a length longer than most acknowledgements, from a sample. */
function usualOf(lengths: Float64Array): number {
  const every = Math.ceil(lengths.length / SAMPLE);
  const sample = lengths.filter((_, row) => row % every === 0).sort();
  return sample[Math.floor(0.7 * sample.length)] ?? 0;
}

function binsOf(nLanes: number): number {
  return Math.max(64, Math.min(MOST_BINS, Math.floor(MOST_SHARES / Math.max(1, nLanes))));
}

function lostOf({ frames }: Recording): Run["lost"] {
  const found: number[] = [];
  for (let row = 0; row < frames.fate.length; row++) {
    if (frames.fate[row] !== ARRIVED) found.push(row);
  }
  found.sort((a, b) => frames.end[a]! - frames.end[b]!);
  const rows = Uint32Array.from(found);
  return { rows, time: Float64Array.from(rows, (row) => frames.end[row]!) };
}

function stopsOf(recording: Recording, lost: Float64Array): Run["stops"] {
  const { collisions, timeouts, faults, frames, messages, marks } = recording;
  const trouble = [...collisions.time, ...lost, ...timeouts.time, ...faults.time];
  return {
    trouble: Float64Array.from(trouble).sort(),
    message: messages.end.slice().sort(),
    frame: frames.start,
    mark: marks.time.slice().sort(),
  };
}

function most(values: Float64Array | Uint32Array): number {
  let found = 0;
  for (const value of values) if (value > found && value !== NONE) found = value;
  return found;
}
