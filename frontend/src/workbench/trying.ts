// Asks the server whether networks can be built from texts, and gives each answer as it comes. A
// newer question ends the older one.
import { type Tried } from "./answers";
import { type Change, changed } from "./patch";
import { Lost, isClosed, listen } from "./server";

/** The most texts of one question. */
const MOST_TEXTS = 400;

/** A change that may be made, and the name by which its answer is known. */
export interface Choice {
  name: string;
  changes: Change[];
}

export class Trying {
  private closing = new AbortController();

  constructor(private readonly file: () => string) {}

  stop(): void {
    this.closing.abort();
  }

  /** Tries changes of a text; gives the mistakes that each leads to, none if it can be built. */
  async ask(
    text: string,
    choices: Choice[],
    take: (name: string, reasons: string[]) => void,
  ): Promise<void> {
    this.closing.abort();
    const { signal } = (this.closing = new AbortController());
    const few = choices.slice(0, MOST_TEXTS);
    const made = few.map(({ name, changes }) => [name, changed(text, changes)] as const);
    const texts = Object.fromEntries(made);
    try {
      await listen("/api/try", { texts, name: this.file() }, signal, (event, data) => {
        if (event !== "tried") return;
        const { name, reasons } = data as Tried;
        take(name, reasons);
      });
    } catch (trouble) {
      // The form then offers all, as it does before the first answer.
      const isKnown = isClosed(trouble) || trouble instanceof Lost || signal.aborted;
      if (!isKnown) console.warn("choices were not tried", trouble);
    }
  }
}
