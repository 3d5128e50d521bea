// Curves against message size, each with its name at its end: no legend takes room from them. The
// farthest pair of a network is dashed.
import { displayUnit, formatSize, inUnit } from "../quantities";
import { themeValue } from "../theme";
import { NARROW_PX, type Option, axis, colour, escape, shape, tooltip, valueAxis } from "./look";
import { type Choice, type LineSpec, type Series } from "./spec";

const LETTER_PX = 7;
const MOST_ROWS = 14;
const FAINT = { opacity: 0.12 };

interface Item {
  marker: string;
  seriesName: string;
  value: [number, number];
}

export function curveOptions(spec: LineSpec, width: number, choice: Choice): Option {
  const shown = shownSeries(spec, choice);
  const values = shown.flatMap(({ points }) => points.map(([, value]) => value));
  const isNarrow = width < NARROW_PX;
  const longest = Math.max(0, ...shown.map(({ name }) => name.length));
  const labels = Math.min(isNarrow ? 96 : 220, longest * LETTER_PX);
  return {
    grid: { left: 4, right: labels + 18, top: 34, bottom: 30 },
    tooltip: {
      ...tooltip(),
      trigger: "axis",
      axisPointer: { type: "line", lineStyle: { color: themeValue("--faint") } },
      order: "valueDesc",
      formatter: (items: Item[]) => words(items, values, spec),
    },
    xAxis: {
      ...axis("message size", (power: number) => formatSize(2 ** power)),
      type: "value",
      min: "dataMin",
      max: "dataMax",
      interval: isNarrow ? 5 : 2,
      nameLocation: "middle",
      nameGap: 28,
    },
    yAxis: {
      ...valueAxis(values, spec.quantity, spec.is_log),
      nameTextStyle: { align: "left", color: themeValue("--quiet") },
    },
    series: shown.map((series) => curve(series, isNarrow, labels)),
  };
}

/** Returns the series that the reader wants to see. */
export function shownSeries(spec: LineSpec, choice: Choice): Series[] {
  return spec.series.filter(
    (one) => choice.has(one.colour) && (choice.hasFarthest || !one.is_dashed),
  );
}

function curve(series: Series, isNarrow: boolean, labels: number): Option {
  return {
    type: "line",
    id: series.name,
    name: series.name,
    // Sizes are powers of two: a linear axis of their exponents has a tick wherever it is wanted.
    data: series.points.map(([bytes, value]) => [Math.log2(bytes), value]),
    symbol: shape(series.colour),
    symbolSize: 7,
    color: colour(series.colour),
    lineStyle: { width: 2, type: series.is_dashed ? "dashed" : "solid" },
    endLabel: {
      show: true,
      formatter: "{a}",
      color: colour(series.colour),
      fontSize: isNarrow ? 10 : 11,
      width: labels,
      overflow: "truncate",
      distance: 8,
      lineHeight: 14,
      minMargin: 1,
    },
    labelLayout: { moveOverlap: "shiftY" },
    emphasis: { focus: "series", lineStyle: { width: 3.5 }, endLabel: { fontWeight: "bold" } },
    blur: { lineStyle: FAINT, itemStyle: FAINT, endLabel: { opacity: 0.2 } },
  };
}

function words(items: Item[], values: number[], { quantity }: LineSpec): string {
  const first = items[0];
  if (!first) return "";
  const unit = displayUnit(values, quantity, false);
  const rows = items.slice(0, MOST_ROWS).map(
    (item) =>
      `<tr><td>${item.marker}${escape(item.seriesName)}</td>` +
      `<td class="number">${inUnit(item.value[1], unit)} ${unit.name}</td></tr>`,
  );
  const others = items.length - rows.length;
  const more = others > 0 ? `<p>and ${others} more</p>` : "";
  return `<b>${formatSize(2 ** first.value[0])}</b><table>${rows.join("")}</table>${more}`;
}
