// The time that is shown: it runs at a speed, rests, or is put somewhere else. Drawing is not done
// here: views that show a time listen to its changes.

import { type Quiet } from "./quiet";

/** Seconds in which a run plays, unless the reader chooses another speed. */
const WHOLE_S = 15;
/** Quiet times are passed over when they last longer than this, in seconds of the reader. */
const PATIENCE_S = 0.4;
const STEP = 2;
const SLOWEST = 1e-5;
const FASTEST = 32;

export type Change = "time" | "seek" | "state" | "speed" | "end";

export class Clock {
  /** Simulated seconds. */
  time = 0;
  isPlaying = false;
  /** How fast, where 1 plays the whole run in `WHOLE_S`. */
  private pace = 1;
  private readonly listeners: ((change: Change) => void)[] = [];

  end = 1;
  private quiet: Quiet | null = null;
  private isSkipping = true;
  private hasRun = false;

  /** Simulated seconds per second of the reader. */
  get speed(): number {
    return (this.pace * this.played) / WHOLE_S;
  }

  /** Simulated seconds that are played. */
  private get played(): number {
    return (this.isSkipping && this.quiet?.busy) || this.end;
  }

  /** Calls `changed` after each change. */
  onChange(changed: (change: Change) => void): void {
    this.listeners.push(changed);
  }

  /** Plays or rests; at the end, playing restarts. */
  play(isPlaying: boolean): void {
    if (isPlaying && this.time >= this.end) this.put(0);
    this.isPlaying = isPlaying;
    this.tell("state");
  }

  /** Goes to a time. */
  seek(time: number): void {
    this.put(time);
    this.tell("seek");
  }

  /** Plays faster or slower by steps. */
  hasten(steps: number): void {
    this.pace = Math.min(FASTEST, Math.max(SLOWEST, this.pace * STEP ** steps));
    this.tell("speed");
  }

  /** Plays so that a span of simulated time takes some seconds. */
  show(span: number, seconds: number): void {
    this.pace = 1;
    this.hasten(Math.log2(span / seconds / this.speed));
  }

  /** Plays so that the whole run takes as long as at first. */
  whole(): void {
    this.show(this.played, WHOLE_S);
  }

  /** Passes over quiet times, or plays them; moments go on as fast as before. */
  skip(isSkipping: boolean): void {
    const { speed } = this;
    this.isSkipping = isSkipping;
    this.show(speed, 1);
  }

  /** Lets some seconds of the reader pass. */
  pass(seconds: number): void {
    if (!this.isPlaying) return;
    const time = this.time + seconds * this.speed;
    const busy = (this.isSkipping && this.quiet?.until(time)) || time;
    this.put(busy - time > PATIENCE_S * this.speed ? busy : time);
    if (this.time >= this.end) this.play(false);
    else this.tell("time");
  }

  /** Takes a run; after a first one, time goes on as fast as before. */
  adopt(end: number, quiet: Quiet | null): void {
    const { speed } = this;
    const isFirst = !this.hasRun;
    [this.end, this.quiet, this.hasRun] = [end, quiet, true];
    if (!isFirst) this.show(speed, 1);
    this.seek(this.time);
  }

  protected put(time: number): void {
    this.time = Math.min(this.end, Math.max(0, time));
  }

  protected tell(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
