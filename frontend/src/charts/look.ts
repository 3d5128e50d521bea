// The look of all charts: colours and shapes of networks, axes with one unit, tooltips. The colours
// are those of the style sheet, read whenever a chart is drawn.
import { displayUnit, inUnit } from "../quantities";
import { themeValue } from "../theme";

// A list, not "inherit": the library measures text outside of the page.
export const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
export const NARROW_PX = 520;
/** Ratio of the largest to the smallest value from which an axis is logarithmic. */
const LOG_FROM = 10;
/** A logarithmic axis begins at such a share of the smallest value, or below. */
const LEAST_SHARE = 0.9;
const N_COLOURS = 8;
/** As in templates/comparison.html.j2; with eight colours they repeat after forty networks. */
const SHAPES = [
  "M5 0a5 5 0 1 0 .01 0Z",
  "M0 0H10V10H0Z",
  "M5 0 10 10H0Z",
  "M5 0 10 5 5 10 0 5Z",
  "M0 0H10L5 10Z",
];

export type Option = Record<string, unknown>;

/** Returns the colour of a number; -1 is that of what stands back. */
export function colour(network: number): string {
  if (network < 0) return themeValue("--quiet");
  return themeValue(`--series-${(network % N_COLOURS) + 1}`);
}

export function shape(network: number): string {
  return `path://${SHAPES[Math.max(network, 0) % SHAPES.length]}`;
}

/** Returns the parts of an axis of values: its scale, and one unit for all its ticks. */
export function valueAxis(
  values: number[],
  quantity: string,
  wantsLog = isWide(values),
  words = "",
): Option {
  const isLog = wantsLog && values.some((value) => value > 0);
  const unit = displayUnit(values, quantity, isLog);
  const name = [words, unit.name, isLog ? "logarithmic" : ""].filter(Boolean).join(", ");
  const ends = values.filter((value) => value > 0).map((value) => value * unit.factor);
  const plain = axis(name, (value: number) => inUnit(value, unit));
  if (!isLog) return { ...plain, type: "value" };
  // Without a start bars would begin at 1, which is beyond values that are less.
  const min = below(Math.min(...ends) * LEAST_SHARE) / unit.factor;
  return {
    ...plain,
    type: "log",
    min,
    max: above(Math.max(...ends)) / unit.factor,
    startValue: min,
  };
}

/** Returns the next lower and the next higher of 1, 2, 5, 10, 20 and so on. */
function below(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([5, 2].find((one) => one * power < value) ?? 1);
}

function above(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([2, 5].find((one) => one * power > value) ?? 10);
}

/** Returns whether values differ so much that the largest would crush the others. */
export function isWide(values: number[]): boolean {
  const known = values.filter((value) => value > 0);
  return known.length > 1 && Math.max(...known) >= LOG_FROM * Math.min(...known);
}

export function axis(name: string, format: (value: number) => string): Option {
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

export function tooltip(): Option {
  return {
    backgroundColor: themeValue("--raised"),
    borderColor: themeValue("--line"),
    textStyle: { color: themeValue("--ink"), fontSize: 12 },
    confine: true,
  };
}

export function escape(text: string): string {
  const place = document.createElement("span");
  place.textContent = text;
  return place.innerHTML;
}
