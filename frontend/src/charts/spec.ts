// Charts as linkwright.views.chart writes them into a page: data in base units. The number of a
// network, `colour`, is the same in all charts of a page.

export interface Axis {
  name: string;
  unit: string;
  /** Base of a logarithmic scale; 0 is a linear one. */
  log: 0 | 2 | 10;
  /** Names of the places 0, 1 and so on, of an axis without numbers. */
  places: string[];
}

/** Values along the horizontal axis. */
export interface Series {
  kind: "series";
  name: string;
  colour: number;
  x: number[];
  y: number[];
  look: "line" | "steps" | "points" | "printed";
  is_dashed: boolean;
  /** The ends of the interval of each value, if there are intervals. */
  low?: number[];
  high?: number[];
  /** The name of each point, if points have names. */
  texts?: string[];
  /** Part of the page that each point leads to. */
  links?: (string | null)[];
}

/** A bar for each place of the vertical axis. */
export interface Bars {
  kind: "bars";
  name: string;
  colour: number;
  /** The end of each bar; null where there is none. */
  values: (number | null)[];
  /** The begin of each bar, 0 without it. */
  starts?: number[];
  colours?: number[];
  low?: (number | null)[];
  high?: (number | null)[];
  notes?: string[];
  /** Texts at the begin and at the end of each bar. */
  ends?: [string, string][];
}

/** The spread of several values at each place of the horizontal axis. */
export interface Boxes {
  kind: "boxes";
  colour: number;
  /** Lower whisker, lower quartile, median, upper quartile, upper whisker. */
  boxes: [number, number, number, number, number][];
  outliers?: [number, number][];
}

/** A value for each pair of places, in rows from the bottom up. */
export interface Cells {
  kind: "cells";
  colour: number;
  values: (number | null)[][];
  axis: Axis;
}

export interface Mark {
  value: number;
  axis: "x" | "y";
  name: string;
}

export interface Chart {
  id: string;
  title: string;
  x: Axis;
  y: Axis;
  series: (Series | Bars | Boxes | Cells)[];
  marks: Mark[];
}

/** The data of many charts of cost against time, of which the reader chooses one. */
export interface CostSpec {
  id: string;
  kind: "cost";
  currency: string;
  names: string[];
  /** Whether a network has fewer nodes than the others, and thus no place on the front. */
  is_smaller: boolean[];
  prices: { name: string; values: number[] }[];
  durations: { name: string; values: (number | null)[] }[];
}

export type Spec = Chart | CostSpec;

/** The part of the data that the reader wants to see. */
export interface Choice {
  has(network: number): boolean;
  /** Whether a network has its colour and its name among curves; the others stand back. */
  standsOut(network: number): boolean;
  /** Whether pairs of nodes that are far apart have curves and bars. */
  hasFarthest: boolean;
  /** Which of the prices and durations are drawn against each other. */
  price: number;
  duration: number;
}

export const EVERYTHING: Choice = {
  has: () => true,
  standsOut: () => true,
  hasFarthest: true,
  price: 0,
  duration: 0,
};

/** Returns an axis of values. Its default: no name, no unit, linear. */
export function axisOf(given: Partial<Axis>): Axis {
  return { name: "", unit: "1", log: 0, places: [], ...given };
}

/** Returns the series of one kind. */
export function ofKind<K extends Chart["series"][number]["kind"]>(chart: Chart, kind: K) {
  type Found = Extract<Chart["series"][number], { kind: K }>;
  return chart.series.filter((one): one is Found => one.kind === kind);
}
