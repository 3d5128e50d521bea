// The span of time that the time line and the plot of a connection show: the whole run, or part of
// it, which follows the clock.
import { type Clock } from "./clock";

const LEAST_SHARE = 1e-6;

export class View {
  from = 0;
  to: number;
  private isWhole = true;

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {
    this.to = clock.end;
  }

  get span(): number {
    return this.to - this.from;
  }

  /** Takes another run: a part that was shown stays, as far as it is there. */
  adopt(): void {
    if (this.isWhole) this.whole();
    else this.put(this.from, this.to);
  }

  /** Shows the whole run. */
  whole(): void {
    this.put(0, this.clock.end);
  }

  /** Shows a span with a little time around it. */
  showSpan(from: number, to: number): void {
    const around = 0.05 * Math.max(to - from, this.clock.end * LEAST_SHARE);
    this.put(from - around, to + around);
  }

  /** Shows the span between two times, in either order, and goes to its begin. */
  select(one: number, other: number): void {
    const from = Math.max(0, Math.min(one, other));
    this.clock.seek(from);
    const least = this.clock.end * LEAST_SHARE;
    this.put(from, Math.max(from + least, Math.max(one, other)));
  }

  /** Shows more or less time around a moment. */
  zoom(factor: number, about = this.clock.time): void {
    const { end } = this.clock;
    const span = Math.min(end, Math.max(end * LEAST_SHARE, this.span * factor));
    const share = (Math.min(this.to, Math.max(this.from, about)) - this.from) / this.span;
    this.put(about - share * span, about + (1 - share) * span);
  }

  /** Moves the span, by a time. */
  pan(by: number): void {
    this.put(this.from + by, this.to + by);
  }

  /** Turns to the page on which the clock is. */
  follow(): void {
    const { time } = this.clock;
    if (time >= this.from && time <= this.to) return;
    const from = time - 0.1 * this.span;
    this.put(from, from + this.span);
  }

  /** Returns the place of a time in a width. */
  x(time: number, width: number): number {
    return ((time - this.from) / this.span) * width;
  }

  private put(from: number, to: number): void {
    const { end } = this.clock;
    const span = Math.min(end, to - from);
    this.isWhole = span === end;
    this.from = Math.min(end - span, Math.max(0, from));
    this.to = this.from + span;
    this.changed();
  }
}
