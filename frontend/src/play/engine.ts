// The packet engine: crates/playback compiled to WebAssembly, which plays a packed run
// (linkwright.engines.playing) and leaves the columns of its recording in its memory. This file
// turns them into a Recording. It works in a page, in a worker and in Node.
import wasm from "../../playback.wasm";
import { inflated } from "../failures/columns";
import { type Counted, type Header, faultsOf, rounded, rowsOf } from "./figures";
import { type Changes, type PulledPart, type Recording } from "./recording";

interface Calls {
  memory: WebAssembly.Memory;
  question(nNumbers: number): number;
  answer(): number;
  answer_length(): number;
  open(nBytes: number): number;
  play(): number;
  forget(): void;
}

let compiled: Promise<WebAssembly.Module> | undefined;

const BYTES_PER_NUMBER = 8;
const TYPES = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array };

type Column = Uint8Array | Uint32Array | Float64Array;

/** The part of a recording in the core's memory: everything but its faults and rows. */
type Answer = Omit<Recording, "faults" | "rows"> & Counted;

/** A run that can be played again and again. */
export class Engine {
  private constructor(
    private readonly module: WebAssembly.Module,
    private readonly packed: Uint8Array,
    private readonly header: Header,
    private calls: Calls,
  ) {}

  /** Opens a packed run. */
  static async of(packedRun: ArrayBuffer): Promise<Engine> {
    const module = await (compiled ??= inflated(wasm).then((core) => WebAssembly.compile(core)));
    const length = new DataView(packedRun).getUint32(0, true);
    const text = new TextDecoder().decode(new Uint8Array(packedRun, 4, length));
    const packed = new Uint8Array(packedRun, 4 + length);
    return new Engine(module, packed, JSON.parse(text) as Header, opened(module, packed));
  }

  /** Plays the run with some changes; faults replace all of the run. Throws an error in words if
   * the run cannot finish. */
  run(changes: Changes): Recording {
    const { header } = this;
    const program = changes.program ?? 0;
    const pulled = changes.faults?.map(rounded) ?? null;
    const numbers = pulled?.flatMap(numbersOf) ?? [];
    this.ask([program, ...this.seed(changes), pulled ? 1 : 0, ...numbers]);
    const isPlayed = this.guarded(() => this.calls.play());
    const text = answerOf(this.calls);
    if (!isPlayed) throw new Error(text);
    const { costs, datagrams, ...played } = recorded(text, this.calls.memory);
    this.calls.forget();
    const recording = { ...played, faults: faultsOf(header, pulled), rows: [] };
    return { ...recording, rows: rowsOf(header, program, pulled, recording, { costs, datagrams }) };
  }

  /** Returns 1 and a seed, whose bits are those of the number; or 0 for that of the run. */
  private seed({ seed }: Changes): [number, number] {
    if (seed === undefined || String(seed) === this.header.seed) return [0, 0];
    if (this.header.seed_moves_ranks) {
      throw new Error("The seed places the ranks of this run: make a page with another one.");
    }
    return [1, new Float64Array(BigUint64Array.of(BigInt(seed)).buffer)[0]!];
  }

  private ask(numbers: number[]): void {
    const at = this.calls.question(numbers.length);
    new Float64Array(this.calls.memory.buffer, at, numbers.length).set(numbers);
  }

  /** Calls the core; one that breaks is replaced. */
  private guarded(call: () => number): number {
    try {
      return call();
    } catch {
      this.calls = opened(this.module, this.packed);
      throw new Error("The run needs more memory than there is, or the engine has a mistake.");
    }
  }
}

function opened(module: WebAssembly.Module, packed: Uint8Array): Calls {
  const calls = new WebAssembly.Instance(module).exports as unknown as Calls;
  const at = calls.question(Math.ceil(packed.length / BYTES_PER_NUMBER));
  new Uint8Array(calls.memory.buffer, at, packed.length).set(packed);
  if (!calls.open(packed.length)) throw new Error(answerOf(calls));
  return calls;
}

function answerOf(calls: Calls): string {
  const bytes = new Uint8Array(calls.memory.buffer, calls.answer(), calls.answer_length());
  return new TextDecoder().decode(bytes);
}

/** Returns the numbers of a pulled part: the code of its kind, its id, its begin and its end. */
function numbersOf({ kind, id, time, until }: PulledPart): number[] {
  return [kind === "cable" ? 0 : kind === "nic" ? 1 : 2, id, time, until ?? Infinity];
}

/** Returns the answer that its lines describe. */
function recorded(text: string, memory: WebAssembly.Memory): Answer {
  const figures: Record<string, number> = {};
  const tables: Record<string, Record<string, Column>> = {};
  let isWhole = false;
  for (const line of text.trimEnd().split("\n")) {
    const [what, name, ...words] = line.split(" ") as [string, string, ...string[]];
    if (what === "is_whole") isWhole = name === "1";
    else if (what === "figure") figures[name] = Number(words[0]);
    else {
      const [table, column] = name.split(".") as [string, string];
      (tables[table] ??= {})[camel(column)] = columnOf(memory, words as [string, string, string]);
    }
  }
  return { end: figures.simulated_s!, isWhole, figures, ...tables } as unknown as Answer;
}

/** Copies a column out of the memory, which the next run overwrites. */
function columnOf(memory: WebAssembly.Memory, [type, at, n]: [string, string, string]): Column {
  return new TYPES[type as keyof typeof TYPES](memory.buffer, Number(at), Number(n)).slice();
}

/** Returns the name of a column as it is written here. */
function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
