// Bars of figures, in the order given. Where one bar would crush the others the axis is logarithmic
// and figures are dots, since the length of a bar means nothing there. An interval is a whisker.
// Bars with begins of their own have texts at both ends.
import { type Unit, displayUnit, inUnit } from "../quantities";
import { themeValue } from "../theme";
import { NARROW_PX, type Option, colour, escape, isWide, tooltip, valueAxis } from "./look";
import { type Item, line, markOf, text } from "./shapes";
import { type Bars, type Chart, type Choice, ofKind } from "./spec";

const BAR_PX = 26;
/** Height of each of many bars. */
const THIN_BAR_PX = 20;
const MANY_BARS = 12;
const AROUND_PX = 64;
/** Room for texts beside bars that begin anywhere, as a share of all bars. */
const ROOM = 0.15;
/** Half the height of the ends of a whisker, in pixels. */
const WHISKER_END = 5;

/** Returns the places of the bars that the reader wants to see. */
export function shownPlaces(chart: Chart, choice: Choice): number[] {
  const { colours } = ofKind(chart, "bars")[0]!;
  return [...chart.y.places.keys()].filter(
    (place) =>
      choice.has(colours?.[place] ?? 0) &&
      (choice.hasFarthest || !chart.y.places[place]!.endsWith(", farthest")),
  );
}

/** Returns the height of a chart, in pixels. */
export function barsHeight(chart: Chart, choice: Choice): number {
  const rows = shownPlaces(chart, choice).length * ofKind(chart, "bars").length;
  return rows * (rows > MANY_BARS ? THIN_BAR_PX : BAR_PX) + AROUND_PX;
}

export function barOptions(chart: Chart, width: number, choice: Choice): Option {
  const places = shownPlaces(chart, choice);
  const series = ofKind(chart, "bars").map((bars) => at(bars, places));
  const points = ofKind(chart, "series");
  const columns = series.flatMap(({ values, starts, low, high }) => [values, starts, low, high]);
  const values = [...columns, ...points.map(({ x }) => x)]
    .flatMap((column) => column ?? [])
    .filter((value): value is number => typeof value === "number");
  const hasPlace = ({ starts, low }: Bars) =>
    !starts && !low?.some((end) => end !== null && end <= 0);
  const isLog = isWide(values) && series.every(hasPlace);
  const unit = displayUnit(values, chart.x.unit, isLog);
  const isNarrow = width < NARROW_PX;
  const names = places.map((place) => chart.y.places[place]!);
  const across = valueAxis(values, chart.x.unit, isLog, chart.x.name.replaceAll("_", " "));
  return {
    grid: { left: 4, right: isNarrow ? 72 : 92, top: 4, bottom: 26 },
    tooltip: {
      ...tooltip(),
      trigger: "item",
      formatter: ({ seriesIndex, dataIndex }: { seriesIndex: number; dataIndex: number }) =>
        words(series[seriesIndex], dataIndex, names[dataIndex] ?? "", unit),
    },
    xAxis: {
      ...(series.some(({ starts }) => starts) ? withRoom(across, values) : across),
      nameLocation: "middle",
      nameGap: 26,
      splitNumber: isNarrow ? 3 : 5,
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: names,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: themeValue("--line") } },
      axisLabel: {
        color: themeValue("--ink"),
        fontSize: isNarrow ? 11 : 12,
        interval: 0,
        ...(isNarrow && { width: 128, overflow: "truncate" }),
      },
    },
    series: [
      ...series.map((bars) => {
        if (bars.starts) return spansOf(bars);
        return isLog ? dotsOf(bars, unit, series, across) : barsOf(bars, unit, series.length);
      }),
      ...series.filter(hasWhiskers).map((bars) => whiskers(bars, unit, series)),
      ...points.map(({ x, colour: number }) => ({
        type: "scatter",
        z: 4,
        symbol: "diamond",
        symbolSize: 10,
        data: places.map((place, row) => [x[place], row]),
        itemStyle: { color: colour(number) },
      })),
      ...chart.marks.map(markOf),
    ],
  };
}

/** Returns an axis with room for texts beside bars. */
function withRoom(across: Option, values: number[]): Option {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = ROOM * (most - least || Math.abs(most) || 1);
  const axisLabel = { ...(across.axisLabel as Option), showMinLabel: false, showMaxLabel: false };
  return { ...across, axisLabel, min: least - room, max: most + room };
}

/** Returns bars at some of their places. */
function at(bars: Bars, places: number[]): Bars {
  const some = <T>(column: T[] | undefined) => column && places.map((place) => column[place]!);
  return {
    ...bars,
    values: some(bars.values)!,
    starts: some(bars.starts),
    colours: some(bars.colours),
    low: some(bars.low),
    high: some(bars.high),
    notes: some(bars.notes),
    ends: some(bars.ends),
  };
}

function colourAt({ colour: own, colours }: Bars, row: number): string {
  return colour(colours?.[row] ?? own);
}

function barsOf(bars: Bars, unit: Unit, nSeries: number): Option {
  return {
    type: "bar",
    name: bars.name,
    barMaxWidth: 18,
    data: bars.values.map((value, row) => ({ value, itemStyle: { color: colourAt(bars, row) } })),
    itemStyle: { borderRadius: [0, 3, 3, 0] },
    emphasis: { focus: "self" },
    label: labelOf(bars, unit, nSeries),
  };
}

function labelOf(bars: Bars, unit: Unit, nSeries: number): Option {
  return {
    show: nSeries === 1,
    position: "right",
    color: themeValue("--ink"),
    formatter: ({ dataIndex }: { dataIndex: number }) =>
      typeof bars.low?.[dataIndex] === "number" ? "" : valueText(bars.values[dataIndex]!, unit),
  };
}

/** Draws a dot for each figure; one that was not run has words alone. */
function dotsOf(bars: Bars, unit: Unit, all: Bars[], across: Option): Option {
  const aside = ((all.indexOf(bars) + 0.5) / all.length - 0.5) * BAR_PX;
  return {
    type: "scatter",
    name: bars.name,
    symbol: "circle",
    symbolSize: 11,
    symbolOffset: [0, all.length > 1 ? aside : 0],
    data: bars.values.map((value, row) => ({
      value: [value ?? across.min, row],
      itemStyle: { color: value === null ? "transparent" : colourAt(bars, row) },
    })),
    emphasis: { focus: "self" },
    label: labelOf(bars, unit, all.length),
  };
}

function hasWhiskers({ low }: Bars): boolean {
  return low?.some((end) => typeof end === "number") ?? false;
}

function valueText(value: number | null, unit: Unit): string {
  return value === null ? "not run" : `${inUnit(value, unit)} ${unit.name}`.trim();
}

/** Draws the interval of each bar, with the value beside its end. */
function whiskers(bars: Bars, unit: Unit, all: Bars[]): Option {
  const ink = themeValue("--ink");
  const { low, high } = bars;
  const rows = bars.values.map((_, row) => row).filter((row) => typeof low?.[row] === "number");
  return {
    type: "custom",
    silent: true,
    z: 3,
    encode: { x: [1, 2], y: 0 },
    data: rows.map((row) => [row, low![row], high![row]]),
    renderItem: (_: unknown, item: Item) => {
      const row = item.value(0);
      // Bars of several series stand side by side.
      const height = item.size!([0, 1])[1] * (all.length > 1 ? 0.8 : 0);
      const shift = height * ((all.indexOf(bars) + 0.5) / all.length - 0.5);
      const [left, middle] = item.coord([item.value(1), row]);
      const [right] = item.coord([item.value(2), row]);
      const y = middle + shift;
      const shown = valueText(bars.values[row]!, unit);
      return {
        type: "group",
        children: [
          line([left, y], [right, y], ink),
          line([left, y - WHISKER_END], [left, y + WHISKER_END], ink),
          line([right, y - WHISKER_END], [right, y + WHISKER_END], ink),
          text(shown, { x: right + 6, y, fill: ink }),
        ],
      };
    },
  };
}

/** Draws bars from their begin to their end, with a text at each. */
function spansOf(bars: Bars): Option {
  const ink = themeValue("--ink");
  return {
    type: "custom",
    encode: { x: [1, 2], y: 0 },
    data: bars.values.map((end, row) => [row, bars.starts![row], end]),
    renderItem: (_: unknown, item: Item) => {
      const row = item.value(0);
      const [begin, y] = item.coord([item.value(1), row]);
      const [end] = item.coord([item.value(2), row]);
      const texts = bars.ends?.[row] ?? ["", ""];
      const isRising = end >= begin;
      const beside = (shown: string, x: number, isRight: boolean) =>
        text(shown, { x: x + (isRight ? 6 : -6), y, fill: ink }, isRight ? "left" : "right");
      return {
        type: "group",
        children: [
          {
            type: "rect",
            shape: { x: Math.min(begin, end), y: y - 8, width: Math.abs(end - begin), height: 16 },
            style: { fill: colourAt(bars, row) },
          },
          beside(texts[0], begin, !isRising),
          beside(texts[1], end, isRising),
        ],
      };
    },
  };
}

function words(bars: Bars | undefined, row: number, name: string, unit: Unit): string {
  if (!bars) return "";
  const value = bars.values[row] ?? null;
  const [low, high] = [bars.low?.[row], bars.high?.[row]];
  const begin = bars.starts?.[row];
  const span = (ends: number[]) => ends.map((end) => valueText(end, unit)).join(" to ");
  const lines = [begin === undefined ? valueText(value, unit) : span([begin, value!])];
  if (typeof low === "number" && typeof high === "number") lines.push(`90 %: ${span([low, high])}`);
  for (const note of [bars.name, bars.notes?.[row]]) if (note) lines.push(escape(note));
  return `<b>${escape(name)}</b><br>${lines.join("<br>")}`;
}
