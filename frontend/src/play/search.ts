// Searching columns that are sorted by time. Nothing here looks at all rows, so that a frame of the
// animation costs the same in a long run as in a short one.

/** Returns the number of times up to and including a time. */
export function countUntil(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of a table by lane (a port, a node, a rank), each lane's rows in order of time. */
export class Lanes {
  readonly rows: Uint32Array;
  private readonly first: Uint32Array;

  constructor(
    lane: Uint32Array,
    readonly nLanes: number,
  ) {
    this.first = new Uint32Array(nLanes + 1);
    for (const one of lane) if (one < nLanes) this.first[one + 1]!++;
    for (let one = 0; one < nLanes; one++) this.first[one + 1]! += this.first[one]!;
    const next = this.first.slice();
    this.rows = new Uint32Array(this.first[nLanes]!);
    for (let row = 0; row < lane.length; row++) {
      const one = lane[row]!;
      if (one < nLanes) this.rows[next[one]!++] = row;
    }
  }

  /** Returns the rows of a lane. */
  of(lane: number): Uint32Array {
    return this.rows.subarray(this.first[lane]!, this.first[lane + 1]!);
  }

  /** Returns the place in `rows` after the last row of a lane whose time is not later; the lane's
   * first place where there is none. */
  after(lane: number, times: Float64Array, time: number): number {
    let [low, high] = [this.first[lane]!, this.first[lane + 1]!];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (times[this.rows[middle]!]! <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the last row of a lane whose time is not later, -1 where there is none. */
  last(lane: number, times: Float64Array, time: number): number {
    const place = this.after(lane, times, time);
    return place > this.first[lane]! ? this.rows[place - 1]! : -1;
  }
}

/** Intervals sorted by their starts, of any length. */
export class Intervals {
  /** The latest end up to each row: it never falls, so that it can be searched. */
  private readonly latest: Float64Array;

  constructor(
    private readonly start: Float64Array,
    private readonly end: Float64Array,
  ) {
    let latest = -Infinity;
    this.latest = end.map((one) => (latest = Math.max(latest, one)));
  }

  /** Calls `use` with each row that overlaps a span of time. */
  overlapping(from: number, to: number, use: (row: number) => void): void {
    for (let row = countUntil(this.latest, from); row < this.start.length; row++) {
      if (this.start[row]! > to) return;
      if (this.end[row]! > from) use(row);
    }
  }

  /** Returns an upper bound of the number of rows that overlap a span of time. */
  most(from: number, to: number): number {
    return Math.max(0, countUntil(this.start, to) - countUntil(this.latest, from));
  }
}

/** How busy each lane is in each of equal spans of the run, from 0 to 1. */
export class Bins {
  private readonly busy: Float32Array;
  readonly span: number;

  constructor(
    nLanes: number,
    readonly nBins: number,
    end: number,
  ) {
    this.busy = new Float32Array(nLanes * nBins);
    this.span = Math.max(end, Number.MIN_VALUE) / nBins;
  }

  /** Adds an interval during which a lane is busy. */
  add(lane: number, start: number, end: number): void {
    const last = Math.min(this.nBins - 1, Math.floor(end / this.span));
    for (let bin = Math.max(0, Math.floor(start / this.span)); bin <= last; bin++) {
      const from = Math.max(start, bin * this.span);
      const until = Math.min(end, (bin + 1) * this.span);
      this.busy[lane * this.nBins + bin]! += Math.max(0, until - from) / this.span;
    }
  }

  /** Returns how busy a lane is over a span of time, on average. */
  mean(lane: number, from: number, to: number): number {
    const first = Math.min(this.nBins - 1, Math.max(0, Math.floor(from / this.span)));
    const last = Math.min(this.nBins - 1, Math.max(first, Math.ceil(to / this.span) - 1));
    let sum = 0;
    for (let bin = first; bin <= last; bin++) sum += this.busy[lane * this.nBins + bin]!;
    return sum / (last - first + 1);
  }
}
