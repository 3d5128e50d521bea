// Runs of the engine beside the page, in a worker that is this same script, so that the page stays
// at hand meanwhile; on the page itself where the browser gives no worker. A newer run ends the one
// under way.
import { Engine } from "./engine";
import { type Changes, type Recording } from "./recording";

type Answer = { recording: Recording } | { trouble: string };

/** Serves runs as a worker: the packed run first, then the changes of each run. */
export function serveRuns(): void {
  let engine: Promise<Engine> | null = null;
  addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | Changes>) => {
    if (data instanceof ArrayBuffer) engine = Engine.of(data);
    else void engine?.then((one) => one.run(data)).then(answer, refuse);
  });
}

function answer(recording: Recording): void {
  // The columns move: nothing is copied.
  const buffers = new Set<ArrayBuffer>();
  for (const table of Object.values(recording)) {
    for (const column of Object.values((table ?? {}) as Record<string, unknown>)) {
      if (ArrayBuffer.isView(column)) buffers.add(column.buffer as ArrayBuffer);
    }
  }
  postMessage({ recording } satisfies Answer, { transfer: [...buffers] });
}

function refuse(trouble: unknown): void {
  postMessage({ trouble: textOf(trouble) } satisfies Answer);
}

/** Runs one packed run, with changes. */
export class Runner {
  private worker: Worker | null = null;
  private engine: Promise<Engine> | null = null;
  private stop: (() => void) | null = null;

  constructor(
    private readonly script: string,
    private readonly packed: ArrayBuffer,
  ) {}

  /** Returns the recording of a run; null when a newer run was asked for meanwhile.
   *
   * Fails with an `Error` in words when the run cannot finish. */
  async run(changes: Changes): Promise<Recording | null> {
    this.stop?.();
    const worker = this.workerOf();
    if (!worker) return this.runHere(changes);
    return new Promise((resolve, reject) => {
      this.stop = () => {
        worker.terminate();
        this.worker = this.stop = null;
        resolve(null);
      };
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        this.stop = null;
        if ("recording" in data) resolve(data.recording);
        else reject(new Error(data.trouble));
      };
      worker.onerror = (event) => {
        this.stop = null;
        reject(new Error(event.message || "the worker ended"));
      };
      worker.postMessage(changes);
    });
  }

  /** Ends the run under way, if there is one, and the worker. */
  end(): void {
    this.stop?.();
    this.worker?.terminate();
    this.worker = null;
  }

  private async runHere(changes: Changes): Promise<Recording> {
    this.engine ??= Engine.of(this.packed.slice(0));
    const engine = await this.engine;
    // The page shows that it works before it stands still.
    await new Promise((resolve) => setTimeout(resolve, 30));
    return engine.run(changes);
  }

  private workerOf(): Worker | null {
    if (this.worker || typeof Worker === "undefined") return this.worker;
    try {
      const address = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
      this.worker = new Worker(address);
      URL.revokeObjectURL(address);
      this.worker.postMessage(this.packed);
    } catch {
      return null;
    }
    return this.worker;
  }
}

/** Returns a trouble in words. */
export function textOf(trouble: unknown): string {
  return trouble instanceof Error ? trouble.message : String(trouble);
}
