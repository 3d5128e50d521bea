// The panels of what follows from a design: findings, bill, failures. Each has a state that is read
// and seen: computing, ready, failed or cancelled.
import { byId, counted, element } from "../check/dom";
import { formatQuantity } from "../quantities";
import { type Checked, type Connectivity, type Price, type Rerouting } from "./answers";

export type PanelState = "computing" | "ready" | "failed" | "cancelled" | "";

const WORDS: Record<PanelState, string> = {
  computing: "computing …",
  ready: "ready",
  failed: "failed",
  cancelled: "cancelled",
  "": "",
};

/** Shows the state of the panel of an id, with the reason of a failure. */
export function setState(id: string, state: PanelState, reason = ""): void {
  const panel = byId(id);
  const place = panel.querySelector<HTMLElement>(".state") ?? panel;
  place.textContent = WORDS[state];
  place.dataset.state = state;
  panel.classList.toggle("stale", state === "computing" || state === "cancelled");
  panel.querySelector(":scope > .reason")?.remove();
  if (reason) panel.append(element("p", { class: "reason" }, reason));
}

/** Empties the panels: what they say is about another design. */
export function clear(): void {
  for (const id of ["panel-findings", "panel-price", "panel-failures"]) body(id).replaceChildren();
}

function body(id: string): HTMLElement {
  return byId(id).querySelector<HTMLElement>(".body")!;
}

export function showFindings({ findings }: Checked): void {
  const items = findings.map(({ severity, place, reason, fix }) =>
    element(
      "li",
      {},
      element("span", { class: `severity ${severity}` }, severity),
      " ",
      element("b", {}, place),
      `: ${reason}`,
      fix ? element("span", { class: "note" }, ` Remedy: ${fix}.`) : null,
    ),
  );
  if (items.length === 0) items.push(element("li", {}, "Nothing to report."));
  body("panel-findings").replaceChildren(element("ul", { class: "findings" }, ...items));
}

export function showPrice(price: Price): void {
  const money = (value: number) => `${rounded(value)} ${price.currency}`;
  const rows = price.lines.map((line) =>
    element(
      "tr",
      { title: `${line.part}, ${line.source}, ${line.date}` },
      element("td", { class: "number" }, rounded(line.quantity)),
      element("th", { scope: "row" }, line.item, element("small", {}, line.name)),
      element("td", { class: "number" }, rounded(line.unit_price)),
      element("td", { class: "number" }, rounded(line.total)),
    ),
  );
  const table = element(
    "table",
    { class: "bill" },
    headings(["", "number"], ["item", ""], ["each", "number"], ["total", "number"]),
    element("tbody", {}, ...rows),
  );
  body("panel-price").replaceChildren(
    figures([
      ["per node, units bought", money(price.units_bought_per_node)],
      ["per node, ports used", money(price.ports_used_per_node)],
      ["in all", money(price.total)],
    ]),
    table,
    element("p", { class: "note" }, "Nodes are not part of the bill."),
  );
}

export function showConnectivity(found: Connectivity): void {
  const rows = Object.entries(found.kinds).map(([kind, { n_failures, n_survived }]) =>
    outcomeRow(kind, null, null, n_failures - n_survived),
  );
  body("panel-failures").replaceChildren(
    element("div", { id: "outcomes" }),
    figures([
      ["diameter", counted(found.diameter_hops, "hop")],
      ["forwards, mean", rounded(found.forwards_mean)],
      ["bisection per node", formatQuantity(found.bisection_Bps_per_node, "B/s")],
    ]),
    element("div", { id: "outcomes-by-kind" }, outcomeTable(rows)),
  );
}

/** Shows the outcomes of all single failures by kind, once every pair of nodes was followed. */
export function showRerouting({ kinds, outcomes }: Rerouting): void {
  const rows = kinds.map((one) =>
    outcomeRow(one.kind, one.n_by_itself, one.n_recomputed + one.n_daemon, one.n_disconnected),
  );
  document.getElementById("outcomes-by-kind")?.replaceChildren(outcomeTable(rows));
  const share = (n: number | null) => (n === null ? "–" : percent(n / (outcomes.tried || 1)));
  const { heal, need_new_tables, cut_off } = outcomes;
  document.getElementById("outcomes")?.replaceChildren(
    figures([
      ["failures that heal by themselves", share(heal)],
      ["need new tables", share(need_new_tables)],
      ["cut nodes off", share(cut_off)],
    ]),
  );
}

function outcomeTable(rows: HTMLElement[]): HTMLElement {
  return element(
    "table",
    {},
    headings(
      ["failures of one", ""],
      ["heal by themselves", "number"],
      ["need new tables", "number"],
      ["cut nodes off", "number"],
    ),
    element("tbody", {}, ...rows),
  );
}

function outcomeRow(kind: string, ...counts: (number | null)[]): HTMLElement {
  const cell = (count: number | null) =>
    element("td", { class: "number" }, count === null ? "–" : count.toLocaleString("en"));
  const name = kind === "nic" ? "NIC" : kind;
  return element("tr", {}, element("th", { scope: "row" }, name), ...counts.map(cell));
}

export function headings(...all: [text: string, style: string][]): HTMLElement {
  const cells = all.map(([text, style]) => element("th", { scope: "col", class: style }, text));
  return element("thead", {}, element("tr", {}, ...cells));
}

function figures(all: [string, string][]): HTMLElement {
  const parts = all.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  return element("dl", { class: "figures" }, ...parts);
}

/** Returns a part of a whole in percent; one that is not nothing or all is not rounded to it. */
export function percent(share: number): string {
  const value = Number((100 * share).toFixed(1));
  return `${share > 0 && share < 1 ? Math.min(Math.max(value, 0.1), 99.9) : value} %`;
}

export function rounded(value: number): string {
  const few = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return few.toLocaleString("en");
}
