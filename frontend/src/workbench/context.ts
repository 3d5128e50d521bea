// Where a position in a YAML text lies, also while the text there is not finished: the keys that
// lead to it, and whether a key or a value is being written. A scanner of lines and brackets, since
// a parser of whole documents has nothing to say about half a line.
import { type Path } from "./patch";

export interface Context {
  /** The keys of the maps around the position; the last is the value's own key in `value`. */
  path: Path;
  place: "key" | "value";
  /** The word before the position, and where it begins. */
  word: string;
  from: number;
}

interface Level {
  bracket: "{" | "[";
  key: string | null;
  index: number;
}

/** Returns the context of a position; null in comments and quotes. */
export function contextAt(text: string, position: number): Context | null {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf("\n") + 1;
  const scanned = scan(before);
  if (!scanned) return null;
  const { levels, key, word, start } = scanned;
  const first = levels.length > 0 ? start : lineStart;
  const from = position - word.length;
  if (levels.length > 0) {
    const path = [...blockPath(before, first), ...flowPath(levels)];
    const isKey = levels.at(-1)!.bracket === "{" && key === null;
    const whole = key === null ? path : [...path, key];
    return { path: whole, place: isKey ? "key" : "value", word, from };
  }
  const path = blockPath(before, lineStart);
  const line = /^(\s*(?:- )?)([\w-]+):(\s+)([^\s#]*)$/.exec(before.slice(lineStart));
  if (line) return { path: [...path, line[2]!], place: "value", word: line[4]!, from };
  return /^\s*(?:- )?[\w-]*$/.test(before.slice(lineStart))
    ? { path, place: "key", word, from }
    : null;
}

/** Follows brackets, quotes and comments up to the end of a text. */
function scan(text: string) {
  const levels: Level[] = [];
  const keys: (string | null)[] = [];
  let [key, word, quote, start] = [null as string | null, "", "", 0];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quote) {
      if (quote === "#" ? letter === "\n" : letter === quote) quote = "";
      word = "";
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "#" && /\s|^$/.test(text[at - 1] ?? "")) quote = "#";
    else if (letter === "{" || letter === "[") {
      if (levels.length === 0) start = text.lastIndexOf("\n", at) + 1;
      levels.push({ bracket: letter, key: levels.length > 0 ? key : lineKey(text, at), index: 0 });
      keys.push(key);
      [key, word] = [null, ""];
    } else if (letter === "}" || letter === "]") {
      levels.pop();
      key = keys.pop() ?? null;
      word = "";
    } else if (letter === "," && levels.length > 0) {
      levels.at(-1)!.index++;
      [key, word] = [null, ""];
    } else if (letter === ":" && levels.length > 0) [key, word] = [word, ""];
    else if (/\s/.test(letter)) word = "";
    else word += letter;
  }
  return quote ? null : { levels, key, word, start };
}

/** Returns the key before a bracket on its line. */
function lineKey(text: string, at: number): string | null {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return /([\w-]+):\s*$/.exec(line)?.[1] ?? null;
}

/** Returns the keys of open brackets. */
function flowPath(levels: Level[]): Path {
  return levels.flatMap(({ bracket, key, index }) => [
    ...(key === null ? [] : [key]),
    ...(bracket === "[" ? [index] : []),
  ]);
}

/** Returns the keys of the lines above that are indented less, from the outermost. */
function blockPath(text: string, lineStart: number): Path {
  const rest = text.slice(lineStart);
  let indent = /^\s*/.exec(rest)![0].length;
  const path: Path = [];
  const above = text.slice(0, lineStart).split("\n").slice(0, -1).reverse();
  for (const line of above) {
    const found = /^(\s*)([\w-]+):\s*(#.*)?$/.exec(line);
    if (found && found[1]!.length < indent) {
      path.unshift(found[2]!);
      indent = found[1]!.length;
    }
    if (indent === 0) break;
  }
  return path;
}
