// The chart of cost against time: a point per network, and the Pareto front, on logarithmic axes,
// since networks differ by factors.
import { LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { formatQuantity } from "../quantities";
import { themeValue } from "../theme";

use([LineChart, ScatterChart, GridComponent, TooltipComponent, SVGRenderer]);

export interface Place {
  name: string;
  cost: number;
  time: number;
  /** Whether it has fewer nodes than the others, and thus no place in the chart. */
  isSmaller: boolean;
}

/** Places that lie on each other within this factor have one label. */
const ALIKE = 1.02;

/** Returns the places that no other beats in cost and time, the cheapest first. */
export function frontOf(places: Place[]): Place[] {
  const inOrder = [...places].sort((a, b) => a.cost - b.cost || a.time - b.time);
  const front: Place[] = [];
  for (const one of inOrder) {
    const last = front.at(-1);
    if (!last || one.time < last.time) front.push(one);
  }
  return front;
}

export class Front {
  private readonly chart: EChartsType;
  private readonly places: Place[];

  constructor(
    place: HTMLElement,
    places: Place[],
    private readonly currency: string,
  ) {
    this.places = joined(places.filter(({ isSmaller }) => !isSmaller));
    this.chart = init(place, null, { renderer: "svg" });
    new ResizeObserver(() => this.chart.resize()).observe(place);
    this.redraw();
  }

  redraw(): void {
    const { places, currency } = this;
    const front = frontOf(places);
    const best = new Set(front);
    const ink = themeValue("--ink");
    const axis = (name: string, format: (value: number) => string) => ({
      type: "log",
      name,
      nameLocation: "middle",
      nameGap: 30,
      min: (range: { min: number }) => range.min / 1.25,
      max: (range: { max: number }) => range.max * 1.25,
      nameTextStyle: { color: themeValue("--quiet") },
      axisLine: { lineStyle: { color: themeValue("--line") } },
      axisLabel: { color: themeValue("--quiet"), formatter: format, hideOverlap: true },
      splitLine: { lineStyle: { color: themeValue("--grid") } },
    });
    const money = (value: number) => `${Number(value.toPrecision(3))} ${currency}`;
    const time = (value: number) => formatQuantity(value, "s");
    const option = {
      animation: false,
      grid: { left: 20, right: 90, top: 20, bottom: 40 },
      tooltip: {
        trigger: "item",
        confine: true,
        renderMode: "richText",
        backgroundColor: themeValue("--raised"),
        borderColor: themeValue("--line"),
        textStyle: { color: ink },
        formatter: ({ name, value }: { name: string; value: [number, number] }) =>
          `${name}\n${money(value[0])} per node, ${time(value[1])}`,
      },
      xAxis: axis("cost per node", money),
      yAxis: { ...axis("time", time), nameGap: 60 },
      series: [
        {
          type: "line",
          step: "end",
          silent: true,
          symbol: "none",
          lineStyle: { color: themeValue("--accent"), width: 2, type: "dashed" },
          data: front.map(({ cost, time }) => [cost, time]),
        },
        {
          type: "scatter",
          symbolSize: 12,
          data: places.map((one) => ({
            name: one.name,
            value: [one.cost, one.time],
            symbol: best.has(one) ? "circle" : "emptyCircle",
            itemStyle: { color: themeValue(best.has(one) ? "--accent" : "--quiet") },
          })),
          label: { show: true, position: "right", formatter: "{b}", color: ink },
          labelLayout: { hideOverlap: true, moveOverlap: "shiftY" },
        },
      ],
    };
    this.chart.setOption(option as never, true);
  }
}

/** Returns the places with those that lie on each other as one, which has all their names. */
function joined(places: Place[]): Place[] {
  const found: Place[] = [];
  const isAlike = (a: number, b: number) => Math.max(a, b) <= ALIKE * Math.min(a, b);
  for (const one of places) {
    const at = found.findIndex(
      (other) => isAlike(one.cost, other.cost) && isAlike(one.time, other.time),
    );
    if (at < 0) found.push(one);
    else found[at] = { ...found[at]!, name: `${found[at]!.name}, ${one.name}` };
  }
  return found;
}
