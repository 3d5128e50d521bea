// Several designs side by side: a table, and their cost against the time of a workload with the
// Pareto front, the networks that no other beats in both.
import { Chart, type CostSpec } from "../charts";
import { byId, element } from "../check/dom";
import { formatQuantity } from "../quantities";
import { makeSortable } from "../sort";
import { headings, rounded } from "./panels";
import { Refused, ask, isClosed, listen } from "./server";
import { type Catalogues } from "./schema";

interface Row {
  architecture: string;
  nodes: number;
  cost_per_node: number | null;
  cost_per_node_units_bought: number | null;
  currency: string;
  latency_us: { best: number | null; worst: number | null };
  bandwidth_MBps: { best: number | null; worst: number | null };
  bisection_MBps_per_node: number | null;
  survives: number;
  figures: Record<string, Record<string, number>>;
  svg: string;
}

interface Answer {
  engine: string;
  workloads: string[];
  rows: Row[];
  left_out: { name: string; reason: string }[];
}

interface Known {
  catalogues: Catalogues;
  workloads: string[];
  engines: string[];
}

/** Metrics of a workload that are the time of its run, the first of them that it has. */
const TIMES = ["time", "latency", "completion"];

export class CompareView {
  private closing = new AbortController();
  private listing = Promise.resolve();
  private front: Chart | null = null;

  constructor(
    known: Known,
    private readonly current: () => { name: string; text: string },
  ) {
    fillSelect("compare-catalogue", Object.keys(known.catalogues), "ethernet-2026");
    fillSelect("compare-workload", known.workloads, "broadcast");
    fillSelect("compare-engine", known.engines, known.engines.at(-1));
    byId("compare-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask();
    });
  }

  /** Lists the designs that can be compared. */
  list(): Promise<void> {
    return (this.listing = this.showDesigns());
  }

  private async showDesigns(): Promise<void> {
    const { designs } = await ask<{ designs: string[] }>("/api/files");
    const { name } = this.current();
    const others = designs.filter((one) => one !== name);
    const place = byId("compare-designs");
    const chosen = new Set(
      [...place.querySelectorAll<HTMLInputElement>("input:checked")].map((box) => box.value),
    );
    const box = (value: string, text: string, isChecked: boolean) => {
      const field = element("input", { type: "checkbox", value, checked: isChecked });
      return element("label", {}, field, ` ${text}`);
    };
    place.replaceChildren(
      box("", `${name || "new design"} (as it is here)`, true),
      ...others.map((one) => box(one, one, chosen.has(one))),
    );
  }

  redraw(): void {
    this.front?.redraw();
  }

  private async ask(): Promise<void> {
    this.closing.abort();
    const closing = (this.closing = new AbortController());
    this.say("computing …", "computing");
    try {
      await this.listing;
      const fields = { ...(await this.question()), ...this.run(), seed: 1 };
      await listen("/api/compare", fields, closing.signal, (event, data) => this.take(event, data));
    } catch (trouble) {
      if (isClosed(trouble) || closing.signal.aborted) return;
      this.say(trouble instanceof Refused ? trouble.message : String(trouble), "failed");
    }
  }

  private run() {
    return {
      workloads: [{ name: valueOf("compare-workload"), settings: {} }],
      engine: valueOf("compare-engine"),
    };
  }

  private async question(): Promise<object> {
    const form = new FormData(byId<HTMLFormElement>("compare-form"));
    if (form.get("what") === "kinds") {
      return { nodes: Number(valueOf("compare-nodes")), catalogue: valueOf("compare-catalogue") };
    }
    const boxes = [...byId("compare-designs").querySelectorAll<HTMLInputElement>("input:checked")];
    const designs = boxes.map(({ value: name }) =>
      name === "" ? this.current() : ask<{ name: string; text: string }>("/api/design", { name }),
    );
    return { designs: await Promise.all(designs) };
  }

  private take(event: string, data: unknown): void {
    if (event === "rows") return this.show(data as Answer);
    if (event === "refused") {
      this.say((data as { message: string }[]).map((one) => one.message).join("; "), "failed");
    }
    if (event === "died") this.say("the computation ended unexpectedly", "failed");
  }

  private say(text: string, state: string): void {
    const place = byId("compare-state");
    place.textContent = text;
    place.dataset.state = state;
  }

  private show(answer: Answer): void {
    this.say("ready", "ready");
    const workload = answer.workloads[0]!;
    const metric = metricOf(answer.rows, workload);
    const place = element("div", {
      class: "chart",
      id: "front",
      role: "img",
      "aria-label": `Cost per node against ${workload} ${metric}`,
    });
    const left = answer.left_out.map(({ name, reason }) =>
      element("li", {}, element("b", {}, name), `: ${reason}`),
    );
    byId("compare-answer").replaceChildren(
      element(
        "section",
        { class: "card" },
        element("h2", {}, "Cost against time"),
        note(answer.engine),
        place,
      ),
      element("section", { class: "card scroll" }, this.table(answer, workload, metric)),
      left.length > 0 ? leftOut(left) : "",
      drawings(answer.rows),
    );
    this.front = new Chart(place);
    this.front.show(costs(answer, workload, metric));
  }

  private table(answer: Answer, workload: string, metric: string): HTMLElement {
    const cell = (value: number | null | undefined, text: string) =>
      element("td", { class: "number", "data-value": value ?? "" }, value == null ? "–" : text);
    const rows = answer.rows.map((row) => {
      const time = row.figures[workload]?.[metric];
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, row.architecture),
        cell(row.nodes, String(row.nodes)),
        cell(row.cost_per_node, rounded(row.cost_per_node ?? 0)),
        cell(row.cost_per_node_units_bought, rounded(row.cost_per_node_units_bought ?? 0)),
        cell(time, formatQuantity(time ?? 0, "s")),
        cell(row.latency_us.worst, `${rounded(row.latency_us.worst ?? 0)} µs`),
        cell(row.bisection_MBps_per_node, `${rounded(row.bisection_MBps_per_node ?? 0)} MB/s`),
        cell(row.survives, `${rounded(100 * row.survives)} %`),
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
      ["survives", "number"],
    );
    head.querySelectorAll("th").forEach((one, at) => one.setAttribute("data-sort", String(at)));
    const table = element("table", { class: "sortable" }, head, element("tbody", {}, ...rows));
    makeSortable(table);
    return table;
  }
}

/** Returns the data of cost against time; a network of fewer nodes answers another question. */
function costs({ rows }: Answer, workload: string, metric: string): CostSpec {
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

function leftOut(items: HTMLElement[]): HTMLElement {
  const list = element("ul", {}, ...items);
  return element("section", { class: "card" }, element("h2", {}, "Left out"), list);
}

function note(engine: string): HTMLElement {
  const text =
    "Left and low is better; the line joins the networks that no other beats in both. A " +
    `network of fewer nodes has no place on it. ${engine} engine.`;
  return element("p", { class: "note" }, text);
}

function metricOf(rows: Row[], workload: string): string {
  const known = new Set(rows.flatMap((row) => Object.keys(row.figures[workload] ?? {})));
  return TIMES.find((name) => known.has(name)) ?? [...known][0] ?? "time";
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

function fillSelect(id: string, words: string[], chosen = words[0]): void {
  const field = byId<HTMLSelectElement>(id);
  field.append(...words.map((word) => element("option", { value: word }, word)));
  field.value = chosen ?? "";
}

function valueOf(id: string): string {
  return byId<HTMLInputElement>(id).value;
}
