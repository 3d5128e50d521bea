// Changes of single values in the text of a design: each replaces as few letters as possible, so
// that comments and the author's format stay. The result is read again and compared with what it
// should say; only a text of a form that is not known here is written again by the YAML library.
import { type Document, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { isMap, isScalar, isSeq, parseDocument, stringify } from "yaml";

export type Path = (string | number)[];
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/** One change: the value of a path, or no such key. */
export interface Change {
  path: Path;
  value: Value | undefined;
}

/** Returns the text with some changes made, one after the other. */
export function changed(text: string, changes: Change[]): string {
  return changes.reduce((now, { path, value }) => withValue(now, path, value), text);
}

function withValue(text: string, path: Path, value: Value | undefined): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) return text;
  const wanted = document.clone() as Document;
  if (value === undefined) wanted.deleteIn(path);
  else setIn(wanted, path, value);
  const expected = JSON.stringify(wanted.toJS());
  if (expected === JSON.stringify(document.toJS())) return text;
  const patched = patch(text, document, path, value);
  if (patched !== null && reads(patched, expected)) return patched;
  return String(wanted);
}

function setIn(document: Document, path: Path, value: Value): void {
  if (document.contents === null) document.contents = document.createNode({}) as never;
  document.setIn(path, document.createNode(value));
}

/** Whether a text says what is expected, in whatever order of keys. */
function reads(text: string, expected: string): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && sorted(document.toJS()) === sorted(JSON.parse(expected));
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Returns the text with one value changed in place; null where its form is not known. */
function patch(
  text: string,
  document: Document,
  path: Path,
  value: Value | undefined,
): string | null {
  const found: unknown = path.length > 0 ? document.getIn(path, true) : document.contents;
  if (value === undefined) return found === undefined ? text : removed(text, document, path);
  if (isScalar(found) && !isNested(value)) {
    const [start, end] = found.range!;
    return start === end ? null : spliced(text, start, end, written(value));
  }
  if (isSeq(found) && Array.isArray(value)) return listed(text, found, value);
  if (found !== undefined) return null;
  return added(text, document, path, value);
}

function isNested(value: Value): boolean {
  return typeof value === "object" && value !== null;
}

/** Changes the entries of a list: those there in place, further ones behind, others not at all. */
function listed(text: string, list: YAMLSeq, values: Value[]): string | null {
  const entries = list.items;
  const plain = entries.every((entry) => isScalar(entry)) && !values.some(isNested);
  if (!plain || values.length === 0 || entries.length === 0) return null;
  const ranges = entries.map((entry) => (entry as { range: [number, number, number] }).range);
  let made = text;
  const last = ranges[Math.min(values.length, entries.length) - 1]!;
  const isFlow = Boolean(list.flow);
  if (values.length > entries.length) {
    const lead = isFlow ? ", " : `\n${" ".repeat(column(text, ranges[0]![0]) - 2)}- `;
    const further = values.slice(entries.length).map((value) => lead + written(value));
    made = spliced(made, last[1], last[1], further.join(""));
  } else if (values.length < entries.length) {
    made = spliced(made, last[1], ranges.at(-1)![1], "");
  }
  for (let at = Math.min(values.length, entries.length) - 1; at >= 0; at--) {
    const [start, end] = ranges[at]!;
    made = spliced(made, start, end, written(values[at]!));
  }
  return made;
}

/** Adds a key to the map that has it, or that map with it where there is none. */
function added(text: string, document: Document, path: Path, value: Value): string | null {
  const [key, ...above] = [...path].reverse() as [string | number, ...Path];
  const parents = above.reverse();
  const map: unknown = parents.length > 0 ? document.getIn(parents, true) : document.contents;
  if (map === undefined || map === null) {
    if (parents.length > 0) return added(text, document, parents, { [key]: value });
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return `${text}${gap}${key}: ${written(value)}\n`;
  }
  if (!isMap(map) || map.range === undefined) return null;
  return withEntry(text, map as YAMLMap, `${key}: ${written(value)}`);
}

function withEntry(text: string, map: YAMLMap, entry: string): string | null {
  const last = map.items.at(-1) as Pair | undefined;
  if (!last) {
    const [start] = map.range!;
    return text[start] === "{" ? spliced(text, start + 1, start + 1, entry) : null;
  }
  const end = endOf(last);
  if (end === null) return null;
  if (map.flow) return spliced(text, end, end, `, ${entry}`);
  const first = startOf(map.items[0] as Pair);
  if (first === null) return null;
  const lineEnd = text.indexOf("\n", end - (text[end - 1] === "\n" ? 1 : 0));
  const indent = " ".repeat(column(text, first));
  return lineEnd < 0
    ? `${text}\n${indent}${entry}\n`
    : spliced(text, lineEnd + 1, lineEnd + 1, `${indent}${entry}\n`);
}

/** Removes a key; a map that would be left empty goes with it. */
function removed(text: string, document: Document, path: Path): string | null {
  const [key, parents] = [path.at(-1), path.slice(0, -1)];
  const map: unknown = parents.length > 0 ? document.getIn(parents, true) : document.contents;
  if (!isMap(map)) return null;
  const pairs = map.items as Pair[];
  const at = pairs.findIndex((pair) => isScalar(pair.key) && pair.key.value === key);
  const [start, end] = [startOf(pairs[at]!), endOf(pairs[at]!)];
  if (start === null || end === null) return null;
  if (pairs.length === 1) return map.flow ? spliced(text, start, end, "") : null;
  if (map.flow) {
    const before = at > 0 ? endOf(pairs[at - 1]!) : null;
    const next = at === 0 ? startOf(pairs[1]!) : null;
    return spliced(text, before ?? start, next ?? end, "");
  }
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end - (text[end - 1] === "\n" ? 1 : 0));
  return spliced(text, lineStart, lineEnd < 0 ? text.length : lineEnd + 1, "");
}

function startOf(pair: Pair): number | null {
  return isScalar(pair.key) && pair.key.range ? pair.key.range[0] : null;
}

function endOf(pair: Pair): number | null {
  const value = pair.value as { range?: [number, number, number] } | null;
  return value?.range ? value.range[1] : null;
}

function column(text: string, at: number): number {
  return at - (text.lastIndexOf("\n", at - 1) + 1);
}

function spliced(text: string, start: number, end: number, middle: string): string {
  return text.slice(0, start) + middle + text.slice(end);
}

/** Returns a value in flow style on one line, quoted only where it must be. */
function written(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).map(([key, one]) => `${key}: ${written(one)}`);
    return `{${entries.join(", ")}}`;
  }
  if (typeof value !== "string") return String(value);
  const isPlain = /^[A-Za-z][\w./-]*$/.test(value) && stringify(value).trim() === value;
  return isPlain ? value : JSON.stringify(value);
}
