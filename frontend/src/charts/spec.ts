// The specifications of charts that linkwright.views writes into a page: data in base units. The
// number of a network, `colour`, is the same in all charts.

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

export type Spec = LineSpec | BarSpec | CostSpec;

/** The reader's choice among the data. */
export interface Choice {
  has(network: number): boolean;
  /** Whether pairs of nodes that are far apart have curves and bars. */
  hasFarthest: boolean;
  /** Which of the prices and durations are drawn against each other. */
  price: number;
  duration: number;
}

export const EVERYTHING: Choice = { has: () => true, hasFarthest: true, price: 0, duration: 0 };
