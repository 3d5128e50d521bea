// Buttons that mend mistakes: changes at the key of a mistake are tried as whole texts, and those
// are offered after which it is gone and no other has come. Nothing here knows a rule of designs.
import { isMap, isPair, isScalar, isSeq, parseDocument } from "yaml";
import { remove, stalePlaces } from "../draw/edits";
import { graphOf, mapOf } from "../draw/graph";
import { Plugging, type Parts } from "../draw/plugging";
import { button } from "../check/dom";
import { designOf } from "./editor";
import { type Placed } from "./mistakes";
import { type Change, type Path, type Value } from "./patch";
import { type DesignSchema } from "./schema";
import { type Choice, Trying } from "./trying";

const MOST_BUTTONS = 3;
const MOST_WORDS = 24;
const ROLES = ["node", "nic", "cable", "switch", "hub", "root_switch"];

/** Choices that suit some kinds alone. */
const SCHEMES: Path[] = [
  ["addressing", "scheme"],
  ["addressing", "identities"],
  ["routing", "scheme"],
  ["routing", "ties"],
  ["routing", "fallback"],
  ["places"],
];

export class Mending {
  private readonly trying: Trying;

  constructor(
    private readonly schema: DesignSchema,
    private readonly make: (changes: Change[]) => void,
    private readonly partsOf: () => Parts,
    file: () => string,
  ) {
    this.trying = new Trying(file);
  }

  /** Puts the buttons that mend each mistake at its item of the list. */
  offer(text: string, mistakes: Placed[], items: HTMLElement[]): void {
    this.trying.stop();
    if (mistakes.length === 0) return;
    const design = designOf(text, true);
    if (design === null) return;
    const known = new Set(mistakes.map(({ message }) => plain(message)));
    const found = mistakes.map((one) => this.changesFor(text, design, one));
    const choices = found.flatMap((all, at) =>
      all.map(({ name, changes }): Choice => ({ name: `${at} ${name}`, changes })),
    );
    const counts = mistakes.map(() => 0);
    void this.trying.ask(text, choices, (name, reasons) => {
      const at = Number(name.split(" ")[0]);
      const left = reasons.map(plain);
      const isMended = !left.includes(plain(mistakes[at]!.message));
      const isWorse = left.some((one) => !known.has(one));
      if (!isMended || isWorse || counts[at]! >= MOST_BUTTONS) return;
      counts[at]!++;
      const { changes } = choices.find((one) => one.name === name)!;
      const words = name.slice(name.indexOf(" ") + 1);
      items[at]?.append(button(words, () => this.make(changes), "", "mend"), " ");
    });
  }

  /** Returns changes at the key of a mistake, the likeliest first, with words for buttons. */
  private changesFor(text: string, design: unknown, mistake: Placed): Choice[] {
    const path = pathAt(text, mistake.from);
    const all = [
      ...this.ofGraph(design, mistake),
      ...this.otherNames(path, design),
      ...this.otherValues(path, design),
      ...this.otherParts(design),
      ...leftOut(path, design),
    ];
    const seen = new Set<string>();
    return all.filter(({ name }) => !seen.has(name) && seen.add(name));
  }

  /** Cables to a device that a mistake names, and the device left out. */
  private ofGraph(design: unknown, { message }: Placed): Choice[] {
    const graph = graphOf(design);
    if (!graph) return [];
    const stale = stalePlaces(design, graph);
    if (message.includes("'places'") && stale.length > 0) {
      return [{ name: "Leave out the places of what is gone", changes: stale }];
    }
    const quoted = [...message.matchAll(/'([\w-]+)'/g)].map(([, name]) => name!);
    const names = quoted.filter((name) => graph.devices.has(name));
    return names.flatMap((name) => {
      const others = [...graph.devices.keys()].filter((other) => other !== name);
      const cables = others.slice(0, MOST_WORDS).flatMap((other): Choice[] => {
        const plugging = new Plugging(design, graph, this.partsOf());
        const isJoined = plugging.join(name, other);
        const { changes } = plugging;
        return isJoined ? [{ name: `Cable ${name} to ${other}`, changes }] : [];
      });
      const gone = remove(design, graph, [name], []);
      return [...cables.slice(0, 2), { name: `Leave ${name} out`, changes: gone }];
    });
  }

  /** The known keys beside the one of a mistake, the likest first. */
  private otherNames(path: Path, design: unknown): Choice[] {
    const key = path.at(-1);
    if (typeof key !== "string") return [];
    const words = this.schema.keys(path.slice(0, -1), design).map(({ label }) => label);
    if (words.includes(key)) return [];
    const present = new Set(Object.keys(mapOf(valueAt(design, path.slice(0, -1)))));
    return words
      .filter((word) => !present.has(word))
      .sort((a, b) => distance(a, key) - distance(b, key))
      .slice(0, 2)
      .map((word) => ({ name: `Write ${word}`, changes: [{ path, key: word }] }));
  }

  private otherValues(path: Path, design: unknown): Choice[] {
    const now = valueAt(design, path);
    const set = (value: Value): Choice => ({
      name: `Use ${keyWords(path)}${String(value)}`,
      changes: [{ path, value }],
    });
    const words = this.schema.values(path, design).map(({ label }) => label);
    const near = words.sort((a, b) => distance(a, String(now)) - distance(b, String(now)));
    const numbers = numbersAt(path, design, this.schema);
    const inList = Array.isArray(now) ? now.flatMap((one, at) => listed(path, one, at)) : [];
    const named = near.slice(0, MOST_WORDS).map((word) => set(asValue(word)));
    return [...named, ...numbers.map(set), ...inList];
  }

  /** Other parts of each role, for ports, slots and connectors that are missing. */
  private otherParts(design: unknown): Choice[] {
    const given = mapOf(mapOf(design).parts);
    return ROLES.flatMap((role) =>
      this.schema.partsOf(role, design).flatMap(([key]): Choice[] => {
        if (given[role] === key) return [];
        const changes = [{ path: ["parts", role], value: key }];
        return [{ name: `Use ${role.replace("_", " ")} ${key}`, changes }];
      }),
    );
  }
}

/** Returns the last key of a path, with the number of an entry, and a colon. */
function keyWords(path: Path): string {
  const [last, above] = [path.at(-1), path.at(-2)];
  if (last === undefined) return "";
  return typeof last === "number" ? `${String(above)}[${last}]: ` : `${last}: `;
}

/** Leaves out the key of a mistake, the maps around it, or a choice that suits other kinds. */
function leftOut(path: Path, design: unknown): Choice[] {
  const isGiven = (one: Path) => valueAt(design, one) !== undefined;
  const paths = [path, path.slice(0, 2), path.slice(0, 1), ...SCHEMES.filter(isGiven)].filter(
    (one) => one.length > 0 && typeof one.at(-1) === "string" && one.join() !== "topology",
  );
  return paths.map((one) => ({
    name: `Leave out ${one.join(".")}`,
    changes: [{ path: one, value: undefined }],
  }));
}

/** Numbers that a schema takes in place of one that is too small, too large, or none. */
function numbersAt(path: Path, design: unknown, schema: DesignSchema): number[] {
  return schema.at(path, design).flatMap(({ type, minimum, maximum, default: usual }) => {
    if (type !== "integer" && type !== "number") return [];
    const all = [usual, minimum, maximum, 2, 4].filter((one) => typeof one === "number");
    return [...new Set(all)].map(Number);
  });
}

function listed(path: Path, one: unknown, at: number): Choice[] {
  if (typeof one !== "number") return [];
  return [2, 3, 4]
    .filter((value) => value !== one)
    .map((value) => ({
      name: `Use ${String(path.at(-1))}[${at}]: ${value}`,
      changes: [{ path: [...path, at], value }],
    }));
}

/** Returns the keys that lead to a place of a text. */
function pathAt(text: string, at: number): Path {
  const path: Path = [];
  let node: unknown = parseDocument(text).contents;
  for (;;) {
    const holder = node;
    const items = isMap(holder) || isSeq(holder) ? (holder.items as unknown[]) : [];
    const index = items.findIndex((one) => rangeOf(one, at));
    if (index < 0) return path;
    const item = items[index];
    path.push(isPair(item) && isScalar(item.key) ? String(item.key.value) : index);
    if (isPair(item) && isScalar(item.key) && holds(item.key.range, at)) return path;
    node = isPair(item) ? item.value : item;
  }
}

function rangeOf(item: unknown, at: number): boolean {
  if (!isPair(item)) return holds((item as { range?: number[] | null }).range, at);
  const [key, value] = [item.key, item.value] as { range?: number[] | null }[];
  const start = key?.range?.[0] ?? Infinity;
  const end = value?.range?.[1] ?? key?.range?.[1] ?? -1;
  return at >= start && at <= end;
}

function holds(range: readonly number[] | null | undefined, at: number): boolean {
  return Boolean(range) && at >= range![0]! && at <= range![1]!;
}

function valueAt(design: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (now, key) => (now as Record<string | number, unknown> | null | undefined)?.[key],
    design,
  );
}

function asValue(word: string): Value {
  return word === "true" ? true : word === "false" ? false : word;
}

/** Returns a message without its place, which a change of the text moves. */
function plain(message: string): string {
  return message.replace(/^design(?:, line \d+)?(?:, column \d+)?: /, "");
}

/** Returns how many letters two words differ by (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changedLetter = row[j]! + (letter === other ? 0 : 1);
      next.push(Math.min(changedLetter, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
