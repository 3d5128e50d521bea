// Predictions of the engines for one design: curves of latency and throughput, and bars of each
// workload, one colour per engine, added as each engine answers.
import { type Chart, ChartView, axisOf } from "../charts";
import { byId, element } from "../check/dom";
import { formatSize } from "../quantities";
import { type Predicted } from "./answers";

/** Colours of the engines, by their numbers in the style sheet. */
const COLOURS = [4, 3, 2];

interface Bar {
  name: string;
  colour: number;
  value: number;
}

export class Predictions {
  private readonly found = new Map<string, Predicted>();
  private readonly charts = {
    latency: new ChartView(byId("chart-latency")),
    throughput: new ChartView(byId("chart-throughput")),
  };
  private readonly bars = new Map<string, { chart: ChartView; figure: HTMLElement }>();

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
        const bar = { name: engine, colour: this.colour(engine), value };
        groups.set(title, [...(groups.get(title) ?? []), bar]);
        units.set(title, unit);
      }
    }
    this.drawBars(groups, units);
    this.drawRefused();
  }

  /** Says why workloads have no prediction, each reason once with the engines that gave it. */
  private drawRefused(): void {
    const reasons = new Map<string, string[]>();
    for (const { engine, refused } of this.shown) {
      for (const why of refused) reasons.set(why, [...(reasons.get(why) ?? []), engine]);
    }
    const items = [...reasons].map(([why, engines]) =>
      element("li", {}, why, element("span", { class: "note" }, ` (${engines.join(", ")})`)),
    );
    byId("refused").replaceChildren(...items);
  }

  private curves(metric: "latency" | "throughput"): Chart {
    const series = this.shown.flatMap(({ engine, curves }) =>
      curves
        .filter((curve) => curve.metric === metric)
        .map(({ pair, points }) => ({
          kind: "series" as const,
          look: "line" as const,
          name: pair === "farthest" ? `${engine}, farthest pair` : engine,
          colour: this.colour(engine),
          is_dashed: pair === "farthest",
          x: points.map(([size]) => size),
          y: points.map(([, value]) => value),
        })),
    );
    const y = axisOf(metric === "latency" ? { unit: "s", log: 10 } : { unit: "B/s" });
    const x = axisOf({ name: "message size", unit: "B", log: 2 });
    return { id: metric, title: metric, x, y, series, marks: [] };
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
        this.bars.set(title, { chart: new ChartView(place), figure });
      }
      const series = {
        kind: "bars" as const,
        name: "",
        colour: 0,
        values: bars.map(({ value }) => value),
        colours: bars.map(({ colour }) => colour),
      };
      const x = axisOf({ unit: units.get(title)! });
      const y = axisOf({ places: bars.map(({ name }) => name) });
      this.bars.get(title)!.chart.show({ id: title, title, x, y, series: [series], marks: [] });
    }
  }
}
