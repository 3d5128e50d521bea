// Charts from the values that linkwright.views.chart writes into the page. A value holds the data,
// in base units; charts/ decides their appearance and the display units.
import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";
import { barOptions, barsHeight, shownPlaces } from "./charts/bars";
import { costOptions } from "./charts/costs";
import { curveOptions, shownSeries } from "./charts/curves";
import { boxOptions, cellOptions } from "./charts/grids";
import { FONT, type Option } from "./charts/look";
import { type Choice, EVERYTHING, type Spec, ofKind } from "./charts/spec";
import { onThemeChange, themeValue } from "./theme";

export { axisOf, ofKind } from "./charts/spec";
export type { Chart, Choice, CostSpec, Series, Spec } from "./charts/spec";

use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  TooltipComponent,
  LabelLayout,
  SVGRenderer,
]);

/** A chart in its place, which shows one value after another. */
export class ChartView {
  private readonly chart: EChartsType;
  private spec: Spec | null = null;
  /** The value that is shown, and the size at which it is drawn, as texts to compare. */
  private written = "";
  private drawn = "";

  constructor(
    private readonly place: HTMLElement,
    private readonly choice: Choice = EVERYTHING,
  ) {
    this.chart = init(place, null, { renderer: "svg" });
    this.chart.on("click", ({ data }) => {
      const { link } = (data ?? {}) as { link?: string };
      if (link) location.hash = link;
    });
    new ResizeObserver(() => {
      if (this.size !== this.drawn) this.redraw();
    }).observe(place);
    onThemeChange(() => this.redraw());
  }

  show(spec: Spec): void {
    const written = JSON.stringify(spec);
    if (written === this.written) return;
    this.written = written;
    this.spec = spec;
    this.redraw();
  }

  private get size(): string {
    return `${this.place.clientWidth} x ${this.place.clientHeight}`;
  }

  /** Draws it again, in the present theme and as the reader has chosen. */
  redraw(): void {
    const { spec, place, choice } = this;
    if (!spec) return;
    if (hasBars(spec)) place.style.height = `${barsHeight(spec, choice)}px`;
    if (place.clientWidth === 0) return;
    this.drawn = this.size;
    // The options wait for the size: one drawing of the chart takes both.
    const how = { notMerge: true, lazyUpdate: true };
    this.chart.setOption(options(spec, place.clientWidth, choice), how);
    this.chart.resize();
    this.chart.getZr().flush();
  }

  /** Brings out one network, or none. */
  highlight(network: number | null): void {
    const { spec, chart } = this;
    chart.dispatchAction({ type: "downplay" });
    if (spec && network !== null) {
      for (const target of targets(spec, network, this.choice)) {
        chart.dispatchAction({ type: "highlight", ...target });
      }
    }
  }
}

function hasBars(spec: Spec): spec is Exclude<Spec, { kind: "cost" }> {
  return "series" in spec && ofKind(spec, "bars").length > 0;
}

/** Returns where a network is in a chart. */
function targets(spec: Spec, network: number, choice: Choice): Option[] {
  if ("kind" in spec) {
    return ["front", "others"].map((seriesId) => ({ seriesId, name: spec.names[network] }));
  }
  if (!hasBars(spec)) {
    const own = shownSeries(spec, choice).filter(({ colour }) => colour === network);
    return own.length > 0 ? [{ seriesId: own.map(({ name }) => name) }] : [];
  }
  const { colours } = ofKind(spec, "bars")[0]!;
  const bars = shownPlaces(spec, choice);
  const places = bars.flatMap((place, at) => (colours?.[place] === network ? [at] : []));
  return places.length > 0 ? [{ seriesIndex: 0, dataIndex: places }] : [];
}

/** Returns the charts of the page as they are written into it. */
export function writtenCharts(): Spec[] {
  return JSON.parse(document.getElementById("chart-data")?.textContent ?? "[]") as Spec[];
}

/** Draws charts in their places of the page, and returns them. */
export function drawCharts(specs: Spec[], choice?: Choice): ChartView[] {
  return specs.flatMap((spec) => {
    const place = document.getElementById(spec.id);
    if (!place) return [];
    const chart = new ChartView(place, choice);
    chart.show(spec);
    return [chart];
  });
}

function options(spec: Spec, width: number, choice: Choice): Option {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, color: themeValue("--ink") },
    ...ofSpec(spec, width, choice),
  };
}

function ofSpec(spec: Spec, width: number, choice: Choice): Option {
  if ("kind" in spec) return costOptions(spec, width, choice);
  const [first] = spec.series;
  if (first?.kind === "boxes") return boxOptions(spec, first);
  if (first?.kind === "cells") return cellOptions(spec, first);
  return hasBars(spec) ? barOptions(spec, width, choice) : curveOptions(spec, width, choice);
}
