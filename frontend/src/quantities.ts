// Base units to the unit a reader expects: seconds to us or ms, bytes per second to MB/s (10^6),
// message sizes to KiB and MiB (powers of two, as the sizes are), amounts of data to kB and MB.

/** Returns a value in base units as text, for "s", "B/s", "B" or a unit shown as it is. */
export function formatQuantity(value: number, quantity: string): string {
  if (quantity === "s") return formatTime(value);
  if (quantity === "B/s") return formatThroughput(value);
  if (quantity === "B") return formatBytes(value);
  return `${significant(value)} ${quantity}`.trim();
}

/** Returns an amount of data, such as the bytes of some frames. */
export function formatBytes(bytes: number): string {
  if (bytes >= 1e6) return `${significant(bytes / 1e6)} MB`;
  if (bytes >= 1e4) return `${significant(bytes / 1e3)} kB`;
  return `${bytes.toLocaleString("en", { maximumFractionDigits: 0 })} B`;
}

/** Returns a message size such as "4 KiB". */
export function formatSize(bytes: number): string {
  if (bytes >= 2 ** 20) return `${significant(bytes / 2 ** 20)} MiB`;
  if (bytes >= 1024) return `${significant(bytes / 1024)} KiB`;
  return `${significant(bytes)} B`;
}

/** One unit for all values of an axis. */
export interface Unit {
  name: string;
  factor: number;
}

const UNITS: Record<string, [least: number, name: string, factor: number][]> = {
  s: [
    [1, "s", 1],
    [1e-3, "ms", 1e3],
    [0, "µs", 1e6],
  ],
  "B/s": [
    [1e6, "MB/s", 1e-6],
    [1e3, "kB/s", 1e-3],
    [0, "B/s", 1],
  ],
  "1": [[0, "", 1]],
};

/** Returns the unit of the largest value, or on a logarithmic axis that of the middle. */
export function displayUnit(values: number[], quantity: string, isLog: boolean): Unit {
  const known = values.filter((value) => value > 0);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const typical = known.length === 0 ? 0 : isLog ? Math.sqrt(least * most) : most;
  const found = UNITS[quantity]?.find(([from]) => typical >= from);
  return found ? { name: found[1], factor: found[2] } : { name: quantity, factor: 1 };
}

/** Returns a value in base units as a number in a unit. */
export function inUnit(value: number, { factor }: Unit): string {
  const shown = value * factor;
  if (shown >= 1000) return Math.round(shown).toLocaleString("en");
  return significant(shown);
}

/** Returns the rate of a link. */
export function formatRate(bitsPerSecond: number): string {
  if (bitsPerSecond >= 1e9) return `${significant(bitsPerSecond / 1e9)} Gb/s`;
  if (bitsPerSecond >= 1e6) return `${significant(bitsPerSecond / 1e6)} Mb/s`;
  return `${significant(bitsPerSecond)} bit/s`;
}

export function formatTime(seconds: number): string {
  if (seconds >= 1) return `${significant(seconds)} s`;
  if (seconds >= 1e-3) return `${significant(seconds * 1e3)} ms`;
  return `${significant(seconds * 1e6)} µs`;
}

function formatThroughput(bytesPerSecond: number): string {
  if (bytesPerSecond >= 1e6) return `${significant(bytesPerSecond / 1e6)} MB/s`;
  if (bytesPerSecond >= 1e3) return `${significant(bytesPerSecond / 1e3)} kB/s`;
  return `${significant(bytesPerSecond)} B/s`;
}

function significant(value: number): string {
  return String(Number(value.toPrecision(3)));
}
