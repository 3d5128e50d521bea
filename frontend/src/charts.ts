// Charts from the specifications that linkwright.views.charts writes into the page. A specification
// holds the data, in base units; their appearance and the display units are decided here.
import { BarChart, CustomChart, LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { formatQuantity, formatSize } from "./quantities";
import { themeValue } from "./theme";

use([
  BarChart,
  CustomChart,
  LineChart,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  SVGRenderer,
]);

export interface Series {
  name: string;
  colour: number;
  is_dashed: boolean;
  points: [number, number][];
}
export interface LineSpec {
  id: string;
  kind: "line";
  quantity: string;
  is_log: boolean;
  series: Series[];
}
export interface Bar {
  name: string;
  colour: number;
  value: number | null;
  note: string;
  /** Ends of the interval of further draws of the hosts' constants, if they are drawn. */
  low?: number;
  high?: number;
}
export interface BarSpec {
  id: string;
  kind: "bar";
  quantity: string;
  bars: Bar[];
}
export type Spec = LineSpec | BarSpec;

const SYMBOLS = ["circle", "rect", "triangle", "diamond"];
const N_COLOURS = 8;
/** Half the height of the ends of a whisker, in pixels. */
const WHISKER_END = 5;
// A list, not "inherit": the library measures text outside of the page.
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** Draws every chart of the page; returns a function that redraws them in the present theme. */
export function drawCharts(json: string): () => void {
  const specs: Spec[] = JSON.parse(json);
  const charts: Chart[] = [];
  for (const spec of specs) {
    const place = document.getElementById(spec.id);
    if (!place) continue;
    const chart = new Chart(place);
    chart.show(spec);
    charts.push(chart);
  }
  return () => {
    for (const chart of charts) chart.redraw();
  };
}

/** A chart in its place, which shows one specification after another. */
export class Chart {
  private readonly chart: EChartsType;
  private spec: Spec | null = null;

  constructor(private readonly place: HTMLElement) {
    this.chart = init(place, null, { renderer: "svg" });
    new ResizeObserver(() => {
      this.chart.resize();
      this.redraw();
    }).observe(place);
  }

  show(spec: Spec): void {
    this.spec = spec;
    if (spec.kind === "bar") this.place.style.height = `${spec.bars.length * 34 + 72}px`;
    this.chart.resize();
    this.redraw();
  }

  /** Draws it again, in the present theme. */
  redraw(): void {
    if (this.spec) this.chart.setOption(options(this.spec, this.place.clientWidth), true);
  }
}

function options(spec: Spec, width: number): Record<string, unknown> {
  return {
    animation: false,
    textStyle: { fontFamily: FONT, color: themeValue("--ink") },
    ...(spec.kind === "line" ? lineOptions(spec, width) : barOptions(spec, width)),
  };
}

function lineOptions(spec: LineSpec, width: number): Record<string, unknown> {
  const isNarrow = width < 520;
  const legendRows = Math.ceil(spec.series.length / (isNarrow ? 2 : 4));
  return {
    grid: { left: 4, right: 24, top: 12, bottom: 24 + 24 * legendRows },
    legend: {
      bottom: 0,
      itemWidth: 26,
      itemGap: 10,
      textStyle: { color: themeValue("--ink"), fontSize: isNarrow ? 11 : 12 },
      inactiveColor: themeValue("--faint"),
    },
    tooltip: {
      ...tooltip(),
      trigger: "axis",
      axisPointer: { type: "line", lineStyle: { color: themeValue("--faint") } },
      order: "valueDesc",
      formatter: (items: TooltipItem[]) => curveTooltip(items, spec.quantity),
    },
    xAxis: {
      ...axis("message size", (power: number) => formatSize(2 ** power)),
      type: "value",
      min: "dataMin",
      max: "dataMax",
      interval: isNarrow ? 4 : 2,
      nameLocation: "middle",
      nameGap: 28,
    },
    yAxis: {
      ...axis("", (value: number) => formatQuantity(value, spec.quantity)),
      type: spec.is_log ? "log" : "value",
    },
    series: spec.series.map((series) => ({
      type: "line",
      name: series.name,
      // Sizes are powers of two: a linear axis of their exponents has a tick wherever it is wanted.
      data: series.points.map(([bytes, value]) => [Math.log2(bytes), value]),
      symbol: SYMBOLS[series.colour % SYMBOLS.length],
      symbolSize: 6,
      color: colour(series.colour),
      lineStyle: { width: 2, type: series.is_dashed ? "dashed" : "solid" },
      emphasis: { focus: "series" },
    })),
  };
}

function barOptions(spec: BarSpec, width: number): Record<string, unknown> {
  const bars = [...spec.bars].reverse();
  return {
    grid: { left: 4, right: width < 520 ? 64 : 84, top: 4, bottom: 4 },
    tooltip: {
      ...tooltip(),
      trigger: "item",
      formatter: (item: { dataIndex: number }) => barTooltip(bars[item.dataIndex], spec.quantity),
    },
    xAxis: {
      ...axis("", (value: number) => formatQuantity(value, spec.quantity)),
      type: "value",
      splitNumber: width < 520 ? 3 : 5,
    },
    yAxis: {
      type: "category",
      data: bars.map((bar) => bar.name),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: themeValue("--line") } },
      axisLabel: { color: themeValue("--ink"), fontSize: 12 },
    },
    series: [
      {
        type: "bar",
        barMaxWidth: 20,
        data: bars.map((bar) => ({ value: bar.value, itemStyle: { color: colour(bar.colour) } })),
        itemStyle: { borderRadius: [0, 3, 3, 0] },
        label: {
          show: true,
          position: "right",
          color: themeValue("--ink"),
          formatter: (item: { dataIndex: number }) => {
            const bar = bars[item.dataIndex];
            return bar && !hasWhisker(bar) ? valueText(bar, spec.quantity) : "";
          },
        },
      },
      ...(bars.some(hasWhisker) ? [whiskers(bars, spec.quantity)] : []),
    ],
  };
}

function hasWhisker(bar: Bar): boolean {
  return bar.low !== undefined && bar.high !== undefined;
}

function valueText(bar: Bar, quantity: string): string {
  return bar.value === null ? "not run" : formatQuantity(bar.value, quantity);
}

/** Draws the interval of each bar, with the value beside its end. */
function whiskers(bars: Bar[], quantity: string): Record<string, unknown> {
  const ink = themeValue("--ink");
  return {
    type: "custom",
    silent: true,
    z: 3,
    encode: { x: [1, 2], y: 0 },
    data: bars.flatMap((bar, place) => (hasWhisker(bar) ? [[place, bar.low, bar.high]] : [])),
    renderItem: (_: unknown, item: WhiskerItem) => {
      const place = item.value(0);
      const [left, y] = item.coord([item.value(1), place]);
      const [right] = item.coord([item.value(2), place]);
      const line = (x1: number, y1: number, x2: number, y2: number) => ({
        type: "line",
        shape: { x1, y1, x2, y2 },
        style: { stroke: ink, lineWidth: 1.5 },
      });
      const bar = bars[place];
      const text = bar ? valueText(bar, quantity) : "";
      return {
        type: "group",
        children: [
          line(left, y, right, y),
          line(left, y - WHISKER_END, left, y + WHISKER_END),
          line(right, y - WHISKER_END, right, y + WHISKER_END),
          {
            type: "text",
            style: { text, x: right + 6, y, fill: ink, verticalAlign: "middle", fontFamily: FONT },
          },
        ],
      };
    },
  };
}

interface WhiskerItem {
  value(dimension: number): number;
  coord(value: [number, number]): [number, number];
}

interface TooltipItem {
  marker: string;
  seriesName: string;
  value: [number, number];
}

function curveTooltip(items: TooltipItem[], quantity: string): string {
  const first = items[0];
  if (!first) return "";
  const rows = items.map(
    (item) =>
      `<tr><td>${item.marker}${escape(item.seriesName)}</td>` +
      `<td class="number">${formatQuantity(item.value[1], quantity)}</td></tr>`,
  );
  return `<b>${formatSize(2 ** first.value[0])}</b><table>${rows.join("")}</table>`;
}

function barTooltip(bar: Bar | undefined, quantity: string): string {
  if (!bar) return "";
  const { low, high } = bar;
  const hasEnds = low !== undefined && high !== undefined;
  const ends = hasEnds ? [low, high].map((end) => formatQuantity(end, quantity)) : [];
  const lines = [valueText(bar, quantity), ...(hasEnds ? [`90 %: ${ends.join(" to ")}`] : [])];
  if (bar.note) lines.push(escape(bar.note));
  return `<b>${escape(bar.name)}</b><br>${lines.join("<br>")}`;
}

function tooltip(): Record<string, unknown> {
  return {
    backgroundColor: themeValue("--raised"),
    borderColor: themeValue("--line"),
    textStyle: { color: themeValue("--ink"), fontSize: 12 },
    confine: true,
  };
}

function axis(name: string, format: (value: number) => string): Record<string, unknown> {
  return {
    name,
    nameTextStyle: { color: themeValue("--quiet") },
    axisLine: { lineStyle: { color: themeValue("--line") } },
    axisTick: { lineStyle: { color: themeValue("--line") } },
    axisLabel: { color: themeValue("--quiet"), formatter: format, hideOverlap: true },
    splitLine: { lineStyle: { color: themeValue("--grid") } },
    minorSplitLine: { show: false },
  };
}

function colour(index: number): string {
  return themeValue(`--series-${(index % N_COLOURS) + 1}`);
}

function escape(text: string): string {
  const place = document.createElement("span");
  place.textContent = text;
  return place.innerHTML;
}
