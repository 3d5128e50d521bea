// The answer to a comparison: the cost against the time of a workload with the Pareto front, the
// networks that no other beats in both; a table; those left out, and the drawings.
import { ChartView, type CostSpec } from "../charts";
import { byId, element } from "../check/dom";
import { formatQuantity } from "../quantities";
import { makeSortable } from "../sort";
import { type Compared, type Outcomes, type Row } from "./answers";
import { headings, percent, rounded } from "./panels";
import { tableButtons } from "./taking";

/** Metrics of a workload that are the time of its run, the first of them that it has. */
const TIMES = ["time", "latency", "completion"];
const GUIDE =
  "Left and low is better; the line joins the networks that no other beats in both. A network of " +
  "fewer nodes has no place on it.";

/** Shows an answer; returns its chart, which follows the theme. */
export function showAnswer(answer: Compared, question: string): void {
  const workload = answer.workloads[0]!;
  const metric = metricOf(answer.rows, workload);
  const label = `Cost per node against ${workload} ${metric}`;
  const place = element("div", { class: "chart", id: "front", role: "img", "aria-label": label });
  const title = element("h2", {}, "Cost against time");
  byId("compare-answer").replaceChildren(
    element("section", { class: "card" }, title, note(question), note(GUIDE), place),
    element("section", { class: "card scroll" }, tableOf(answer, workload, metric)),
    takeButtons(answer),
    answer.left_out.length > 0 ? leftOut(answer) : "",
    drawings(answer.rows),
  );
  new ChartView(place).show(costs(answer, workload, metric));
}

/** Returns buttons that keep the rows, with every figure in base units. */
function takeButtons({ rows, workloads }: Compared): HTMLElement {
  const figures = workloads.flatMap((workload) => {
    const metrics = new Set(rows.flatMap((row) => Object.keys(row.figures[workload] ?? {})));
    return [...metrics].map((metric) => ({ workload, metric, heading: `${workload} ${metric}` }));
  });
  const fixed = ["network", "nodes", "cost_per_node", "cost_per_node_units_bought", "currency"];
  const ranges = ["latency_us_best", "latency_us_worst", "bisection_MBps_per_node"];
  const outcomes = ["failures_tried", "heal", "need_new_tables", "cut_off"];
  const cells = rows.map((row) => [
    ...[row.architecture, row.nodes, row.cost_per_node, row.cost_per_node_units_bought],
    ...[row.currency, row.latency_us.best, row.latency_us.worst, row.bisection_MBps_per_node],
    ...[row.failures.tried, row.failures.heal, row.failures.need_new_tables, row.failures.cut_off],
    ...figures.map(({ workload, metric }) => row.figures[workload]?.[metric] ?? null),
  ]);
  const headings = [...fixed, ...ranges, ...outcomes, ...figures.map(({ heading }) => heading)];
  return tableButtons("comparison", headings, cells);
}

function tableOf(answer: Compared, workload: string, metric: string): HTMLElement {
  const cell = (value: number | null | undefined, text: string) =>
    element("td", { class: "number", "data-value": value ?? "" }, value == null ? "–" : text);
  const most = Math.max(...answer.rows.map(({ nodes }) => nodes));
  const rows = answer.rows.map((row) => {
    const time = row.figures[workload]?.[metric];
    return element(
      "tr",
      row.nodes < most ? { "data-smaller": "" } : {},
      element("th", { scope: "row" }, row.architecture),
      cell(row.nodes, String(row.nodes)),
      cell(row.cost_per_node, rounded(row.cost_per_node ?? 0)),
      cell(row.cost_per_node_units_bought, rounded(row.cost_per_node_units_bought ?? 0)),
      cell(time, formatQuantity(time ?? 0, "s")),
      cell(row.latency_us.worst, `${rounded(row.latency_us.worst ?? 0)} µs`),
      cell(row.bisection_MBps_per_node, `${rounded(row.bisection_MBps_per_node ?? 0)} MB/s`),
      ...outcomes(row.failures).map((share) => cell(share, percent(share ?? 0))),
    );
  });
  const head = headings(
    ["network", ""],
    ["nodes", "number"],
    ["cost per node, ports", "number"],
    ["units bought", "number"],
    [`${workload}: ${metric}`, "number"],
    ["latency, worst", "number"],
    ["bisection per node", "number"],
    ["failures that heal", "number"],
    ["need new tables", "number"],
    ["cut nodes off", "number"],
  );
  head.querySelectorAll("th").forEach((one, at) => one.setAttribute("data-sort", String(at)));
  const table = element("table", { class: "sortable" }, head, element("tbody", {}, ...rows));
  makeSortable(table);
  return table;
}

/** Returns the shares of the outcomes of single failures; null where they are unknown. */
function outcomes({ tried, heal, need_new_tables, cut_off }: Outcomes): (number | null)[] {
  const share = (n: number | null) => (n === null ? null : n / (tried || 1));
  return [heal, need_new_tables, cut_off].map(share);
}

/** Returns the data of cost against time; a network of fewer nodes answers another question. */
function costs({ rows }: Compared, workload: string, metric: string): CostSpec {
  const most = Math.max(...rows.map(({ nodes }) => nodes));
  const times = rows.map(({ figures }) => figures[workload]?.[metric] ?? null);
  return {
    id: "front",
    kind: "cost",
    currency: rows[0]?.currency ?? "",
    names: rows.map(({ architecture }) => architecture),
    is_smaller: rows.map(({ nodes }) => nodes < most),
    prices: [{ name: "ports used", values: rows.map((row) => row.cost_per_node ?? 0) }],
    durations: [{ name: `${workload}: ${metric}`, values: times }],
  };
}

function leftOut({ left_out }: Compared): HTMLElement {
  const items = left_out.map(({ name, reason }) =>
    element("li", {}, element("b", {}, name), `: ${reason}`),
  );
  const list = element("ul", {}, ...items);
  return element("section", { class: "card" }, element("h2", {}, "Left out"), list);
}

function note(text: string): HTMLElement {
  return element("p", { class: "note" }, text);
}

function metricOf(rows: Row[], workload: string): string {
  const known = new Set(rows.flatMap((row) => Object.keys(row.figures[workload] ?? {})));
  return TIMES.find((name) => known.has(name)) ?? "time";
}

function drawings(rows: Row[]): HTMLElement {
  const figures = rows
    .filter(({ svg }) => svg)
    .map(({ architecture, svg }) => {
      const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      const drawing = document.importNode(parsed, true);
      const caption = element("figcaption", {}, element("h3", {}, architecture));
      return element("figure", { class: "card drawing" }, caption, drawing);
    });
  return element("div", { class: "drawings" }, ...figures);
}
