// The rows of a run as `linkwright simulate` prints them: formulas of the workload over the marks,
// the costs of faults, and the engine's figures. Python writes the formulas
// (linkwright.workloads.readings) and names into the packed run; every number is computed as there,
// operation by operation.
import { type PulledPart, type Recording } from "./recording";

/** A number, or an operation; see `Formula` in linkwright.workloads.readings. */
type Formula = number | [string, ...unknown[]];

interface Reading {
  metric: string;
  unit: string;
  parameters: Record<string, unknown>;
  formula: Formula;
}

/** What Python says about a run (linkwright.engines.playing). */
export interface Header {
  seed: string;
  seed_moves_ranks: boolean;
  /** `readings` is null where the figures of a workload are no formulas. */
  programs: { parameters: Record<string, unknown>; readings: Reading[] | null }[];
  /** Settings that are in every row. */
  conditions: Record<string, unknown>;
  /** The faults of the run as it was packed. */
  faults: { text: string; part: string; from_s: number; until_s: number | null }[];
  /** Unit of each figure of the engine. */
  figures: Record<string, string>;
  /** Counts of frames lost by faults, and metric, column and unit of the costs of each. */
  reasons: string[];
  costs: [string, string, string][];
  names: { cable: string[]; nic: Record<string, string>; device: string[] };
}

/** The cost of each fault. */
export type Costs = Record<CostColumn, Float64Array>;

type CostColumn = "framesLost" | "stalled" | "unrecovered" | "longestStallS";

type Row = Recording["rows"][number];

/** Digits of a time in a fault's text. */
const DIGITS = 12;

/** Returns a part that is pulled and put back at times that its text can say. */
export function rounded(part: PulledPart): PulledPart {
  const time = Number(part.time.toPrecision(DIGITS));
  const { until } = part;
  return until === undefined ? { ...part, time } : { ...part, time, until: said(until) };
}

function said(seconds: number): number {
  return Number(seconds.toPrecision(DIGITS));
}

/** Returns when parts fail and return; without `pulled` those of the run. */
export function faultsOf(header: Header, pulled: PulledPart[] | null): Recording["faults"] {
  const outages = pulled
    ? pulled.map((one) => ({ part: nameOf(header, one), from: one.time, until: one.until }))
    : header.faults.map(({ part, from_s, until_s }) => ({ part, from: from_s, until: until_s }));
  const changes = outages.flatMap(({ part, from, until }) => [
    { part, time: from, isRepair: 0 },
    ...(until === undefined || until === null ? [] : [{ part, time: until, isRepair: 1 }]),
  ]);
  changes.sort((one, other) => one.time - other.time);
  return {
    part: changes.map(({ part }) => part),
    time: Float64Array.from(changes, ({ time }) => time),
    isRepair: Uint8Array.from(changes, ({ isRepair }) => isRepair),
  };
}

/** Returns the rows of a run. */
export function rowsOf(
  header: Header,
  program: number,
  pulled: PulledPart[] | null,
  recording: Recording,
  costs: Costs,
): Row[] {
  const { parameters, readings } = header.programs[program]!;
  const texts = pulled?.map((part) => textOf(header, part)) ?? header.faults.map((one) => one.text);
  const { marks, figures } = recording;
  const under = { ...(texts.length > 0 && { faults: texts }), ...header.conditions };
  const row = (metric: string, value: number, unit: string, own: Record<string, unknown>): Row => ({
    metric,
    value,
    unit,
    parameters: { ...own, ...under },
  });
  const measured = (readings ?? [])
    .map((one) => row(one.metric, valueOf(one.formula, marks), one.unit, one.parameters))
    .filter(({ value }) => !Number.isNaN(value));
  const lost = header.reasons.map((reason) => row(reason, figures[reason]!, "1", parameters));
  const perFault = texts.flatMap((fault, index) =>
    header.costs.map(([metric, column, unit]) =>
      row(metric, costs[camel(column)]![index]!, unit, { ...parameters, fault }),
    ),
  );
  const ofEngine = Object.entries(header.figures).map(([metric, unit]) =>
    row(metric, figures[metric]!, unit, parameters),
  );
  return [...measured, ...(texts.length > 0 ? [...lost, ...perFault] : []), ...ofEngine];
}

function camel(column: string): CostColumn {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CostColumn;
}

/** Returns the value of a formula; NaN for a size that is not there. */
function valueOf(formula: Formula, marks: Recording["marks"]): number {
  if (typeof formula === "number") return formula;
  const [operator, ...given] = formula;
  if (operator === "first" || operator === "last" || operator === "mean") {
    const [mark, rank] = given as [number, number | null];
    const times = marks.time.filter(
      (_, row) => marks.mark[row] === mark && (rank === null || marks.rank[row] === rank),
    );
    // The marks are in order of time.
    if (operator === "mean") return sum(times) / times.length;
    return times.at(operator === "first" ? 0 : -1) ?? NaN;
  }
  if (operator === "longest" || operator === "late pass") {
    const [begin, end] = given as [number, number];
    const ranks = [timesByRank(marks, begin), timesByRank(marks, end)] as const;
    return operator === "longest" ? longest(...ranks) : latePass(...ranks);
  }
  if (operator === "linear from") return linearFrom(given as Step[], marks);
  const values = given.map((one) => valueOf(one as Formula, marks));
  const [left, right] = values as [number, number];
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "least":
      return Math.min(...values);
    case "greatest":
      return Math.max(...values);
    default:
      throw new Error(`There is no operator ${operator}.`);
  }
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
function linearFrom(steps: Step[], marks: Recording["marks"]): number {
  let found = NaN;
  for (const [size, factor, small, large] of steps.reverse()) {
    if (valueOf(large, marks) / valueOf(small, marks) < factor) break;
    found = size;
  }
  return found;
}

/** Returns the sum of some numbers, added in the order in which NumPy adds them: in halves above
 * 128, eight at a time below. */
export function sum(values: Float64Array): number {
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

/** Returns the name of a part as faults name it. */
function nameOf({ names }: Header, { kind, id }: PulledPart): string {
  const ofKind: Record<number, string> =
    kind === "cable" ? names.cable : kind === "nic" ? names.nic : names.device;
  const name = ofKind[id];
  return `${kind}:${name}`;
}

/** Returns a pulled part as the text of a fault (linkwright.faults). */
function textOf(header: Header, part: PulledPart): string {
  const { time, until } = part;
  const down = time === 0 ? "down" : `down at ${secondsText(time)}`;
  const up = until === undefined ? "" : ` up at ${secondsText(until)}`;
  return `${nameOf(header, part)} ${down}${up}`;
}

/** Returns seconds in up to twelve digits, as `%.12g` of Python writes them. */
function secondsText(seconds: number): string {
  const value = said(seconds);
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < DIGITS) return `${value}s`;
  const [digits, power] = value.toExponential().split("e") as [string, string];
  const sign = power.startsWith("-") ? "-" : "+";
  return `${digits}e${sign}${power.slice(1).padStart(2, "0")}s`;
}
