// The formulas by which a workload reads its figures (linkwright.workloads.readings) from the marks
// that ranks passed and from the datagrams of a run. Every number is computed as in Python,
// operation by operation, so that it is the same to the bit.
import { type Recording } from "./recording";

/** A number, or an operation; see `Formula` in linkwright.workloads.readings. */
export type Formula = number | [string, ...unknown[]];

/** The datagrams between ranks of the workload; `received` is NaN for those that were lost. */
export interface Datagrams {
  source: Uint32Array;
  sent: Float64Array;
  received: Float64Array;
}

/** The data that formulas read. */
export interface Read {
  marks: Recording["marks"];
  datagrams: Datagrams;
}

/** Operators that read marks or datagrams. */
const READERS: Record<string, (read: Read, ...given: never[]) => number> = {
  first: ({ marks }, mark: number, rank: number | null) => passes(marks, mark, rank)[0] ?? NaN,
  last: ({ marks }, mark: number, rank: number | null) => passes(marks, mark, rank).at(-1) ?? NaN,
  mean: ({ marks }, mark: number) => meanOf(passes(marks, mark, null)),
  longest: ({ marks }, begin: number, end: number) =>
    longest(timesByRank(marks, begin), timesByRank(marks, end)),
  "late pass": ({ marks }, begin: number, end: number) =>
    latePass(timesByRank(marks, begin), timesByRank(marks, end)),
  "linear from": (read, ...steps: Step[]) => linearFrom(steps, read),
  sent: ({ datagrams }, source: number | null) => nSent(datagrams, source),
  arrived: ({ datagrams }, source: number | null) => nArrived(datagrams, source),
  "last arrival": ({ datagrams }) => lastArrival(datagrams),
  goodput: ({ datagrams }, bytes: number) => goodput(datagrams, bytes),
  "mean latency": ({ datagrams }) => meanOf(latencies(datagrams)),
  "latency percentile": ({ datagrams }, perCent: number) =>
    percentile(latencies(datagrams).sort(), perCent),
};

/** Operators of numbers. */
const OPERATORS: Record<string, (...values: number[]) => number> = {
  "+": (left, right) => left! + right!,
  "-": (left, right) => left! - right!,
  "*": (left, right) => left! * right!,
  "/": (left, right) => left! / right!,
  least: Math.min,
  greatest: Math.max,
};

/** Returns the value of a formula; NaN for one that there is not. */
export function valueOf(formula: Formula, read: Read): number {
  if (typeof formula === "number") return formula;
  const [operator, ...given] = formula;
  const reader = READERS[operator];
  if (reader) return reader(read, ...(given as never[]));
  const compute = OPERATORS[operator];
  if (!compute) throw new Error(`There is no operator ${operator}.`);
  return compute(...given.map((one) => valueOf(one as Formula, read)));
}

/** Returns the times of the first and the last mark that a formula reads; null if it reads none. */
export function spanOf(formula: Formula, read: Read): [number, number] | null {
  const times = timesIn(formula, read).filter((time) => !Number.isNaN(time));
  return times.length > 0 ? [Math.min(...times), Math.max(...times)] : null;
}

function timesIn(formula: Formula, read: Read): number[] {
  if (typeof formula === "number") return [];
  const [operator, ...given] = formula;
  if (["first", "last", "mean"].includes(operator)) return [valueOf(formula, read)];
  if (["longest", "late pass"].includes(operator)) {
    const [begin, end] = given as [number, number];
    return [passes(read.marks, begin, null)[0] ?? NaN, passes(read.marks, end, null).at(-1) ?? NaN];
  }
  if (operator in READERS) return [];
  return given.flatMap((one) => timesIn(one as Formula, read));
}

/** Returns the times at which a mark was passed, by one rank or by all; they are in order. */
function passes(marks: Recording["marks"], mark: number, rank: number | null): Float64Array {
  return marks.time.filter(
    (_, row) => marks.mark[row] === mark && (rank === null || marks.rank[row] === rank),
  );
}

function meanOf(values: Float64Array): number {
  return sum(values) / values.length;
}

/** Returns the times at which each rank passed a mark. */
function timesByRank(marks: Recording["marks"], mark: number): number[][] {
  const times: number[][] = [];
  marks.mark.forEach((one, row) => {
    if (one === mark) (times[marks.rank[row]!] ??= []).push(marks.time[row]!);
  });
  return times;
}

/** Returns the longest span of a rank. */
function longest(begins: number[][], ends: number[][]): number {
  return Math.max(...ends.map((times, rank) => times[0]! - begins[rank]![0]!));
}

/** Returns the mean length of the last half of the passes of a loop, as NumPy computes it: the
 * mean end of each pass over the ranks, then the differences. */
function latePass(begins: number[][], ends: number[][]): number {
  const n = begins.length;
  const all = ends.map((times, rank) => [begins[rank]![0]!, ...times]);
  const means = all[0]!.map((_, pass) => all.reduce((total, times) => total + times[pass]!, 0) / n);
  const passes = Float64Array.from(means.slice(1), (end, pass) => end - means[pass]!);
  const late = passes.subarray(Math.floor(passes.length / 2));
  return sum(late) / late.length;
}

/** Two neighbouring sizes: the smaller one, the factor by which its time grows at least, and the
 * time of each. */
type Step = [number, number, Formula, Formula];

/** Returns the size from which on all times grow by their factors, NaN if the last does not. */
function linearFrom(steps: Step[], read: Read): number {
  let found = NaN;
  for (const [size, factor, small, large] of steps.reverse()) {
    if (valueOf(large, read) / valueOf(small, read) < factor) break;
    found = size;
  }
  return found;
}

/** Returns the sum of some numbers, added in the order in which NumPy adds them: in halves above
 * 128, eight at a time below. */
function sum(values: Float64Array): number {
  const n = values.length;
  if (n < 8) return values.reduce((total, value) => total + value, 0);
  if (n > 128) {
    const half = Math.floor(n / 2) - (Math.floor(n / 2) % 8);
    return sum(values.subarray(0, half)) + sum(values.subarray(half));
  }
  const r = Array.from(values.subarray(0, 8));
  let at = 8;
  for (; at + 8 <= n; at += 8) {
    for (let lane = 0; lane < 8; lane++) r[lane]! += values[at + lane]!;
  }
  let total = r[0]! + r[1]! + (r[2]! + r[3]!) + (r[4]! + r[5]! + (r[6]! + r[7]!));
  for (; at < n; at++) total += values[at]!;
  return total;
}

function nSent({ source }: Datagrams, from: number | null): number {
  return from === null ? source.length : source.filter((one) => one === from).length;
}

function nArrived({ source, received }: Datagrams, from: number | null): number {
  let n = 0;
  received.forEach((time, row) => {
    if (!Number.isNaN(time) && (from === null || source[row] === from)) n++;
  });
  return n;
}

/** Returns when the last datagram had arrived, 0 if none did. */
function lastArrival({ received }: Datagrams): number {
  return received.reduce((last, time) => (time > last ? time : last), 0);
}

function goodput(datagrams: Datagrams, bytes: number): number {
  const last = lastArrival(datagrams);
  return last > 0 ? (nArrived(datagrams, null) * bytes) / last : 0;
}

function latencies({ sent, received }: Datagrams): Float64Array {
  return received.map((time, row) => time - sent[row]!).filter((one) => !Number.isNaN(one));
}

/** Returns a percentile of sorted values as NumPy does, between the two values next to it. */
function percentile(values: Float64Array, perCent: number): number {
  const place = (values.length - 1) * (perCent / 100);
  const before = Math.floor(place);
  const share = place - before;
  const after = Math.min(before + 1, values.length - 1);
  const [low, high] = [values[before] ?? NaN, values[after] ?? NaN];
  const apart = high - low;
  return share < 0.5 ? low + apart * share : high - apart * (1 - share);
}
