// Columns of integers as linkwright.views.packed writes them: one after the other, each after a
// head of three words (number of values, offset, bytes per value), deflated, in base64.

/** Returns the bytes that were deflated and written in base64. */
export async function inflated(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Yields the columns in turn; unused columns are not unpacked. */
export function* columns(packed: ArrayBuffer): Generator<Int32Array, void> {
  for (let at = 0; at < packed.byteLength; ) {
    const [n, least, bytes] = new Int32Array(packed, at, 3) as unknown as [number, number, number];
    const type = bytes === 1 ? Uint8Array : bytes === 2 ? Uint16Array : Uint32Array;
    yield Int32Array.from(new type(packed, at + 12, n), (value) => value + least);
    at += 12 + 4 * Math.ceil((n * bytes) / 4);
  }
}
