// The clock of a run that is played beside another one: the page around both leads it. The reader's
// wishes go up to that page, and the time comes down for both runs at once.
import { Clock } from "./clock";

/** A wish of the reader in one of the runs, or the length of the run. */
export type Wish =
  | { wish: "end"; end: number }
  | { wish: "seek"; time: number }
  | { wish: "play"; isPlaying: boolean }
  | { wish: "hasten"; steps: number }
  | { wish: "show"; span: number; seconds: number }
  | { wish: "whole" };

/** The time of both runs. */
export interface Led {
  time: number;
  end: number;
  speed: number;
  isPlaying: boolean;
  /** Light or dark. */
  theme: string;
}

/** Returns the clock of this page: led where another page holds it for that. */
export function clockOfPage(): Clock {
  return document.documentElement.dataset.led === undefined ? new Clock() : new LedClock();
}

export class LedClock extends Clock {
  private ledSpeed = 1;

  constructor() {
    super();
    addEventListener("message", ({ data, source }: MessageEvent<Led>) => {
      if (source === parent) this.follow(data);
    });
  }

  override get speed(): number {
    return this.ledSpeed;
  }

  override play(isPlaying: boolean): void {
    say({ wish: "play", isPlaying });
  }

  override seek(time: number): void {
    say({ wish: "seek", time });
  }

  override hasten(steps: number): void {
    say({ wish: "hasten", steps });
  }

  override show(span: number, seconds: number): void {
    say({ wish: "show", span, seconds });
  }

  override whole(): void {
    say({ wish: "whole" });
  }

  /** Quiet times of one run need not be those of the other. */
  override skip(): void {}

  /** The page around passes the time. */
  override pass(): void {}

  override adopt(end: number): void {
    this.end = Math.max(this.end, end);
    say({ wish: "end", end });
    this.tell("seek");
  }

  private follow({ time, end, speed, isPlaying, theme }: Led): void {
    const { dataset } = document.documentElement;
    if (dataset.theme !== theme) dataset.theme = theme;
    const before = { end: this.end, isPlaying: this.isPlaying, speed: this.ledSpeed };
    [this.end, this.isPlaying, this.ledSpeed] = [end, isPlaying, speed];
    this.put(time);
    if (end !== before.end) this.tell("end");
    if (isPlaying !== before.isPlaying) this.tell("state");
    if (speed !== before.speed) this.tell("speed");
    this.tell(isPlaying ? "time" : "seek");
  }
}

function say(wish: Wish): void {
  parent.postMessage(wish, "*");
}
