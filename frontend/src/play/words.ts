// Times, sizes and names in words.
import { formatQuantity } from "../quantities";

/** Returns a time with digits enough to tell moments of a run apart that are `apart` seconds. */
export function momentText(seconds: number, end: number, apart = end / 1e4): string {
  const digits = Math.ceil(-Math.log10(apart * unitOf(end).factor) - 1e-9);
  return inUnit(seconds, end, Math.min(9, Math.max(0, digits)));
}

/** Returns the text at a mark of an axis that has one at every `step`. */
export function axisText(seconds: number, step: number, end: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step * unitOf(end).factor) + 1e-9));
  return inUnit(seconds, end, digits);
}

function inUnit(seconds: number, end: number, digits: number): string {
  const { factor, unit } = unitOf(end);
  return `${(seconds * factor).toFixed(digits)} ${unit}`;
}

/** Returns the unit in which all times of a run are written. */
function unitOf(end: number): { factor: number; unit: string } {
  if (end >= 1) return { factor: 1, unit: "s" };
  return end >= 1e-3 ? { factor: 1e3, unit: "ms" } : { factor: 1e6, unit: "µs" };
}

/** Returns a span of time. */
export function spanText(seconds: number): string {
  return seconds < 1e-6
    ? `${Number((seconds * 1e9).toPrecision(3))} ns`
    : formatQuantity(seconds, "s");
}

/** Returns a value of a row, in display units. */
export function valueText(value: number, unit: string): string {
  if (unit === "1") return value.toLocaleString("en", { maximumFractionDigits: 3 });
  return formatQuantity(value, unit);
}

/** Round steps between the marks of an axis, about `n` of them. */
export function axisStep(span: number, n: number): number {
  const raw = span / Math.max(1, n);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((one) => one * power >= raw) ?? 10;
  return step * power;
}
