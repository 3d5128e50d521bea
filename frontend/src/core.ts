// A core: crates/page compiled to WebAssembly. This is the script's side of its exchange.rs:
// questions are bytes or lines, answers are lines that name values, and columns of numbers in the
// core's memory. It works in a page, in a worker and in Node.
import { inflated } from "./inflated";

export type Column = Uint8Array | Uint32Array | Float64Array;

/** Values as text and columns of numbers, both by table and name. */
export interface Answer {
  values: Record<string, Record<string, string>>;
  columns: Record<string, Record<string, Column>>;
}

/** The reason why there is no answer: what broke, and what the core says about it. */
export class Refusal extends Error {
  constructor(readonly reasons: Record<string, string>) {
    super(Object.values(reasons).join());
  }
}

interface Calls extends Record<string, unknown> {
  memory: WebAssembly.Memory;
  page_question(nBytes: number): number;
  page_answer(): number;
  page_answer_length(): number;
  page_forget(): void;
}

const TYPES = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array };

/** Returns a core as it is embedded in a script. */
export async function compiled(wasm: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await inflated(wasm));
}

/** A core at work. */
export class Core {
  private readonly calls: Calls;

  constructor(module: WebAssembly.Module) {
    this.calls = new WebAssembly.Instance(module).exports as Calls;
  }

  /** Asks a question: bytes to open, or lines. Throws a `Refusal`. */
  ask(name: string, question: Uint8Array | string[]): Answer {
    const { calls } = this;
    const bytes =
      question instanceof Uint8Array ? question : new TextEncoder().encode(question.join("\n"));
    const at = calls.page_question(bytes.length);
    new Uint8Array(calls.memory.buffer, at, bytes.length).set(bytes);
    const isAnswered = (calls[name] as () => number)();
    const answer = this.answer();
    calls.page_forget();
    if (!isAnswered) throw new Refusal(answer.values.refusal!);
    return answer;
  }

  private answer(): Answer {
    const { calls } = this;
    const length = calls.page_answer_length();
    const text = new TextDecoder().decode(
      new Uint8Array(calls.memory.buffer, calls.page_answer(), length),
    );
    const found: Answer = { values: {}, columns: {} };
    for (const line of text.split("\n").slice(0, -1)) {
      const [what, place, ...words] = line.split(" ") as [string, string, ...string[]];
      const [table, name] = place.split(".") as [string, string];
      if (what === "value") (found.values[table] ??= {})[name] = words.join(" ");
      else (found.columns[table] ??= {})[camel(name)] = this.column(words);
    }
    return found;
  }

  /** Copies a column out of the memory, which the next call overwrites. */
  private column([type, at, n]: string[]): Column {
    const { buffer } = this.calls.memory;
    return new TYPES[type as keyof typeof TYPES](buffer, Number(at), Number(n)).slice();
  }
}

/** Returns the values of a table that are numbers. */
export function numbersOf(values: Record<string, string> = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
}

/** Returns the name of a column as it is written here. */
function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
