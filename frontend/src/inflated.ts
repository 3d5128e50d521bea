// Bytes in few characters, as pages embed them: deflated and in base64.

/** Returns the bytes of such a text. */
export async function inflated(text: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Returns the value of such a text that is JSON. */
export async function inflatedJson<T>(text: string): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await inflated(text))) as T;
}
