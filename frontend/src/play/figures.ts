// The rows of a run as `linkwright simulate` prints them: formulas of the workload over the marks,
// the costs of faults, and the engine's figures. Python writes the formulas
// (linkwright.workloads.readings) and names into the packed run; formulas.ts computes them.
import { type Datagrams, type Formula, spanOf, valueOf } from "./formulas";
import { type Words } from "./errors";
import { type PulledPart, type Recording } from "./recording";

interface Reading {
  metric: string;
  unit: string;
  parameters: Record<string, unknown>;
  formula: Formula;
}

/** Python's description of a run (linkwright.engines.playing). */
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
  /** The words of the reasons why a run does not finish. */
  errors: Words;
  names: { cable: string[]; nic: Record<string, string>; device: string[] };
}

/** The cost of each fault. */
export type Costs = Record<CostColumn, Float64Array>;

/** Counters that only the rows need. */
export interface Counted {
  costs: Costs;
  datagrams: Datagrams;
}

type CostColumn = "framesLost" | "stalled" | "unrecovered" | "longestStallS";

type Row = Recording["rows"][number];

/** A recording whose rows are not known yet. */
type Kept = Omit<Recording, "rows" | "spans">;

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

/** Returns the rows of a run, and the span of each figure of the workload. */
export function rowsOf(
  header: Header,
  program: number,
  pulled: PulledPart[] | null,
  recording: Kept,
  { costs, datagrams }: Counted,
): Pick<Recording, "rows" | "spans"> {
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
  const read = { marks, datagrams };
  // A figure that there is not, such as the latency of nothing, has no row.
  const known = (readings ?? []).filter(({ formula }) => !Number.isNaN(valueOf(formula, read)));
  const measured = known.map((one) =>
    row(one.metric, valueOf(one.formula, read), one.unit, one.parameters),
  );
  const lost = header.reasons.map((reason) => row(reason, figures[reason]!, "1", parameters));
  const perFault = texts.flatMap((fault, index) =>
    header.costs.map(([metric, column, unit]) =>
      row(metric, costs[camel(column)]![index]!, unit, { ...parameters, fault }),
    ),
  );
  // Figures that only measured runs have are none of the engine.
  const ofEngine = Object.entries(header.figures)
    .filter(([metric]) => metric in figures)
    .map(([metric, unit]) => row(metric, figures[metric]!, unit, parameters));
  const rows = [...measured, ...(texts.length > 0 ? [...lost, ...perFault] : []), ...ofEngine];
  return { rows, spans: spansOf(known, read) };
}

/** Returns the times between which each figure is read. */
function spansOf(known: Reading[], read: Parameters<typeof spanOf>[1]): Recording["spans"] {
  const found = known.flatMap(({ formula }, row) => {
    const span = spanOf(formula, read);
    return span ? [{ row, span }] : [];
  });
  return {
    row: Uint32Array.from(found, ({ row }) => row),
    from: Float64Array.from(found, ({ span }) => span[0]),
    to: Float64Array.from(found, ({ span }) => span[1]),
  };
}

function camel(column: string): CostColumn {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CostColumn;
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
