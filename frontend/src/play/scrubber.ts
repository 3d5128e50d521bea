// The bar under the drawing: how much was on the wires over the whole run, with ticks for troubles,
// the measured span and the part that the plots show, and a range input over it that puts the time
// anywhere.
import { byId } from "../check/dom";
import { type Clock } from "./clock";
import { type MeasuredSpans } from "./measured";
import { type Palette } from "./palette";
import { type Recording } from "./recording";
import { type Run } from "./run";
import { Sheet } from "./sheet";
import { type View } from "./view";
import { momentText } from "./words";

const STEPS = 10_000;

export class Scrubber {
  private readonly range = byId<HTMLInputElement>("seek");
  private readonly sheet: Sheet;
  /** Bytes on wires in each of the equal spans of the run. */
  private activity = new Float32Array(0);

  constructor(
    private readonly clock: Clock,
    private readonly view: View,
    private readonly measured: MeasuredSpans,
    redraw: () => void,
  ) {
    this.range.max = String(STEPS);
    this.range.addEventListener("input", () => {
      clock.seek((Number(this.range.value) / STEPS) * clock.end);
    });
    this.sheet = new Sheet(byId<HTMLCanvasElement>("activity"), redraw);
  }

  /** Puts the handle to the time of the clock. */
  follow(): void {
    const { time, end } = this.clock;
    this.range.value = String(Math.round((time / end) * STEPS));
    this.range.setAttribute(
      "aria-valuetext",
      `${momentText(time, end)} of ${momentText(end, end)}`,
    );
    byId("played").style.width = `${(100 * time) / end}%`;
  }

  /** Takes another run. */
  adopt({ recording }: Run): void {
    const { frames, end } = recording;
    this.activity = new Float32Array(480);
    const n = this.activity.length;
    for (let row = 0; row < frames.start.length; row++) {
      if (frames.end[row] === frames.start[row]) continue; // dropped before any wire
      const bin = Math.min(n - 1, Math.floor((frames.start[row]! / end) * n));
      this.activity[bin]! += frames.bytes[row]!;
    }
  }

  /** Draws the whole run. */
  draw({ recording, lost }: Run, palette: Palette): void {
    const context = this.sheet.clear();
    const { width, height } = this.sheet;
    const most = Math.max(1, ...this.activity);
    const n = this.activity.length;
    context.fillStyle = palette.busy;
    context.globalAlpha = 0.55;
    this.activity.forEach((bytes, bin) => {
      const high = bytes > 0 ? Math.max(1, (bytes / most) * (height - 8)) : 0;
      context.fillRect((bin / n) * width, height - high, Math.max(1, width / n), high);
    });
    context.globalAlpha = 1;
    const x = (time: number) => (time / recording.end) * width;
    this.measured.draw(this.sheet, x, palette);
    if (this.view.span < this.clock.end) {
      context.strokeStyle = palette.quiet;
      const [from, to] = [x(this.view.from), x(this.view.to)];
      context.strokeRect(from + 0.5, 0.5, Math.max(2, to - from - 1), height - 1);
    }
    for (const { name, times, colour } of ticksOf(recording, lost.time, palette)) {
      byId(`tick-${name}`).hidden = times.length === 0;
      context.fillStyle = colour;
      for (const x of columnsOf(times, recording.end, width)) context.fillRect(x, 0, 1.5, 6);
    }
  }
}

/** Returns the moments that the bar marks, with their colours. */
function ticksOf(
  { collisions, timeouts, faults }: Recording,
  lost: Float64Array,
  palette: Palette,
) {
  return [
    { name: "collision", times: collisions.time, colour: palette.queue },
    { name: "lost", times: lost, colour: palette.trouble },
    { name: "timeout", times: timeouts.time, colour: palette.ink },
    { name: "fault", times: faults.time, colour: palette.accent },
  ];
}

/** Returns each pixel column that some moments fall on, once. */
function columnsOf(times: Float64Array, end: number, width: number): Set<number> {
  const found = new Set<number>();
  for (const time of times) found.add(Math.floor((time / end) * (width - 1.5)));
  return found;
}
