// Bars of one figure, the best first; logarithmic where one network would crush the others. The
// interval of further draws is a whisker.
import { type Unit, displayUnit, inUnit } from "../quantities";
import { themeValue } from "../theme";
import { FONT, NARROW_PX, type Option, colour, escape, isWide, tooltip, valueAxis } from "./look";
import { type Bar, type BarSpec, type Choice } from "./spec";

const BAR_PX = 26;
const AROUND_PX = 64;
/** Half the height of the ends of a whisker, in pixels. */
const WHISKER_END = 5;

interface WhiskerItem {
  value(dimension: number): number;
  coord(value: [number, number]): [number, number];
}

/** Returns the bars that the reader wants to see. */
export function shownBars(spec: BarSpec, choice: Choice): Bar[] {
  return spec.bars.filter(
    ({ name, colour }) =>
      choice.has(colour) && (choice.hasFarthest || !name.endsWith(", farthest")),
  );
}

/** Returns the height of a chart, in pixels. */
export function barsHeight(spec: BarSpec, choice: Choice): number {
  return shownBars(spec, choice).length * BAR_PX + AROUND_PX;
}

export function barOptions(spec: BarSpec, width: number, choice: Choice): Option {
  const bars = shownBars(spec, choice).reverse();
  const values = bars.flatMap(({ value, low, high }) => [value, low, high].filter(isNumber));
  const isLog = isWide(values);
  const unit = displayUnit(values, spec.quantity, isLog);
  const isNarrow = width < NARROW_PX;
  return {
    grid: { left: 4, right: isNarrow ? 72 : 92, top: 4, bottom: 26 },
    tooltip: {
      ...tooltip(),
      trigger: "item",
      formatter: ({ dataIndex }: { dataIndex: number }) => words(bars[dataIndex], unit),
    },
    xAxis: {
      ...valueAxis(values, spec.quantity, isLog),
      nameLocation: "middle",
      nameGap: 26,
      splitNumber: isNarrow ? 3 : 5,
    },
    yAxis: {
      type: "category",
      data: bars.map((bar) => bar.name),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: themeValue("--line") } },
      axisLabel: {
        color: themeValue("--ink"),
        fontSize: isNarrow ? 11 : 12,
        interval: 0,
        ...(isNarrow && { width: 110, overflow: "truncate" }),
      },
    },
    series: [
      {
        type: "bar",
        barMaxWidth: 18,
        data: bars.map((bar) => ({ value: bar.value, itemStyle: { color: colour(bar.colour) } })),
        itemStyle: { borderRadius: [0, 3, 3, 0] },
        emphasis: { focus: "self" },
        label: {
          show: true,
          position: "right",
          color: themeValue("--ink"),
          formatter: ({ dataIndex }: { dataIndex: number }) => {
            const bar = bars[dataIndex];
            return bar && !hasWhisker(bar) ? valueText(bar, unit) : "";
          },
        },
      },
      ...(bars.some(hasWhisker) ? [whiskers(bars, unit)] : []),
    ],
  };
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number";
}

function hasWhisker(bar: Bar): boolean {
  return bar.low !== undefined && bar.high !== undefined;
}

function valueText(bar: Bar, unit: Unit): string {
  return bar.value === null ? "not run" : `${inUnit(bar.value, unit)} ${unit.name}`;
}

/** Draws the interval of each bar, with the value beside its end. */
function whiskers(bars: Bar[], unit: Unit): Option {
  const ink = themeValue("--ink");
  const line = (x1: number, y1: number, x2: number, y2: number) => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: ink, lineWidth: 1.5 },
  });
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
      const bar = bars[place];
      const text = bar ? valueText(bar, unit) : "";
      const at = { x: right + 6, y, verticalAlign: "middle" };
      return {
        type: "group",
        children: [
          line(left, y, right, y),
          line(left, y - WHISKER_END, left, y + WHISKER_END),
          line(right, y - WHISKER_END, right, y + WHISKER_END),
          { type: "text", style: { text, ...at, fill: ink, fontFamily: FONT } },
        ],
      };
    },
  };
}

function words(bar: Bar | undefined, unit: Unit): string {
  if (!bar) return "";
  const { low, high } = bar;
  const hasEnds = low !== undefined && high !== undefined;
  const ends = hasEnds ? [low, high].map((end) => `${inUnit(end, unit)} ${unit.name}`) : [];
  const lines = [valueText(bar, unit), ...(hasEnds ? [`90 %: ${ends.join(" to ")}`] : [])];
  if (bar.note) lines.push(escape(bar.note));
  return `<b>${escape(bar.name)}</b><br>${lines.join("<br>")}`;
}
