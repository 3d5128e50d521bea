// Predictions of the engines for one design: curves of latency and throughput, and bars of each
// workload, one colour per engine, added as each engine answers. Also the reader's choice of
// workloads, engines and seed.
import { type Bar, Chart, type LineSpec } from "../charts";
import { byId, button, element } from "../check/dom";
import { formatSize } from "../quantities";

export interface Workload {
  name: string;
  settings: Record<string, string>;
}

interface Curve {
  metric: "latency" | "throughput";
  unit: string;
  pair: string;
  nodes: string[];
  points: [number, number][];
}

interface Figure {
  workload: string;
  metric: string;
  value: number;
  unit: string;
  size_bytes: number | null;
}

export interface Predicted {
  engine: string;
  calibration: string;
  refused: string[];
  curves: Curve[];
  figures: Figure[];
}

/** Colours of the engines, by their numbers in the style sheet. */
const COLOURS = [4, 3, 2];

export class Predictions {
  private readonly found = new Map<string, Predicted>();
  private readonly charts = {
    latency: new Chart(byId("chart-latency")),
    throughput: new Chart(byId("chart-throughput")),
  };
  private readonly bars = new Map<string, { chart: Chart; figure: HTMLElement }>();

  constructor(private readonly engines: string[]) {}

  /** Forgets the engines that are not asked any more. */
  keep(engines: string[]): void {
    for (const name of this.found.keys()) if (!engines.includes(name)) this.found.delete(name);
  }

  show(predicted: Predicted): void {
    this.found.set(predicted.engine, predicted);
    this.draw();
  }

  private get shown(): Predicted[] {
    return this.engines.flatMap((name) => this.found.get(name) ?? []);
  }

  draw(): void {
    for (const metric of ["latency", "throughput"] as const) {
      this.charts[metric].show(this.curves(metric));
    }
    const groups = new Map<string, Bar[]>();
    const units = new Map<string, string>();
    for (const { engine, figures } of this.shown) {
      for (const { workload, metric, value, unit, size_bytes } of figures) {
        const size = size_bytes ? `, ${formatSize(size_bytes)}` : "";
        const title = `${workload}${size}: ${metric.replaceAll("_", " ")}`;
        const bar = { name: engine, colour: this.colour(engine), value, note: "" };
        groups.set(title, [...(groups.get(title) ?? []), bar]);
        units.set(title, unit);
      }
    }
    this.drawBars(groups, units);
    const refused = this.shown.flatMap((one) => one.refused.map((why) => `${one.engine}: ${why}`));
    byId("refused").replaceChildren(...refused.map((why) => element("li", {}, why)));
  }

  redraw(): void {
    for (const chart of Object.values(this.charts)) chart.redraw();
    for (const { chart } of this.bars.values()) chart.redraw();
  }

  private curves(metric: "latency" | "throughput"): LineSpec {
    const series = this.shown.flatMap(({ engine, curves }) =>
      curves
        .filter((curve) => curve.metric === metric)
        .map(({ pair, points }) => ({
          name: pair === "farthest" ? `${engine}, farthest pair` : engine,
          colour: this.colour(engine),
          is_dashed: pair === "farthest",
          points,
        })),
    );
    const quantity = metric === "latency" ? "s" : "B/s";
    return { id: metric, kind: "line", quantity, is_log: metric === "latency", series };
  }

  private colour(engine: string): number {
    return COLOURS[this.engines.indexOf(engine) % COLOURS.length]! - 1;
  }

  private drawBars(groups: Map<string, Bar[]>, units: Map<string, string>): void {
    for (const [title, { figure }] of this.bars) {
      if (groups.has(title)) continue;
      figure.remove();
      this.bars.delete(title);
    }
    for (const [title, bars] of groups) {
      if (!this.bars.has(title)) {
        const place = element("div", { class: "chart", role: "img", "aria-label": title });
        const figure = element("figure", {}, element("h3", {}, title), place);
        byId("bars").append(figure);
        this.bars.set(title, { chart: new Chart(place), figure });
      }
      const spec = { id: title, kind: "bar" as const, quantity: units.get(title)!, bars };
      this.bars.get(title)!.chart.show(spec);
    }
  }
}

/** The reader's choice of runs. */
export class Choice {
  readonly workloads: Workload[] = [
    { name: "ping-pong", settings: {} },
    { name: "broadcast", settings: {} },
    { name: "all-reduce", settings: {} },
  ];
  private readonly asked: Set<string>;

  constructor(
    names: string[],
    private readonly known: string[],
    private readonly changed: () => void,
    private readonly play: (workload: Workload) => void,
  ) {
    this.asked = new Set(known);
    const add = byId<HTMLSelectElement>("add-workload");
    add.append(...names.map((name) => element("option", { value: name }, name)));
    add.addEventListener("change", () => {
      if (add.value && !this.workloads.some(({ name }) => name === add.value)) {
        this.workloads.push({ name: add.value, settings: {} });
      }
      add.value = "";
      this.show();
      this.changed();
    });
    byId("seed").addEventListener("change", this.changed);
    byId("engines").append(...known.map((name) => this.engine(name)));
    this.show();
  }

  get engines(): string[] {
    return this.known.filter((name) => this.asked.has(name));
  }

  get seed(): number {
    const seed = Number(byId<HTMLInputElement>("seed").value);
    return Number.isInteger(seed) && seed >= 0 ? seed : 1;
  }

  private engine(name: string): HTMLElement {
    const box = element("input", { type: "checkbox", checked: true });
    box.addEventListener("change", () => {
      if (box.checked) this.asked.add(name);
      else this.asked.delete(name);
      this.changed();
    });
    return element("label", {}, box, ` ${name}`);
  }

  private show(): void {
    const items = this.workloads.map((workload, at) => {
      const { name } = workload;
      const drop = () => {
        this.workloads.splice(at, 1);
        this.show();
        this.changed();
      };
      const play = button("▶", () => this.play(workload), `Play ${name}`);
      return element("li", {}, name, play, button("×", drop, `Remove ${name}`));
    });
    byId("workloads").replaceChildren(...items);
  }
}
