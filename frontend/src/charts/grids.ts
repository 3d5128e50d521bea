// Charts over named places: the spread of values as boxes, and values as the colours of cells. Both
// are drawn from plain shapes, so that a page carries no further parts of the library.
import { color } from "echarts/core";
import { displayUnit, formatQuantity, inUnit } from "../quantities";
import { themeValue } from "../theme";
import { type Option, axis, colour, escape, tooltip, valueAxis } from "./look";
import { type Item, line, text } from "./shapes";
import { type Boxes, type Cells, type Chart } from "./spec";

const BOX_PX = 36;
/** Cells up to which each shows its value. */
const MOST_TEXTS = 200;
/** Viridis, whose steps look equal to every reader, from dark to light. */
const STOPS = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"];
const CELL_TEXTS = ["#fdfdfd", "#101418"];

function placesAxis(name: string, places: string[]): Option {
  const axisLabel = { color: themeValue("--quiet"), hideOverlap: true };
  return { ...axis(name, String), axisLabel, type: "category", data: places };
}

export function boxOptions(chart: Chart, { boxes, outliers }: Boxes): Option {
  const beyond = outliers ?? [];
  const values = [...boxes.flat(), ...beyond.map(([, value]) => value)];
  const unit = displayUnit(values, chart.y.unit, chart.y.log > 0);
  const names = ["whisker", "quartile", "median", "quartile", "whisker"];
  const words = (row: number) =>
    boxes[row]!.map((value, at) => `${names[at]} ${inUnit(value, unit)} ${unit.name}`);
  return {
    grid: { left: 4, right: 18, top: 34, bottom: 30 },
    tooltip: {
      ...tooltip(),
      trigger: "item",
      formatter: ({ data }: { data: number[] }) =>
        `<b>${escape(chart.x.places[data[0]!]!)}</b><br>` +
        (data.length > 2 ? words(data[0]!).join("<br>") : `${inUnit(data[1]!, unit)} ${unit.name}`),
    },
    xAxis: { ...placesAxis(chart.x.name, chart.x.places), nameLocation: "middle", nameGap: 28 },
    yAxis: {
      ...valueAxis(values, chart.y.unit, chart.y.log > 0, chart.y.name.replaceAll("_", " ")),
      nameTextStyle: { align: "left", color: themeValue("--quiet") },
    },
    series: [
      {
        type: "custom",
        encode: { x: 0, y: [1, 2, 3, 4, 5] },
        data: boxes.map((box, row) => [row, ...box]),
        renderItem: (_: unknown, item: Item) => box(item),
      },
      {
        type: "scatter",
        symbol: "circle",
        symbolSize: 6,
        itemStyle: { color: "transparent", borderColor: themeValue("--ink") },
        data: beyond,
      },
    ],
  };
}

function box(item: Item) {
  const ink = themeValue("--ink");
  const [least, low, median, high, most] = [1, 2, 3, 4, 5].map((dimension) =>
    item.coord([item.value(0), item.value(dimension)]),
  ) as [number, number][] as [[number, number], ...[number, number][]];
  const x = least[0];
  const half = Math.min(BOX_PX, item.size!([1, 0])[0] * 0.6) / 2;
  const across = ([, y]: [number, number], stroke: string, share = 1) =>
    line([x - half * share, y], [x + half * share, y], stroke);
  const shape = { x: x - half, y: high![1], width: 2 * half, height: low![1] - high![1] };
  return {
    type: "group",
    children: [
      line(least, low!, ink),
      line(high!, most!, ink),
      across(least, ink, 0.5),
      across(most!, ink, 0.5),
      { type: "rect", shape, style: { fill: themeValue("--raised"), stroke: ink } },
      across(median!, colour(1)),
    ],
  };
}

export function cellOptions(chart: Chart, { values, axis: scale }: Cells): Option {
  const known = values.flat().filter((value): value is number => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const at = (value: number) => (scale.log > 0 ? Math.log(value) : value);
  const share = (value: number) =>
    most > least ? (at(value) - at(least)) / (at(most) - at(least)) : 0.5;
  const shown = (value: number | null) =>
    value === null ? "–" : formatQuantity(value, scale.unit === "1" ? "" : scale.unit);
  const hasTexts = values.length * (values[0]?.length ?? 0) <= MOST_TEXTS;
  const rows = values.flatMap((line, y) => line.map((value, x) => [x, y, value] as const));
  const key = `dark: ${shown(least)}, light: ${shown(most)}`;
  return {
    grid: { left: 4, right: 18, top: 34, bottom: 30 },
    tooltip: {
      ...tooltip(),
      trigger: "item",
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const [x, y, value] = rows[dataIndex]!;
        const place = `${chart.x.places[x]}, ${chart.y.places[y]}`;
        return `<b>${escape(place)}</b><br>${shown(value)}`;
      },
    },
    xAxis: { ...placesAxis(chart.x.name, chart.x.places), nameLocation: "middle", nameGap: 28 },
    yAxis: {
      ...placesAxis(`${chart.y.name}; ${scale.name.replaceAll("_", " ")}, ${key}`, chart.y.places),
      nameTextStyle: { align: "left", color: themeValue("--quiet") },
    },
    series: [
      {
        type: "custom",
        encode: { x: 0, y: 1 },
        data: rows.map(([x, y]) => [x, y]),
        renderItem: ({ dataIndex }: { dataIndex: number }, item: Item) => {
          const [column, row, value] = rows[dataIndex]!;
          const [x, y] = item.coord([column, row]);
          const [width, height] = item.size!([1, 1]);
          const part = value === null ? null : share(value);
          const fill = part === null ? themeValue("--grid") : color.lerp(part, STOPS)!;
          const ink =
            part === null ? themeValue("--quiet") : CELL_TEXTS[part < 0.6 ? 0 : 1]!;
          const shape = { x: x - width / 2, y: y - height / 2, width, height };
          const children: unknown[] = [{ type: "rect", shape, style: { fill } }];
          if (hasTexts) children.push(text(shown(value), { x, y, fill: ink }, "center"));
          return { type: "group", children };
        },
      },
    ],
  };
}
