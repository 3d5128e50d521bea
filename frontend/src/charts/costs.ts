// Cost against time: a point per network, and the Pareto front, which no other network beats in
// both. A network with fewer nodes has a hollow point and no place on the front.
import { displayUnit, inUnit } from "../quantities";
import { themeValue } from "../theme";
import { NARROW_PX, type Option, colour, escape, shape, tooltip, valueAxis } from "./look";
import { type Choice, type CostSpec } from "./spec";

interface Place {
  network: number;
  name: string;
  cost: number;
  time: number;
  isSmaller: boolean;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Space between names side by side, in pixels. */
const NAME_GAP_PX = 6;

/** Returns the networks on the front, the cheapest first. */
export function frontOf(spec: CostSpec, choice: Choice): number[] {
  return front(placesOf(spec, choice)).map(({ network }) => network);
}

function front(places: Place[]): Place[] {
  const inOrder = places
    .filter(({ isSmaller }) => !isSmaller)
    .sort((a, b) => a.cost - b.cost || a.time - b.time);
  let least = Infinity;
  return inOrder.filter(({ time }) => {
    const isBetter = time < least;
    least = Math.min(least, time);
    return isBetter;
  });
}

function placesOf(spec: CostSpec, choice: Choice): Place[] {
  const { names, is_smaller, prices, durations } = spec;
  const found: Place[] = [];
  names.forEach((name, network) => {
    const cost = prices[choice.price]!.values[network]!;
    const time = durations[choice.duration]!.values[network];
    if (time === null || time === undefined || !choice.has(network)) return;
    found.push({ network, name, cost, time, isSmaller: is_smaller[network]! });
  });
  return found;
}

export function costOptions(spec: CostSpec, width: number, choice: Choice): Option {
  const places = placesOf(spec, choice);
  const best = front(places);
  const others = places.filter((one) => !best.includes(one));
  const times = places.map(({ time }) => time);
  const unit = displayUnit(times, "s", true);
  const isNarrow = width < NARROW_PX;
  const costs = places.map(({ cost }) => cost);
  const perNode = `${spec.currency} per node`;
  return {
    grid: { left: 4, right: isNarrow ? 70 : 130, top: 34, bottom: 30 },
    tooltip: {
      ...tooltip(),
      trigger: "item",
      formatter: ({ data }: { data: { place: Place } }) => {
        const { name, cost, time, isSmaller } = data.place;
        const remark = isSmaller ? "<br>fewer nodes than the others" : "";
        const figures = `${round(cost)} ${escape(perNode)}<br>${inUnit(time, unit)} ${unit.name}`;
        return `<b>${escape(name)}</b><br>${figures}${remark}`;
      },
    },
    xAxis: { ...named(valueAxis(costs, perNode)), nameLocation: "middle", nameGap: 28 },
    yAxis: {
      ...valueAxis(times, "s"),
      nameTextStyle: { align: "left", color: themeValue("--quiet") },
    },
    series: [steps(best), points(best, true, isNarrow), points(others, false, isNarrow)],
  };
}

function named(axis: Option): Option {
  return { ...axis, name: `cost, ${axis.name}` };
}

function round(cost: number): string {
  return String(Number(cost.toPrecision(4)));
}

function steps(best: Place[]): Option {
  return {
    type: "line",
    silent: true,
    step: "end",
    data: best.map(({ cost, time }) => [cost, time]),
    symbol: "none",
    lineStyle: { color: themeValue("--accent"), width: 2, type: "dashed" },
  };
}

function points(places: Place[], isBest: boolean, isNarrow: boolean): Option {
  return {
    type: "scatter",
    id: isBest ? "front" : "others",
    z: isBest ? 4 : 3,
    symbolSize: isBest ? 13 : 9,
    data: places.map((place) => ({
      value: [place.cost, place.time],
      place,
      name: place.name,
      symbol: shape(place.network),
      itemStyle: place.isSmaller
        ? { color: "transparent", borderColor: colour(place.network), borderWidth: 1.5 }
        : { color: colour(place.network) },
    })),
    label: {
      show: true,
      // Below a point of the front there is nothing: another network there would beat it.
      position: isBest ? "bottom" : "right",
      formatter: "{b}",
      color: themeValue(isBest ? "--ink" : "--quiet"),
      fontSize: isNarrow ? 10 : 11,
      fontWeight: isBest ? "bold" : "normal",
      minMargin: 3,
    },
    labelLayout: isBest ? belowEachOther() : { hideOverlap: true },
    emphasis: { focus: "self", scale: 1.5, label: { show: true, fontWeight: "bold" } },
  };
}

/** Returns a layout that moves a name below those it would touch. */
function belowEachOther(): (label: { dataIndex: number; labelRect: Box }) => Option {
  let placed: Box[] = [];
  return ({ dataIndex, labelRect: { x, y, width, height } }) => {
    if (dataIndex === 0) placed = [];
    const touches = (one: Box, top: number) =>
      Math.abs(x + width / 2 - one.x - one.width / 2) < (width + one.width) / 2 + NAME_GAP_PX &&
      Math.abs(top - one.y) < height;
    let top = y;
    while (placed.some((one) => touches(one, top))) top += height;
    placed.push({ x, y: top, width, height });
    return { dy: top - y };
  };
}
