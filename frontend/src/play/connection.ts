// One connection over time: its congestion window, the bytes in flight and the limit of both, with
// its time-outs and the segments that were sent again.
import { byId, element } from "../check/dom";
import { formatBytes } from "../quantities";
import { type Clock } from "./clock";
import { type MeasuredSpans } from "./measured";
import { type Palette } from "./palette";
import { type Run } from "./run";
import { countUntil } from "./search";
import { Sheet } from "./sheet";
import { AXIS, drawAxis, listen, putCursor } from "./timeline";
import { type View } from "./view";
import { axisStep } from "./words";

/** Shows the connections with the most to tell; all others are the same without a window. */
const MOST_CHOICES = 500;
const FOOT = 16;

export class ConnectionPlot {
  private readonly sheet: Sheet;
  private readonly choice = byId<HTMLSelectElement>("connection");
  private readonly standOut = byId<HTMLInputElement>("stand-out");
  private run: Run | null = null;

  constructor(
    private readonly view: View,
    private readonly clock: Clock,
    private readonly measured: MeasuredSpans,
    redraw: () => void,
    private readonly mark: (connections: ReadonlySet<number>) => void,
  ) {
    const canvas = byId<HTMLCanvasElement>("windows");
    this.sheet = new Sheet(canvas, redraw);
    this.choice.addEventListener("change", () => {
      this.standOut.checked = true;
      this.show();
      redraw();
    });
    this.standOut.addEventListener("change", () => this.show());
    byId("all-frames").addEventListener("click", () => {
      this.standOut.checked = false;
      this.show();
    });
    listen(canvas, view, clock);
  }

  /** Takes another run: the connection stays if it is there. */
  adopt(run: Run): void {
    this.run = run;
    const { from, to } = run.recording.connections;
    const size = (one: number) => run.windows.of(one).length;
    const found = [...from.keys()].filter((one) => size(one) > 0);
    found.sort((a, b) => size(b) - size(a));
    const before = this.choice.selectedOptions[0]?.textContent;
    const options = found.slice(0, MOST_CHOICES).map((one) => {
      const name = `rank ${from[one]} → rank ${to[one]}`;
      return element("option", { value: one, selected: name === before }, name);
    });
    this.choice.replaceChildren(...options);
    byId("connection-card").hidden = options.length === 0;
    this.show();
  }

  /** Lets the frames of the chosen connection stand out in the drawing, in both directions: its
   * acknowledgements go back by the other one. */
  private show(): void {
    const found = new Set<number>();
    const one = Number(this.choice.value);
    if (this.run && this.standOut.checked && this.choice.value !== "") {
      const { from, to } = this.run.recording.connections;
      const ends = [from[one], to[one]];
      for (const other of from.keys()) {
        if (ends.includes(from[other]) && ends.includes(to[other])) found.add(other);
      }
    }
    byId("standing-out").hidden = found.size === 0;
    byId("standing-out-name").textContent = this.choice.selectedOptions[0]?.textContent ?? "";
    this.mark(found);
  }

  /** Draws the chosen connection. */
  draw(run: Run, palette: Palette): void {
    const context = this.sheet.clear();
    const connection = Number(this.choice.value);
    const rows = run.windows.of(connection);
    if (this.choice.value === "" || rows.length === 0) return;
    drawAxis(context, this.view, this.sheet, this.clock.end, palette);
    const { congestion, inFlight, limit } = run.recording.windows;
    // A window that nothing has closed yet is as good as infinite: it would leave no room.
    let most = 1;
    for (const row of rows) {
      most = Math.max(most, inFlight[row]!, Math.min(congestion[row]!, limit[row]!));
    }
    most *= 1.15;
    this.drawScale(most, palette);
    const { works, busy, accent } = palette;
    this.drawSteps(run, rows, inFlight, most, { colour: busy, isArea: true });
    this.drawSteps(run, rows, limit, most, { colour: works[3]!, dash: [6, 4] });
    this.drawSteps(run, rows, congestion, most, { colour: accent });
    this.drawTroubles(run, connection, palette);
    const x = (time: number) => this.view.x(time, this.sheet.width);
    this.measured.draw(this.sheet, x, palette);
  }

  /** Puts the cursor to the time of the clock. */
  follow(): void {
    putCursor(this.sheet, this.view, this.clock);
  }

  private y(bytes: number, most: number): number {
    const { height } = this.sheet;
    return height - FOOT - (Math.min(bytes, most) / most) * (height - FOOT - AXIS - 4);
  }

  private drawScale(most: number, palette: Palette): void {
    const { context, width } = this.sheet;
    const step = axisStep(most, 4);
    for (let bytes = 0; bytes <= most; bytes += step) {
      const y = this.y(bytes, most);
      context.fillStyle = palette.grid;
      context.fillRect(0, y, width, 1);
      context.fillStyle = palette.quiet;
      context.fillText(formatBytes(bytes), 4, y - 7);
    }
  }

  /** Draws a column as steps; rows closer than pixels are drawn as their extent. */
  private drawSteps(
    { recording: { windows } }: Run,
    rows: Uint32Array,
    column: Float64Array,
    most: number,
    { colour, isArea = false, dash = [] }: { colour: string; isArea?: boolean; dash?: number[] },
  ): void {
    const { context, width, height } = this.sheet;
    const times = Float64Array.from(rows, (row) => windows.time[row]!);
    const first = Math.max(0, countUntil(times, this.view.from) - 1);
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = 1.6;
    context.setLineDash(dash);
    context.beginPath();
    let [x, y] = [0, height - FOOT];
    if (isArea) context.moveTo(0, y);
    for (let at = first; at < rows.length && times[at]! <= this.view.to; at++) {
      x = Math.max(0, this.view.x(times[at]!, width));
      if (at > first || isArea) context.lineTo(x, y);
      y = this.y(column[rows[at]!]!, most);
      context.lineTo(x, y);
    }
    context.lineTo(width, y);
    if (isArea) {
      context.lineTo(width, height - FOOT);
      context.globalAlpha = 0.45;
      context.fill();
      context.globalAlpha = 1;
    } else context.stroke();
    context.setLineDash([]);
  }

  /** Marks time-outs and segments sent again at the foot of the plot. */
  private drawTroubles(run: Run, connection: number, palette: Palette): void {
    const { context, width, height } = this.sheet;
    const { timeouts, frames } = run.recording;
    const y = height - FOOT / 2;
    context.fillStyle = palette.trouble;
    timeouts.connection.forEach((one, row) => {
      if (one !== connection) return;
      const x = this.view.x(timeouts.time[row]!, width);
      context.beginPath();
      context.moveTo(x - 5, y + 5);
      context.lineTo(x, y - 5);
      context.lineTo(x + 5, y + 5);
      context.fill();
    });
    context.fillStyle = palette.frames[0]!;
    const first = countUntil(frames.start, this.view.from);
    for (let row = first; row < frames.start.length && frames.start[row]! <= this.view.to; row++) {
      if (frames.isResent[row] !== 1 || frames.connection[row] !== connection) continue;
      context.fillRect(this.view.x(frames.start[row]!, width) - 1, y - 5, 2, 10);
    }
  }
}
