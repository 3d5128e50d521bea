// The cost of the failed parts: the outcome of all connections, rate and latency of the pairs on
// another way, the worst first, and the nodes most affected.
import { type Counts, type Impact } from "../failures/core";
import { formatRate, formatTime } from "../quantities";
import { byId, button, counted, element } from "./dom";
import { type Detour, changed, detoursOf } from "./figures";
import { type Model } from "./model";
import { type State } from "./state";

const MOST_NODES = 5;
const MOST_PAIRS = 8;

type Outcome = "untouched" | "rerouted" | "recomputed" | "daemon" | "disconnected";

/** The outcomes of connections: harm first. */
const OUTCOMES: { name: Outcome; text: string }[] = [
  { name: "disconnected", text: "are disconnected" },
  { name: "daemon", text: "only with a routing daemon" },
  { name: "recomputed", text: "need recomputed tables" },
  { name: "rerouted", text: "reroute by themselves" },
  { name: "untouched", text: "untouched" },
];

/** Returns the outcomes that the design's tables allow, and the number of all connections. */
function outcomesOf(model: Model, counts: Counts) {
  // Only tables that the user wrote need a daemon; all others are recomputed.
  const never = model.written.is_explicit ? "recomputed" : "daemon";
  const outcomes = OUTCOMES.filter(({ name }) => name !== never);
  return { outcomes, total: outcomes.reduce((sum, { name }) => sum + counts[`n_${name}`], 0) };
}

/** Returns the impact in one line. */
export function costInWords(model: Model, { counts }: Impact): string {
  const { outcomes, total } = outcomesOf(model, counts);
  const affected = outcomes.filter(({ name }) => name !== "untouched" && counts[`n_${name}`] > 0);
  const words = affected.map(
    ({ name, text }) => `${counts[`n_${name}`].toLocaleString("en")} ${text}`,
  );
  const of = `of ${total.toLocaleString("en")} connections`;
  return words.length > 0 ? `${of}, ${words.join(", ")}` : "no connection is affected";
}

/** Shows the impact in its panel. */
export function showCost(model: Model, state: State, impact: Impact, note: string): void {
  const { counts } = impact;
  const { outcomes, total } = outcomesOf(model, counts);
  const bar = element("div", { class: "bar", "aria-hidden": "true" });
  const rows = outcomes.map(({ name, text }) => {
    const count = counts[`n_${name}`];
    const share = total ? count / total : 0;
    const part = element("span", { class: name });
    part.style.width = `${100 * share}%`;
    bar.append(part);
    return outcomeRow(name, text, count, share, more(name, counts));
  });
  byId("cost").replaceChildren(
    bar,
    element("table", { class: "outcomes" }, element("tbody", {}, ...rows)),
    pairs(model, state, impact),
    affected(model, state, impact),
    note ? element("p", { class: "note" }, note) : "",
  );
}

function outcomeRow(name: Outcome, text: string, count: number, share: number, more: string) {
  const isNearRound = share < 0.1 || (share > 0.99 && share < 1);
  const shown = share > 0.999 && share < 1 ? "99.9" : (100 * share).toFixed(isNearRound ? 1 : 0);
  const percent = count === 0 ? "" : `${shown} %`;
  return element(
    "tr",
    { "data-outcome": name, class: count === 0 ? "empty" : "" },
    element("td", { class: "number" }, count.toLocaleString("en")),
    element(
      "th",
      {},
      element("span", { class: `swatch ${name}` }),
      text,
      more ? element("span", { class: "more" }, more) : null,
    ),
    element("td", { class: "number share" }, percent),
  );
}

/** Returns the remark about a count. */
function more(name: Outcome, counts: Counts): string {
  if (name === "rerouted" && counts.n_rerouted > 0) {
    const mean = counts.extra_hops / counts.n_rerouted;
    if (counts.worst_extra_hops === 0) return "over as many hops";
    const worst = counted(counts.worst_extra_hops, "hop");
    return `${mean.toFixed(1)} hops more on average, ${worst} at worst`;
  }
  if ((name === "recomputed" || name === "daemon") && counts.n_looping > 0) {
    return `until then ${counts.n_looping.toLocaleString("en")} loop`;
  }
  return "";
}

function affected(model: Model, state: State, impact: Impact): HTMLElement | string {
  const { lost, rerouted } = impact.nodes;
  const nodes = [...lost.keys()]
    .filter((node) => lost[node]! + rerouted[node]! > 0)
    .sort((a, b) => lost[b]! - lost[a]! || rerouted[b]! - rerouted[a]!);
  if (nodes.length === 0) return "";
  const rows = nodes.slice(0, MOST_NODES).map((node) =>
    element(
      "tr",
      {},
      element(
        "th",
        {},
        button(model.written.names[node]!, () => look(state, node), "", "plain"),
      ),
      element("td", { class: "number" }, lost[node]!.toLocaleString("en")),
      element("td", { class: "number" }, rerouted[node]!.toLocaleString("en")),
    ),
  );
  const others = nodes.length - rows.length;
  const heading = (text: string) => element("th", { class: "number", scope: "col" }, text);
  return element(
    "div",
    { class: "affected" },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element("tr", {}, element("th", {}, "most affected"), heading("lost"), heading("rerouted")),
      ),
      element("tbody", {}, ...rows),
    ),
    others > 0 ? element("p", { class: "note" }, `and ${counted(others, "other node")}`) : "",
  );
}

function look(state: State, node: number): void {
  state.looked = { kind: "node", id: node };
  state.changed();
}

/** Returns the pairs on another way, with rate and latency before and after. */
function pairs(model: Model, state: State, impact: Impact): HTMLElement | string {
  if (!impact.worst) return "";
  const { found, isWhole } = detoursOf(model, state, impact);
  if (found.length === 0) return "";
  const others = found.length - MOST_PAIRS;
  const heading = (text: string, style = "") => element("th", { class: style, scope: "col" }, text);
  const titles = ["pair, worst first", "rate", "latency"];
  return element(
    "div",
    { class: "pairs" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...titles.map((title) => heading(title)))),
      element("tbody", {}, ...found.slice(0, MOST_PAIRS).map((one) => pairRow(model, state, one))),
    ),
    others > 0 ? element("p", { class: "note" }, `and ${counted(others, "other pair")}`) : "",
    isWhole ? "" : element("p", { class: "note" }, "More pairs are affected than were followed."),
  );
}

function pairRow({ written, owner }: Model, state: State, { pair, before, after }: Detour) {
  const show = () => {
    [state.from, state.to] = pair;
    state.isFollowing = false;
    state.changed();
  };
  const name = pair.map((address) => written.names[owner[address]!]!).join(" – ");
  const open = button(name, show, `Show the route of ${name}`, "plain");
  const latency =
    before.latency === null || !after || after.latency === null
      ? "–"
      : changed(formatTime(before.latency), formatTime(after.latency));
  const rate = after ? changed(formatRate(before.rate), formatRate(after.rate)) : null;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, open),
    ...(rate === null
      ? [element("td", { colspan: 2, class: "bad" }, `${formatRate(before.rate)} → nothing`)]
      : [element("td", {}, rate), element("td", {}, latency)]),
  );
}
