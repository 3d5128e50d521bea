// Values along the horizontal axis: curves, steps and points, each curve with its name at its end:
// no legend takes room from them. The farthest pair of a network is dashed. Of many curves a chosen
// few have colours and names; the others are thin and grey until the reader points at them.
import { displayUnit, formatQuantity, formatSize, inUnit } from "../quantities";
import { themeValue } from "../theme";
import { NARROW_PX, type Option, axis, colour, escape, shape, tooltip, valueAxis } from "./look";
import { type Item, markOf } from "./shapes";
import { type Axis, type Chart, type Choice, type Series, ofKind } from "./spec";

const LETTER_PX = 7;
const MOST_ROWS = 14;
/** Values of a curve up to which each is a point. */
const MOST_POINTS = 32;
/** Places of the points up to which the horizontal axis shows each. */
const MOST_PLACES = 8;
const FAINT = { opacity: 0.12 };

interface Pointed {
  marker: string;
  seriesName: string;
  value: [number, number];
}

export function curveOptions(chart: Chart, width: number, choice: Choice): Option {
  const shown = shownSeries(chart, choice);
  const values = shown.flatMap(({ y, low, high }) => [...y, ...(low ?? []), ...(high ?? [])]);
  const isNarrow = width < NARROW_PX;
  const isFew = ({ colour: network }: Series) => choice.standsOut(network);
  const named = shown.filter(isFew);
  const longest = Math.max(0, ...named.map(({ name }) => name.length));
  const hasTexts = shown.some(({ texts }) => texts);
  const labels = hasTexts ? 80 : Math.min(isNarrow ? 96 : 220, longest * LETTER_PX);
  return {
    grid: { left: 4, right: labels + 18, top: 34, bottom: 30 },
    tooltip: {
      ...tooltip(),
      trigger: hasTexts ? "item" : "axis",
      axisPointer: { type: "line", lineStyle: { color: themeValue("--faint") } },
      order: "valueDesc",
      formatter: (items: Pointed[] | Pointed) => words([items].flat(), values, chart),
    },
    xAxis: { ...acrossAxis(chart.x, shown, isNarrow), nameLocation: "middle", nameGap: 28 },
    yAxis: {
      ...valueAxis(values, chart.y.unit, chart.y.log > 0, chart.y.name.replaceAll("_", " ")),
      nameTextStyle: { align: "left", color: themeValue("--quiet") },
    },
    series: [
      ...shown.filter(({ low }) => low).map((series) => band(series, chart.x)),
      ...shown
        .filter((one) => !isFew(one))
        .map((one) => standingBack(curve(one, chart.x, isNarrow, labels))),
      ...named.map((series) => curve(series, chart.x, isNarrow, labels)),
      ...shown.filter(({ links }) => links).map((series) => rings(series, chart.x)),
      ...chart.marks.map(markOf),
    ],
  };
}

/** Returns the series that the reader wants to see. */
export function shownSeries(chart: Chart, choice: Choice): Series[] {
  return ofKind(chart, "series").filter(
    (one) => choice.has(one.colour) && (choice.hasFarthest || !one.is_dashed),
  );
}

/** Sizes are powers of two: a linear axis of their exponents has a tick wherever it is wanted. */
function placeOf(value: number, { log }: Axis): number {
  return log === 2 ? Math.log2(value) : value;
}

function acrossAxis(spec: Axis, shown: Series[], isNarrow: boolean): Option {
  const name = spec.name.replaceAll("_", " ");
  if (spec.log === 2) {
    const sizes = axis(name, (power: number) => formatSize(2 ** power));
    const ends = { min: "dataMin", max: "dataMax", interval: isNarrow ? 5 : 2 };
    return { ...sizes, ...ends, type: "value" };
  }
  if (spec.places.length > 0) {
    const named = axis(name, (place: number) => String(place));
    const axisLabel = { color: themeValue("--quiet"), hideOverlap: true };
    return { ...named, axisLabel, type: "category", data: spec.places };
  }
  const places = [...new Set(shown.flatMap(({ x }) => x))].sort((a, b) => a - b);
  const numbered = valueAxis(places, spec.unit, spec.log > 0, name);
  if (shown.some(({ texts }) => texts)) return { ...numbered, scale: true };
  const ends = { min: "dataMin", max: "dataMax" };
  if (places.length > MOST_PLACES) return { ...numbered, ...ends };
  const { axisLabel, axisTick } = numbered as { axisLabel: object; axisTick: object };
  return {
    ...numbered,
    ...ends,
    axisLabel: { ...axisLabel, customValues: places },
    axisTick: { ...axisTick, customValues: places },
  };
}

function curve(series: Series, across: Axis, isNarrow: boolean, labels: number): Option {
  const { name, look, x, y, links } = series;
  const own = colour(series.colour);
  const hasPoints = look === "points" || (look === "line" && x.length <= MOST_POINTS);
  return {
    type: look === "points" ? "scatter" : "line",
    id: name || undefined,
    name,
    data: x.map((value, at) => [placeOf(value, across), y[at]!]),
    symbol: links ? "circle" : shape(series.colour),
    symbolSize: 7,
    showSymbol: hasPoints,
    showAllSymbol: true,
    step: look === "steps" ? "end" : false,
    color: own,
    lineStyle: { width: 2, type: series.is_dashed ? "dashed" : "solid" },
    label: pointLabel(series),
    endLabel: {
      show: name !== "" && look !== "points",
      formatter: "{a}",
      color: own,
      fontSize: isNarrow ? 10 : 11,
      width: labels,
      overflow: "truncate",
      distance: series.links ? 14 : 8,
      lineHeight: 14,
      minMargin: 1,
    },
    labelLayout: series.texts ? { hideOverlap: true } : { moveOverlap: "shiftY" },
    emphasis: { focus: "series", lineStyle: { width: 3.5 }, endLabel: { fontWeight: "bold" } },
    blur: { lineStyle: FAINT, itemStyle: FAINT, endLabel: { opacity: 0.2 } },
  };
}

/** Returns a curve without name and colour, which it has again while it is pointed at. */
function standingBack(found: Option): Option {
  const { endLabel, emphasis, color } = found as Record<string, Option>;
  return {
    ...found,
    z: 1,
    showSymbol: false,
    lineStyle: { ...(found.lineStyle as Option), width: 1, color: themeValue("--faint") },
    endLabel: { ...endLabel, show: false },
    emphasis: {
      ...emphasis,
      lineStyle: { width: 3.5, color },
      endLabel: { show: true, fontWeight: "bold" },
    },
  };
}

/** Draws a ring for each point that leads to a part of the page, above all other shapes. */
function rings({ x, y, links, colour: number }: Series, across: Axis): Option {
  return {
    type: "scatter",
    z: 4,
    symbol: "circle",
    symbolSize: 13,
    tooltip: { show: false },
    itemStyle: { color: themeValue("--raised"), borderColor: colour(number), borderWidth: 3 },
    data: x.flatMap((value, at) =>
      links![at] ? [{ value: [placeOf(value, across), y[at]!], link: links![at] }] : [],
    ),
  };
}

function pointLabel({ texts, colour: number }: Series): Option {
  return {
    show: texts !== undefined,
    position: "right",
    color: themeValue(number < 0 ? "--quiet" : "--ink"),
    formatter: ({ dataIndex }: { dataIndex: number }) => texts?.[dataIndex] ?? "",
  };
}

/** Draws the intervals of all values as an area. */
function band({ x, low, high, colour: number }: Series, across: Axis): Option {
  return {
    type: "custom",
    silent: true,
    z: 1,
    data: [[placeOf(x[0]!, across), low![0]]],
    tooltip: { show: false },
    renderItem: (_: unknown, item: Item) => {
      const at = (row: number, ends: number[]) =>
        item.coord([placeOf(x[row]!, across), ends[row]!]);
      const rows = [...x.keys()];
      const points = [
        ...rows.map((row) => at(row, low!)),
        ...rows.reverse().map((row) => at(row, high!)),
      ];
      return { type: "polygon", shape: { points }, style: { fill: colour(number), opacity: 0.2 } };
    },
  };
}

function words(items: Pointed[], values: number[], { x, y }: Chart): string {
  const first = items[0];
  if (!first) return "";
  const unit = displayUnit(values, y.unit, false);
  const rows = items.slice(0, MOST_ROWS).map(
    (item) =>
      `<tr><td>${item.marker}${escape(item.seriesName)}</td>` +
      `<td class="number">${inUnit(item.value[1], unit)} ${unit.name}</td></tr>`,
  );
  const others = items.length - rows.length;
  const more = others > 0 ? `<p>and ${others} more</p>` : "";
  return `<b>${placeText(first.value[0], x)}</b><table>${rows.join("")}</table>${more}`;
}

function placeText(place: number, { log, unit, places, name }: Axis): string {
  if (log === 2) return formatSize(2 ** place);
  const shown = places[place] ?? formatQuantity(place, unit === "1" ? "" : unit);
  return escape(`${name.replaceAll("_", " ")}: ${shown}`);
}
