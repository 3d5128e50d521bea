// Values as YAML text: short ones on a line between brackets, sections with a line for each thing.
import { stringify } from "yaml";
import { type Value } from "./patch";

/** Words that some readers of YAML take for a truth value. */
const NO_TEXT = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** Keys of maps at this depth have lines of their own where their values nest. */
const DEEPEST_BLOCK = 1;

/** Returns a value in flow style on one line, quoted only where it must be. */
export function written(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).map(([key, one]) => `${written(key)}: ${written(one)}`);
    return `{${entries.join(", ")}}`;
  }
  if (typeof value !== "string") return String(value);
  const isPlain = /^[A-Za-z0-9][\w./-]*(?::[\w./-]+)?$/.test(value) && !NO_TEXT.test(value);
  return isPlain && stringify(value).trim() === value ? value : JSON.stringify(value);
}

/** Returns a key with its value; a section whose values nest has a line for each of them. */
export function entry(key: string, value: Value, depth: number, indent = 0): string {
  const lead = " ".repeat(indent + 2);
  const name = written(key);
  if (depth <= DEEPEST_BLOCK && nests(value)) {
    const lines = Array.isArray(value)
      ? value.map((one) => `${lead}- ${written(one)}`)
      : Object.entries(value as Record<string, Value>).map(
          ([inner, one]) => lead + entry(inner, one, depth + 1, indent + 2),
        );
    return [`${name}:`, ...lines].join("\n");
  }
  return `${name}: ${written(value)}`;
}

/** Whether a list has lists, or a map has maps; a list in a map fits on its line. */
function nests(value: Value): boolean {
  if (value === null || typeof value !== "object") return false;
  const isList = Array.isArray(value);
  return Object.values(value).some(
    (one) => one !== null && typeof one === "object" && (isList || !Array.isArray(one)),
  );
}
