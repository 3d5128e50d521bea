// The table of all single failures, from the proof: sorted by a column, filtered by kind, cut to a
// readable number of rows, harm before harmless. Failures of equal cost are one row, which opens. A
// click on a row fails its part in the drawing.
import { byId, button, element } from "./dom";
import { type Model, type Shown, failureName } from "./model";
import { type State } from "./state";

const ROWS = 25;
const COLUMNS: { name: Shown; heading: string }[] = [
  { name: "n_disconnected", heading: "disconnected" },
  { name: "n_daemon", heading: "routing daemon" },
  { name: "n_recomputed", heading: "recomputed" },
  { name: "n_looping", heading: "loop" },
  { name: "n_unanswered", heading: "only answers lost" },
  { name: "n_rerouted", heading: "rerouted" },
  { name: "worst_extra_hops", heading: "worst detour" },
  { name: "n_untouched", heading: "untouched" },
];

/** The initial order: the costliest failure in front. */
const WORST: Shown[] = ["n_disconnected", "n_daemon", "n_recomputed", "n_rerouted"];

/** Makes the table; returns a function that marks the rows of the failed parts. */
export function makeTable(model: Model, state: State): () => void {
  const kind = byId<HTMLSelectElement>("impacts-kind");
  // Only tables that the user wrote need a daemon; all others are recomputed.
  const never = model.written.is_explicit ? "n_recomputed" : "n_daemon";
  const columns = COLUMNS.filter(({ name }) => name !== never);
  const body = byId("impacts").querySelector("tbody")!;
  // The failures that have a row of their own; null where all have.
  let opened: Set<number> | null = new Set();
  let [column, isDescending, nRows] = ["worst" as Shown | "worst" | "name", true, ROWS];
  const show = () => {
    const found = [...model.proved.keys()].filter(
      (index) => kind.value === "all" || model.proved[index]!.kind === kind.value,
    );
    // The sort is stable: failures of equal cost stay in the order of the proof.
    if (column !== "name") {
      const names = column === "worst" ? WORST : [column];
      const sign = isDescending ? -1 : 1;
      found.sort((a, b) => sign * compare(model, names, a, b));
    } else if (isDescending) found.reverse();
    const groups = grouped(model, found, opened);
    const shown = groups.slice(0, nRows);
    body.replaceChildren(...shown.map((one) => row(model, state, columns, one, open)));
    mark(model, state, body);
    const more = byId<HTMLButtonElement>("impacts-more");
    more.hidden = opened === null && groups.length <= nRows;
    if (shown.length === found.length) more.hidden = true;
    more.textContent = `Show all ${found.length.toLocaleString("en")} one by one`;
  };
  const open = (group: number[]) => {
    for (const one of group) opened?.add(one);
    show();
  };
  const headings: HTMLTableCellElement[] = [];
  const addHeading = (name: typeof column, text: string) => {
    const heading = element("th", { scope: "col", class: name === "name" ? "" : "number" });
    heading.append(
      button(text, () => {
        isDescending = column === name ? !isDescending : name !== "name";
        column = name;
        for (const other of headings) other.ariaSort = null;
        heading.ariaSort = isDescending ? "descending" : "ascending";
        show();
      }),
    );
    headings.push(heading);
  };
  addHeading("name", "failure");
  for (const { name, heading } of columns) addHeading(name, heading);
  byId("impacts").querySelector("thead tr")!.replaceChildren(...headings);
  kind.addEventListener("change", show);
  byId("impacts-more").addEventListener("click", () => {
    [nRows, opened] = [Infinity, null];
    show();
  });
  show();
  return () => mark(model, state, body);
}

/** Puts failures of one kind and of equal cost together, but for those that were opened. */
function grouped(model: Model, found: number[], opened: Set<number> | null): number[][] {
  const groups = new Map<string, number[]>();
  for (const one of found) {
    const isAlone = opened === null || opened.has(one);
    const costs = COLUMNS.map(({ name }) => model.impacts[name][one]);
    const key = isAlone ? String(one) : [model.proved[one]!.kind, ...costs].join();
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

function row(
  model: Model,
  state: State,
  columns: typeof COLUMNS,
  group: number[],
  open: (group: number[]) => void,
) {
  const index = group[0]!;
  const { kind, name, parts } = model.proved[index]!;
  const choose = () => {
    state.looked = parts.length === 1 ? parts[0]! : null;
    state.fail(parts);
    byId("network").scrollIntoView({ block: "nearest" });
  };
  const cells = columns.map((column) => {
    const count = model.impacts[column.name][index]!;
    const style = count === 0 ? "number zero" : "number";
    return element("td", { class: style }, count.toLocaleString("en"));
  });
  const label = parts.length === 1 ? failureName(model, parts[0]!) : `${kind} ${name}`;
  const others = (group.length - 1).toLocaleString("en");
  const heading = element(
    "th",
    { scope: "row" },
    button(label, choose, "", "plain"),
    group.length > 1
      ? likeIt(others, label, () => open(group))
      : null,
  );
  return element("tr", { "data-index": index }, heading, ...cells);
}

function compare({ impacts }: Model, names: Shown[], a: number, b: number): number {
  const name = names.find((one) => impacts[one][a] !== impacts[one][b]);
  return name ? impacts[name][a]! - impacts[name][b]! : 0;
}

/** Marks the rows of the failed parts. */
function mark(model: Model, state: State, body: HTMLTableSectionElement): void {
  for (const one of body.rows) {
    const { parts } = model.proved[Number(one.dataset.index)]!;
    one.classList.toggle("chosen", parts.every((part) => state.has(part)));
  }
}

/** Returns a button that opens a row of several failures. */
function likeIt(others: string, label: string, open: () => void): HTMLElement {
  return button(`and ${others} like it`, open, `Show ${others} like ${label}`, "plain others");
}
