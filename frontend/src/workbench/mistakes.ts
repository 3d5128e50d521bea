// The places of the server's messages in the text: by line and column where a message has them,
// else by the first key that it quotes and the text has.
import { isMap, isPair, isScalar, parseDocument } from "yaml";
import { type Mistake } from "./answers";

export { type Mistake };

export interface Placed extends Mistake {
  from: number;
  to: number;
  line: number;
}

/** Returns where a mistake stands in a text; at its beginning if it has no place. */
export function placed(text: string, mistake: Mistake): Placed {
  const [from, to] = place(text, mistake.message);
  const line = text.slice(0, from).split("\n").length;
  return { ...mistake, from, to, line };
}

function place(text: string, message: string): [number, number] {
  const said = /line (\d+)(?:, column (\d+))?/.exec(message);
  if (said) {
    const lines = text.split("\n");
    const row = Math.min(Number(said[1]), lines.length) - 1;
    const start = lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
    const column = Math.min(Number(said[2] ?? 1) - 1, lines[row]!.length);
    return [start + column, start + lines[row]!.length];
  }
  for (const [, quoted] of message.matchAll(/'([\w.[\]-]+)'/g)) {
    const found = rangeOf(text, quoted!);
    if (found) return found;
  }
  const first = text.search(/\S/);
  return [Math.max(first, 0), Math.max(text.indexOf("\n"), Math.max(first, 0))];
}

/** Returns the range of the value of a dotted path, or of a key of its last name. */
function rangeOf(text: string, dotted: string): [number, number] | null {
  const path = dotted.split(/[.[\]]+/).filter(Boolean);
  let node: unknown = parseDocument(text).contents;
  let found: [number, number] | null = null;
  for (const key of path) {
    const items = (node as { items?: unknown[] } | null)?.items ?? [];
    const next = isMap(node)
      ? items.find((one) => isPair(one) && isScalar(one.key) && String(one.key.value) === key)
      : items[Number(key)];
    if (!next) break;
    const own = isPair(next) ? next.key : next;
    node = isPair(next) ? next.value : next;
    const range = (own as { range?: [number, number, number] }).range;
    const inner = (isScalar(node) ? node.range : range) ?? range;
    if (range && inner) found = [range[0], Math.max(range[1], inner[1])];
  }
  return found;
}
