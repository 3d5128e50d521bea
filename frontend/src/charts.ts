// Charts from the specifications that linkwright.views writes into the page. A specification holds
// the data, in base units; charts/ decides their appearance and the display units.
import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";
import { barOptions, barsHeight, shownBars } from "./charts/bars";
import { costOptions } from "./charts/costs";
import { curveOptions, shownSeries } from "./charts/curves";
import { FONT, type Option } from "./charts/look";
import { type Choice, EVERYTHING, type Spec } from "./charts/spec";
import { themeValue } from "./theme";

export type { Bar, BarSpec, Choice, CostSpec, LineSpec, Series, Spec } from "./charts/spec";

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

/** A chart in its place, which shows one specification after another. */
export class Chart {
  private readonly chart: EChartsType;
  private spec: Spec | null = null;

  constructor(
    private readonly place: HTMLElement,
    private readonly choice: Choice = EVERYTHING,
  ) {
    this.chart = init(place, null, { renderer: "svg" });
    new ResizeObserver(() => this.redraw()).observe(place);
  }

  show(spec: Spec): void {
    this.spec = spec;
    this.redraw();
  }

  /** Draws it again, in the present theme and as the reader has chosen. */
  redraw(): void {
    const { spec, place, choice } = this;
    if (!spec) return;
    if (spec.kind === "bar") place.style.height = `${barsHeight(spec, choice)}px`;
    if (place.clientWidth === 0) return;
    this.chart.resize();
    this.chart.setOption(options(spec, place.clientWidth, choice), true);
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

/** Returns where a network is in a chart. */
function targets(spec: Spec, network: number, choice: Choice): Option[] {
  if (spec.kind === "line") {
    const own = shownSeries(spec, choice).filter(({ colour }) => colour === network);
    return own.length > 0 ? [{ seriesId: own.map(({ name }) => name) }] : [];
  }
  if (spec.kind === "cost") {
    return ["front", "others"].map((seriesId) => ({ seriesId, name: spec.names[network] }));
  }
  const bars = shownBars(spec, choice).reverse();
  const places = bars.flatMap(({ colour }, at) => (colour === network ? [at] : []));
  return places.length > 0 ? [{ seriesIndex: 0, dataIndex: places }] : [];
}

/** Draws every chart of the page, and returns them. */
export function drawCharts(specs: Spec[], choice: Choice): Chart[] {
  return specs.flatMap((spec) => {
    const place = document.getElementById(spec.id);
    if (!place) return [];
    const chart = new Chart(place, choice);
    chart.show(spec);
    return [chart];
  });
}

function options(spec: Spec, width: number, choice: Choice): Option {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, color: themeValue("--ink") },
    ...(spec.kind === "line"
      ? curveOptions(spec, width, choice)
      : spec.kind === "bar"
        ? barOptions(spec, width, choice)
        : costOptions(spec, width, choice)),
  };
}
