// The packet engine: feature `play` of crates/page, which plays a packed run
// (linkwright.engines.playing). This file makes a Recording of its answers;
// crates/page/src/play/calls.rs has the questions.
import wasm from "../../play.wasm";
import { Core, Refusal, compiled, numbersOf } from "../core";
import { reasonOf } from "./errors";
import { type Counted, type Header, faultsOf, rounded, rowsOf } from "./figures";
import { type Changes, type PulledPart, type Recording } from "./recording";

let module: Promise<WebAssembly.Module> | undefined;

/** The columns of an answer: everything of a recording but its values, its faults and its rows. */
type Columns = Omit<Recording, "end" | "isWhole" | "figures" | "faults" | "rows" | "spans"> &
  Counted;

/** A run that can be played again and again. */
export class Engine {
  private constructor(
    private readonly module: WebAssembly.Module,
    private readonly packed: Uint8Array,
    private readonly header: Header,
    private core: Core,
  ) {}

  /** Opens a packed run. */
  static async of(packedRun: ArrayBuffer): Promise<Engine> {
    const core = await (module ??= compiled(wasm));
    const length = new DataView(packedRun).getUint32(0, true);
    const text = new TextDecoder().decode(new Uint8Array(packedRun, 4, length));
    const packed = new Uint8Array(packedRun, 4 + length);
    return new Engine(core, packed, JSON.parse(text) as Header, opened(core, packed));
  }

  /** Plays the run with some changes; faults replace all of the run. Throws an error in words if
   * the run cannot finish. */
  run(changes: Changes): Recording {
    const { header } = this;
    const program = changes.program ?? 0;
    const pulled = changes.faults?.map(rounded) ?? null;
    const { values, columns } = this.play([
      `program ${program}`,
      ...this.seed(changes),
      ...(pulled ? ["faults", ...pulled.map(lineOf)] : []),
    ]);
    const { costs, datagrams, ...tables } = columns as unknown as Columns;
    const figures = numbersOf(values.figures);
    const recording = {
      ...tables,
      end: figures.simulated_s!,
      isWhole: values.run!.is_whole === "true",
      figures,
      faults: faultsOf(header, pulled),
    };
    return { ...recording, ...rowsOf(header, program, pulled, recording, { costs, datagrams }) };
  }

  /** Returns the line of a seed; none for that of the run. */
  private seed({ seed }: Changes): string[] {
    if (seed === undefined || String(seed) === this.header.seed) return [];
    if (this.header.seed_moves_ranks) {
      throw new Error("The seed places the ranks of this run: make a page with another one.");
    }
    return [`seed ${BigInt(seed)}`];
  }

  /** Lets the core play; one that breaks is replaced. */
  private play(question: string[]) {
    try {
      return this.core.ask("play_run", question);
    } catch (error) {
      if (error instanceof Refusal) throw new Error(reasonOf(error, this.header));
      this.core = opened(this.module, this.packed);
      throw new Error("The run needs more memory than there is, or the engine has a mistake.");
    }
  }
}

function opened(module: WebAssembly.Module, packed: Uint8Array): Core {
  const core = new Core(module);
  core.ask("play_open", packed);
  return core;
}

/** Returns the line of a pulled part: the kind of the part, its id, its begin and its end. */
function lineOf({ kind, id, time, until }: PulledPart): string {
  return [kind, id, time, ...(until === undefined ? [] : [until])].join(" ");
}
