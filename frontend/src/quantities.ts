// Base units to the unit a reader expects: seconds to us or ms, bytes per second to MB/s (10^6),
// message sizes to KiB and MiB (powers of two, as the sizes are).

/** Returns a value in base units as text, for "s", "B/s" or a unit shown as it is. */
export function formatQuantity(value: number, quantity: string): string {
  if (quantity === "s") return formatTime(value);
  if (quantity === "B/s") return formatThroughput(value);
  return `${significant(value)} ${quantity}`.trim();
}

/** Returns a message size such as "4 KiB". */
export function formatSize(bytes: number): string {
  if (bytes >= 2 ** 20) return `${significant(bytes / 2 ** 20)} MiB`;
  if (bytes >= 1024) return `${significant(bytes / 1024)} KiB`;
  return `${significant(bytes)} B`;
}

function formatTime(seconds: number): string {
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
