// The reader's choices: the failed parts, the two ends of the route, the part in detail. They are
// kept in the address after the #, so that a link to the page can show a failure; ends that follow
// it are not.
import { type Failure, type Kind } from "../failures/core";

export type Colouring = "pairs" | "load" | "none";
export type Press = "fail" | "route" | "look";

const KINDS: Kind[] = ["cable", "nic", "hub", "switch", "node"];

export class State {
  readonly failures = new Map<string, Failure>();
  /** Ends of the route, as addresses. */
  from = 0;
  to = 0;
  /** Whether the ends move to a pair that a failure affects; not after the reader chose them. */
  isFollowing = true;
  looked: Failure | null = null;
  colouring: Colouring = "pairs";
  /** A press on a part fails it, makes a node an end of the route, or only looks at the part. */
  presses: Press = "fail";
  private isFromNext = true;
  private readonly listeners: (() => void)[] = [];

  /** Calls `changed` whenever the reader has changed something. */
  onChange(changed: () => void): void {
    this.listeners.push(changed);
  }

  /** Says that something was changed. */
  changed(): void {
    for (const listener of this.listeners) listener();
  }

  has(failure: Failure): boolean {
    return this.failures.has(keyOf(failure));
  }

  /** Fails a part, or repairs it. */
  toggle(failure: Failure): void {
    if (!this.failures.delete(keyOf(failure))) this.failures.set(keyOf(failure), failure);
    this.changed();
  }

  /** Makes an address the beginning of the route, the next one its end. */
  chooseEnd(address: number): void {
    this.isFollowing = false;
    this[this.isFromNext ? "from" : "to"] = address;
    this.isFromNext = !this.isFromNext;
    this.changed();
  }

  /** Fails exactly some parts. */
  fail(failures: Failure[]): void {
    this.failures.clear();
    for (const failure of failures) this.failures.set(keyOf(failure), failure);
    this.changed();
  }

  /** Returns the state as it stands after the # of an address. */
  asHash(): string {
    const failed = [...this.failures.values()].map(({ kind, id }) => `${kind}-${id}`);
    return new URLSearchParams({
      ...(failed.length > 0 && { fail: failed.join(",") }),
      ...(!this.isFollowing && { from: String(this.from), to: String(this.to) }),
      ...(this.colouring !== "pairs" && { colour: this.colouring }),
      ...(this.looked && { look: `${this.looked.kind}-${this.looked.id}` }),
    }).toString();
  }

  /** Adopts the state in an address, as far as its parts exist. */
  read(hash: string, isPart: (failure: Failure) => boolean, nAddresses: number): void {
    const said = new URLSearchParams(hash.replace(/^#/, ""));
    for (const text of (said.get("fail") ?? "").split(",")) {
      const failure = failureIn(text);
      if (failure && isPart(failure)) this.failures.set(keyOf(failure), failure);
    }
    const looked = failureIn(said.get("look") ?? "");
    if (looked && isPart(looked)) this.looked = looked;
    const address = (name: string, otherwise: number) => {
      const value = Number(said.get(name) ?? otherwise);
      return Number.isInteger(value) && value >= 0 && value < nAddresses ? value : otherwise;
    };
    this.isFollowing = !said.has("from") && !said.has("to");
    this.from = address("from", this.from);
    this.to = address("to", this.to);
    const colour = said.get("colour");
    if (colour === "load" || colour === "none") this.colouring = colour;
  }
}

/** Returns the failure that a word such as "cable-3" says. */
function failureIn(word: string): Failure | null {
  const [kind, id] = word.split("-");
  const failure = { kind: kind as Kind, id: Number(id) };
  return KINDS.includes(failure.kind) ? failure : null;
}

/** Returns a text that identifies a failure. */
export function keyOf({ kind, id }: Failure): string {
  return `${kind} ${id}`;
}
