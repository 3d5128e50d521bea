// The rows of a run, beside those of the run before the last change. Values are compared as they
// are and shown in display units; metrics are named in words, or as in files on request.
import { type Child, byId, element } from "../check/dom";
import { formatBytes } from "../quantities";
import { type Recording } from "./recording";
import { valueText } from "./words";

type Row = Recording["rows"][number];

/** Ends of names that say a unit, as in linkwright.views.metric_words. */
const UNITS = /(_s|_bytes|_Bps)$/;

/** Shows the rows of a run, beside those of the run before it. */
export function showRows(
  { rows }: Recording,
  before: Recording | null,
  words: Record<string, string>,
): void {
  const old = before?.rows ?? [];
  const shown = rows.map((row) => {
    const isAlone = isOnly(row, rows);
    const detail = isAlone ? "" : detailOf(row);
    return line(row, wordsOf(row.metric, words), detail, counterpart(row, old, isAlone)?.value);
  });
  const table = byId<HTMLTableElement>("rows");
  const raw = byId<HTMLInputElement>("raw-names");
  raw.onchange = () => table.classList.toggle("raw", raw.checked);
  table.tBodies[0]!.replaceChildren(...shown);
  table.classList.toggle("has-before", before !== null);
}

/** Returns the name of a metric in words. */
function wordsOf(metric: string, words: Record<string, string>): string {
  return words[metric] ?? metric.replace(UNITS, "").replaceAll("_", " ");
}

function line(
  { metric, value, unit }: Row,
  words: string,
  detail: string,
  was?: number,
): HTMLElement {
  const isSame = was === undefined || was === value;
  const cell = (text: string, style = "") =>
    element("td", { class: style ? `number ${style}` : "number" }, text);
  return element(
    "tr",
    { "data-metric": metric, "data-value": value },
    element(
      "th",
      { scope: "row", title: metric },
      element("span", { class: "in-words" }, words),
      element("code", { class: "as-in-files" }, ...breakable(metric)),
      detail ? element("small", {}, detail) : null,
    ),
    cell(valueText(value, unit)),
    cell(was === undefined ? "" : valueText(was, unit), isSame ? "same" : ""),
    cell(isSame ? "" : changeText(value, was, unit)),
  );
}

/** Returns a name that may be broken after each underscore. */
function breakable(name: string): Child[] {
  return name.split(/(?<=_)/).flatMap((part) => [part, element("wbr")]);
}

function isOnly({ metric }: Row, rows: Row[]): boolean {
  return rows.filter((one) => one.metric === metric).length === 1;
}

/** Returns the row of the run before that says the same; sizes may differ where there is one. */
function counterpart(row: Row, old: Row[], isAlone: boolean): Row | undefined {
  const alike = old.filter(({ metric }) => metric === row.metric);
  if (isAlone && alike.length === 1) return alike[0];
  return alike.find((one) => detailOf(one) === detailOf(row));
}

/** Returns the parameter that distinguishes rows of one metric: the fault or the size. */
function detailOf({ parameters: { fault, size_bytes } }: Row): string {
  if (typeof fault === "string") return fault;
  return typeof size_bytes === "number" ? formatBytes(size_bytes) : "";
}

function changeText(value: number, was: number, unit: string): string {
  if (was === 0) return `+${valueText(value, unit)}`;
  const change = 100 * (value / was - 1);
  const digits = Math.abs(change) < 10 ? 1 : 0;
  return `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(digits)} %`;
}
