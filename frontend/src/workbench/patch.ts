// Changes of single values in a YAML text that leave all other letters as they are: comments, order
// and layout survive. The text is read once, each change is made in its letters, the result is read
// again and compared with the wanted values; a text of a form that this file does not know is
// written by the YAML library.
import { type Document, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { isMap, isScalar, isSeq, parseDocument, visit } from "yaml";
import { entry, written } from "./written";

export type Path = (string | number)[];
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/** One change: the value of a path, no such key or entry, or another name of a key. */
export type Change = { path: Path; value: Value | undefined } | { path: Path; key: string };

/** The letters from `start` to `end` give way to others. */
interface Splice {
  start: number;
  end: number;
  middle: string;
}

/** Changes that are made one after the other at most: each reads the text twice. */
const MOST_STEPS = 12;
const LAYOUT = { lineWidth: 0, flowCollectionPadding: false, nullStr: "null" } as const;

/**
 * Returns the text with some changes; their paths are those of the text as it is before all. A text
 * that is a single word or a list has no keys: it stays as it is.
 */
export function changed(text: string, changes: Change[]): string {
  const document = parseDocument(text);
  if (document.errors.length > 0 || changes.length === 0) return text;
  const before: unknown = document.toJS();
  if (before !== null && !isMap(document.contents)) return text;
  const wanted = withChanges(before, changes);
  if (JSON.stringify(wanted) === JSON.stringify(before)) return text;
  const expected = sorted(wanted);
  const splices = changes.map((one) => spliceOf(text, document, one));
  const patched = splices.includes(null) ? null : applied(text, splices.flat() as Splice[]);
  if (patched !== null && reads(patched, expected)) return patched;
  // Changes that touch each other are made one after the other, many of them by the library.
  const inOrder = ordered(changes);
  if (changes.length > 1 && changes.length <= MOST_STEPS) {
    return inOrder.reduce((now, one) => changed(now, [one]), text);
  }
  return rewritten(document, inOrder);
}

/** Returns the values that changes lead to: values first, then entries that go, then names. */
function withChanges(before: unknown, changes: Change[]): unknown {
  const wanted = structuredClone(before ?? {});
  for (const change of ordered(changes)) {
    const parents = change.path.slice(0, -1);
    const last = change.path.at(-1)!;
    if ("key" in change) rename(holderOf(wanted, parents, false), String(last), change.key);
    else if (change.value === undefined) remove(holderOf(wanted, parents, false), last);
    else set(holderOf(wanted, parents, true), last, change.value);
  }
  return wanted;
}

/** Returns changes in an order in which no path depends on an earlier one. */
function ordered(changes: Change[]): Change[] {
  const rank = (one: Change) => ("key" in one ? 2 : one.value === undefined ? 1 : 0);
  const place = ({ path }: Change) => (typeof path.at(-1) === "number" ? Number(path.at(-1)) : -1);
  return changes
    .map((one, at) => ({ one, at }))
    .sort((a, b) => {
      const by = rank(a.one) - rank(b.one);
      if (by !== 0) return by;
      // The last entry goes first, and the deepest key gets its name first.
      if (rank(a.one) === 1) return place(b.one) - place(a.one) || a.at - b.at;
      if (rank(a.one) === 2) return b.one.path.length - a.one.path.length || a.at - b.at;
      return a.at - b.at;
    })
    .map(({ one }) => one);
}

type Holder = Record<string | number, unknown> | unknown[];

function holderOf(root: unknown, path: Path, isMade: boolean): Holder | null {
  let now = root as Holder;
  for (const key of path) {
    const values = now as Record<string | number, unknown>;
    if ((values[key] === undefined || values[key] === null) && isMade) values[key] = {};
    if (typeof values[key] !== "object" || values[key] === null) return null;
    now = values[key] as Holder;
  }
  return now;
}

function set(holder: Holder | null, key: string | number, value: Value): void {
  if (holder) (holder as Record<string | number, unknown>)[key] = value;
}

function remove(holder: Holder | null, key: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (holder) delete holder[key];
}

function rename(holder: Holder | null, from: string, to: string): void {
  if (!holder || Array.isArray(holder) || !(from in holder)) return;
  const all = Object.entries(holder);
  for (const [name] of all) delete holder[name];
  for (const [name, value] of all) holder[name === from ? to : name] = value;
}

/** Whether a text says what is expected, in whatever order of keys. */
function reads(text: string, expected: string): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && sorted(document.toJS()) === expected;
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Returns the text with splices made; null where they overlap. */
function applied(text: string, splices: Splice[]): string | null {
  const inOrder = splices
    .map((one, at) => ({ ...one, at }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.at - b.at);
  let [made, at] = ["", 0];
  for (const { start, end, middle } of inOrder) {
    if (start < at) return null;
    made += text.slice(at, start) + middle;
    at = end;
  }
  return made + text.slice(at);
}

/** Returns the text that the YAML library writes for a document with changes in their order. */
function rewritten(document: Document, changes: Change[]): string {
  const wanted = document.clone() as Document;
  if (!isMap(wanted.contents)) wanted.contents = wanted.createNode({}) as never;
  for (const change of changes) {
    if ("key" in change) {
      const pair = pairOf(wanted, change.path);
      if (pair && isScalar(pair.key)) pair.key.value = change.key;
    } else if (change.value === undefined) wanted.deleteIn(change.path);
    else wanted.setIn(change.path, wanted.createNode(change.value));
  }
  // Between brackets, a key without a value is read differently by other readers of YAML.
  visit(wanted, {
    Scalar: (_, node) => {
      if (node.value === null) node.source = "null";
    },
  });
  return wanted.toString(LAYOUT);
}

/** Returns the letters that one change needs; null where their form is not known. */
function spliceOf(text: string, document: Document, change: Change): Splice[] | null {
  const { path } = change;
  if ("key" in change) return renamed(document, path, change.key);
  const { value } = change;
  const found: unknown = path.length > 0 ? document.getIn(path, true) : document.contents;
  if (value === undefined) return found === undefined ? [] : removed(text, document, path);
  if (isScalar(found) && !isNested(value)) {
    const [start, end] = found.range!;
    return start === end ? null : [{ start, end, middle: written(value) }];
  }
  if (isSeq(found) && Array.isArray(value) && path.length > 1) return listed(text, found, value);
  if (found !== undefined && path.length === 1) return replaced(text, document, path, value);
  if (found !== undefined) return inFlow(found, value);
  return added(text, document, path, value);
}

function isNested(value: Value): boolean {
  return typeof value === "object" && value !== null;
}

/** Replaces the whole of a value that is written on one line between brackets, or is a word. */
function inFlow(found: unknown, value: Value): Splice[] | null {
  const isOne = isScalar(found) || ((isMap(found) || isSeq(found)) && found.flow);
  const range = isOne ? found.range : null;
  if (!range || range[0] === range[1]) return null;
  return [{ start: range[0], end: range[1], middle: written(value) }];
}

/** Replaces a whole section: its key and all lines below it. */
function replaced(text: string, document: Document, path: Path, value: Value): Splice[] | null {
  const pair = pairOf(document, path);
  const [start, end] = pair ? [startOf(pair), endOf(pair)] : [null, null];
  if (start === null || end === null) return null;
  const middle = entry(String(path[0]), value, 0);
  const isLine = text[end - 1] === "\n";
  return [{ start, end, middle: isLine ? `${middle}\n` : middle }];
}

function renamed(document: Document, path: Path, key: string): Splice[] | null {
  const pair = pairOf(document, path);
  if (!pair) return [];
  if (!isScalar(pair.key) || !pair.key.range) return null;
  const [start, end] = pair.key.range;
  return [{ start, end, middle: written(key) }];
}

/** Changes the entries of a list: those there in place, further ones behind, others not at all. */
function listed(text: string, list: YAMLSeq, values: Value[]): Splice[] | null {
  const entries = list.items;
  const plain = entries.every((one) => isScalar(one)) && !values.some(isNested);
  if (!plain || values.length === 0 || entries.length === 0) return inFlow(list, values);
  const ranges = entries.map((one) => (one as { range: [number, number, number] }).range);
  const both = Math.min(values.length, entries.length);
  const made = ranges.slice(0, both).map(([start, end], at): Splice => ({
    start,
    end,
    middle: written(values[at]!),
  }));
  const last = ranges[both - 1]!;
  if (values.length > entries.length) {
    const lead = list.flow ? ", " : `\n${" ".repeat(column(text, ranges[0]![0]) - 2)}- `;
    const further = values.slice(entries.length).map((value) => lead + written(value));
    made.push({ start: last[1], end: last[1], middle: further.join("") });
  } else if (values.length < entries.length) {
    made.push({ start: last[1], end: ranges.at(-1)![1], middle: "" });
  }
  return made;
}

/** Adds a key to the map that has it, or that map with it where there is none. */
function added(text: string, document: Document, path: Path, value: Value): Splice[] | null {
  const [key, ...above] = [...path].reverse() as [string | number, ...Path];
  const parents = above.reverse();
  const map: unknown = parents.length > 0 ? document.getIn(parents, true) : document.contents;
  if (isSeq(map)) return appended(text, map, Number(key), value);
  if (map === undefined || map === null || (isScalar(map) && map.value === null)) {
    if (parents.length > 0) return added(text, document, parents, { [key]: value });
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    const at = text.length;
    return [{ start: at, end: at, middle: `${gap}${entry(String(key), value, 0)}\n` }];
  }
  if (!isMap(map) || !map.range) return null;
  return withEntry(text, map as YAMLMap, String(key), value, parents.length);
}

function withEntry(
  text: string,
  map: YAMLMap,
  key: string,
  value: Value,
  depth: number,
): Splice[] | null {
  const last = map.items.at(-1) as Pair | undefined;
  if (!last) {
    const [start] = map.range!;
    const middle = `${written(key)}: ${written(value)}`;
    return text[start] === "{" ? [{ start: start + 1, end: start + 1, middle }] : null;
  }
  const end = endOf(last);
  if (end === null) return null;
  if (map.flow) return [{ start: end, end, middle: `, ${written(key)}: ${written(value)}` }];
  const first = startOf(map.items[0] as Pair);
  if (first === null) return null;
  const indent = column(text, first);
  return afterLine(text, end, " ".repeat(indent) + entry(key, value, depth, indent));
}

/** Adds an entry at the end of a list. */
function appended(text: string, list: YAMLSeq, at: number, value: Value): Splice[] | null {
  if (at < list.items.length || !list.range) return null;
  const last = list.items.at(-1) as { range?: [number, number, number] } | undefined;
  if (!last) {
    const [start] = list.range;
    return [{ start: start + 1, end: start + 1, middle: written(value) }];
  }
  if (!last.range) return null;
  const end = last.range[1];
  if (list.flow) return [{ start: end, end, middle: `, ${written(value)}` }];
  const lead = " ".repeat(column(text, list.range[0]));
  return afterLine(text, end, `${lead}- ${written(value)}`);
}

/** Puts a line behind the one that ends at or before a place. */
function afterLine(text: string, end: number, line: string): Splice[] {
  const lineEnd = text.indexOf("\n", end - (text[end - 1] === "\n" ? 1 : 0));
  const at = lineEnd < 0 ? text.length : lineEnd + 1;
  return [{ start: at, end: at, middle: lineEnd < 0 ? `\n${line}\n` : `${line}\n` }];
}

/** Removes a key or an entry; a map that would be left empty is a question for the library. */
function removed(text: string, document: Document, path: Path): Splice[] | null {
  const [key, parents] = [path.at(-1), path.slice(0, -1)];
  const holder: unknown = parents.length > 0 ? document.getIn(parents, true) : document.contents;
  if (isSeq(holder)) {
    if (holder.items.length === 1 && !holder.flow) return emptied(text, document, parents, "[]");
    return withoutEntry(text, holder, Number(key));
  }
  if (!isMap(holder)) return null;
  const pairs = holder.items as Pair[];
  const name = String(key);
  const at = pairs.findIndex((pair) => isScalar(pair.key) && String(pair.key.value) === name);
  const bounds = pairs.map((pair): [number, number] | null => {
    const [start, end] = [startOf(pair), endOf(pair)];
    return start === null || end === null ? null : [start, end];
  });
  if (bounds.includes(null)) return null;
  if (bounds.length === 1 && !holder.flow) return emptied(text, document, parents, "{}");
  return without(text, bounds as [number, number][], at, Boolean(holder.flow));
}

/** Writes brackets in place of the only line of a map or list. */
function emptied(text: string, document: Document, path: Path, middle: string): Splice[] | null {
  const pair = path.length > 0 ? pairOf(document, path) : undefined;
  const end = pair ? endOf(pair) : null;
  if (!pair || !isScalar(pair.key) || !pair.key.range || end === null) return null;
  const start = text.indexOf(":", pair.key.range[1]) + 1;
  const last = text[end - 1] === "\n" ? end - 1 : end;
  return start > 0 && start <= last ? [{ start, end: last, middle: ` ${middle}` }] : null;
}

function withoutEntry(text: string, list: YAMLSeq, at: number): Splice[] | null {
  const ranges = list.items.map((one) => (one as { range?: [number, number, number] }).range);
  if (ranges.includes(undefined)) return null;
  const bounds = ranges.map((range): [number, number] => [range![0], range![1]]);
  return without(text, bounds, at, Boolean(list.flow));
}

/** Removes one of several things, with the comma or the line that it has. */
function without(
  text: string,
  bounds: [number, number][],
  at: number,
  isFlow: boolean,
): Splice[] | null {
  const [start, end] = bounds[at]!;
  if (bounds.length === 1) return isFlow ? [{ start, end, middle: "" }] : null;
  if (isFlow) {
    const from = at > 0 ? bounds[at - 1]![1] : start;
    return [{ start: from, end: at === 0 ? bounds[1]![0] : end, middle: "" }];
  }
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end - (text[end - 1] === "\n" ? 1 : 0));
  return [{ start: lineStart, end: lineEnd < 0 ? text.length : lineEnd + 1, middle: "" }];
}

function pairOf(document: Document, path: Path): Pair | undefined {
  const parents = path.slice(0, -1);
  const map: unknown = parents.length > 0 ? document.getIn(parents, true) : document.contents;
  if (!isMap(map)) return undefined;
  return (map.items as Pair[]).find(
    (pair) => isScalar(pair.key) && String(pair.key.value) === String(path.at(-1)),
  );
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
