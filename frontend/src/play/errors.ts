// The reason why a run does not finish, in words. The core says the rule and its numbers; the words
// are those of the command line (linkwright/core_errors.toml), which the packed run carries.
import { type Refusal } from "../core";

/** The words that `core_errors.in_page` of Python writes. */
export interface Words {
  rules: Record<string, { message: string; page_hint?: string }>;
  phrases: Record<Phrase, string> & { actions: Record<string, string> };
}

type Phrase =
  | "stuck"
  | "collective"
  | "group"
  | "requests"
  | "own_requests"
  | "tag"
  | "any_tag"
  | "collective_tag"
  | "source"
  | "any_source";

/** The collective that a rank is in. */
interface Entered extends Numbers {
  kind: string;
  group: number;
  ranks: number[];
  n_ranks: number;
}

/** Names and words, as far as a reason needs them. */
interface Known {
  errors: Words;
  names: { device: string[] };
}

type Numbers = Record<string, unknown>;
type Crossed = string | Record<string, Numbers>;

// As in core_errors.py.
const MOST_LISTED = 8;
const [ANY_TAG, COLLECTIVE_TAGS, COLLECTIVE_NUMBERS] = [2 ** 32 - 1, 2 ** 31, 2 ** 32 - 3];

/** Returns the reason for a refusal as sentences without the last full stop. */
export function reasonOf({ reasons }: Refusal, known: Known): string {
  if (!reasons.run) return Object.values(reasons).join();
  const [rule, numbers] = tagged(JSON.parse(reasons.run) as Crossed);
  const { message, page_hint } = known.errors.rules[rule]!;
  const hint = page_hint ? `. ${page_hint[0]!.toUpperCase()}${page_hint.slice(1)}` : "";
  return filled(message, numbers, known) + hint;
}

/** Returns the name of a variant of an enum of the crates, and its content. */
function tagged(crossed: Crossed): [string, Numbers] {
  return typeof crossed === "string" ? [crossed, {}] : Object.entries(crossed)[0]!;
}

/** Puts numbers into the words of a template. */
function filled(template: string, numbers: Numbers, known: Known): string {
  const part = /\{(\w+)(?::([\w,]+))?\}/g;
  return template.replace(part, (_, name: string, form?: string) =>
    form ? FORMS[form]!(numbers[name] as never, known) : String(numbers[name]),
  );
}

const FORMS: Record<string, (value: never, known: Known) => string> = {
  ",": (value: number) => value.toLocaleString("en"),
  node: (id: number, { names }) => `node ${names.device[id]}`,
  time,
  count: (values: unknown[]) => String(values.length),
  forwards: (ttl: number) => String(Math.max(ttl - 1, 0)),
  ranks: (stuck: Numbers[], known) =>
    stuck
      .slice(0, MOST_LISTED)
      .map((one) => filled(known.errors.phrases.stuck, one, known))
      .concat(stuck.length > MOST_LISTED ? ["..."] : [])
      .join(", "),
  action: (crossed: Crossed, known) => {
    const [kind, numbers] = tagged(crossed);
    return filled(known.errors.phrases.actions[kind]!, numbers, known);
  },
  list: (values: unknown[]) => values.join(", "),
  collective: (entered: Entered | null, known) => {
    if (!entered) return "";
    const { phrases } = known.errors;
    const kind = filled(phrases.collective, { kind: entered.kind.replaceAll("_", "-") }, known);
    if (entered.group === 0) return kind;
    const more = entered.n_ranks > entered.ranks.length ? ", ..." : "";
    return kind + filled(phrases.group, entered, known) + more;
  },
  requests: (number: number, known) => {
    const { requests, own_requests } = known.errors.phrases;
    return number >= COLLECTIVE_NUMBERS ? own_requests : filled(requests, { number }, known);
  },
  tag: (tag: number, known) => {
    const { phrases } = known.errors;
    if (tag === ANY_TAG) return phrases.any_tag;
    return tag < COLLECTIVE_TAGS
      ? filled(phrases.tag, { tag }, known)
      : filled(phrases.collective_tag, { tag: tag - COLLECTIVE_TAGS }, known);
  },
  source: (rank: number | null, known) => {
    const { phrases } = known.errors;
    return rank === null ? phrases.any_source : filled(phrases.source, { rank }, known);
  },
};

function time(ps: number): string {
  if (ps >= 1e12) return `${(ps * 1e-12).toFixed(6)} s`;
  return ps >= 1e9 ? `${(ps * 1e-9).toFixed(3)} ms` : `${(ps * 1e-6).toFixed(3)} us`;
}
