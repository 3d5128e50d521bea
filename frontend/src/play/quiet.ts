// Times in which no frame moves and no node works, such as the seconds of a time-out: playing may
// pass over them.
import { type Recording } from "./recording";

const SPANS = 4096;

export class Quiet {
  /** Simulated seconds in which something happens. */
  readonly busy: number;
  private readonly span: number;
  /** For each of equal spans of the run, the number of the next one in which something happens. */
  private readonly next = new Uint16Array(SPANS);

  constructor({ frames, work, end }: Recording) {
    this.span = end / SPANS;
    const isBusy = new Uint8Array(SPANS);
    for (const { start, end: ends } of [frames, work]) {
      for (let row = 0; row < start.length; row++) {
        isBusy.fill(1, this.number(start[row]!), this.number(ends[row]!) + 1);
      }
    }
    let next = SPANS;
    let nBusy = 0;
    for (let one = SPANS - 1; one >= 0; one--) {
      if (isBusy[one]) [next, nBusy] = [one, nBusy + 1];
      this.next[one] = next;
    }
    this.busy = Math.max(1, nBusy) * this.span;
  }

  /** Returns when something happens at a time or after it. */
  until(time: number): number {
    return Math.max(time, this.next[this.number(time)]! * this.span);
  }

  private number(time: number): number {
    return Math.min(SPANS - 1, Math.floor(time / this.span));
  }
}
