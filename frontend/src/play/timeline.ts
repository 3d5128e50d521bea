// The time line: a lane per rank with its states and arrows for messages, or a lane per node with
// who holds its processor. The lanes are drawn when the view changes; the cursor alone moves.
import { byId, element } from "../check/dom";
import { type Clock } from "./clock";
import { type Cluster } from "./cluster";
import { type Lane, type LaneKind, drawLane, laneName, shownOf } from "./lanes";
import { type MeasuredSpans } from "./measured";
import { type Palette } from "./palette";
import { type Run } from "./run";
import { Sheet } from "./sheet";
import { type View } from "./view";
import { axisStep, axisText } from "./words";

const LANE = 18;
const LEAST_LANE = 7;
const FEW_LANES = 24;
export const AXIS = 20;
/** More messages than these are not drawn one by one. */
const MOST_ARROWS = 2500;

export class Timeline {
  private readonly sheet: Sheet;
  private readonly which = byId<HTMLSelectElement>("lanes-of");
  private readonly pinned = byId<HTMLSelectElement>("pin-lane");
  private nLanes = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly view: View,
    private readonly clock: Clock,
    private readonly measured: MeasuredSpans,
    private readonly pin: (lane: Lane) => void,
    private readonly redraw: () => void,
  ) {
    const canvas = byId<HTMLCanvasElement>("lanes");
    this.sheet = new Sheet(canvas, redraw);
    this.which.addEventListener("change", () => this.redraw());
    this.pinned.addEventListener("change", () => {
      this.pin({ of: this.of, at: Number(this.pinned.value) });
      this.pinned.value = "";
    });
    listen(canvas, view, clock);
  }

  /** Draws the lanes of the view. */
  draw(run: Run, palette: Palette): void {
    const isRanks = this.of === "ranks";
    const shown = shownOf(run, palette, this.of);
    this.place(shown.lanes.nLanes);
    const context = this.sheet.clear();
    const lane = this.laneHeight();
    drawAxis(context, this.view, this.sheet, this.clock.end, palette);
    for (let one = 0; one < shown.lanes.nLanes; one++) {
      context.fillStyle = palette.grid;
      context.fillRect(0, AXIS + (one + 1) * lane - 0.5, this.sheet.width, 0.5);
      drawLane(this.sheet, this.view, shown, one, AXIS + one * lane + 1.5, lane - 3);
    }
    const x = (time: number) => this.view.x(time, this.sheet.width);
    this.measured.draw(this.sheet, x, palette);
    const isCrowded = isRanks && !this.drawArrows(run, lane, palette);
    byId("lanes-note").textContent = isCrowded ? "Zoom in to see the messages." : "";
  }

  /** Puts the cursor to the time of the clock. */
  follow(): void {
    putCursor(this.sheet, this.view, this.clock);
  }

  private get of(): LaneKind {
    return this.which.value as LaneKind;
  }

  private laneHeight(): number {
    return this.nLanes <= FEW_LANES ? LANE : Math.max(LEAST_LANE, (LANE * FEW_LANES) / this.nLanes);
  }

  /** Makes room for the lanes, with their names, each of which pins its lane. */
  private place(nLanes: number): void {
    const { of, cluster } = this;
    const key = `${of} ${nLanes}`;
    const names = byId("lane-names");
    if (names.dataset.key === key) return;
    [names.dataset.key, this.nLanes] = [key, nLanes];
    byId("timeline-card").dataset.lanes = of;
    const lane = this.laneHeight();
    const every = Math.ceil(13 / lane);
    const all = Array.from({ length: nLanes }, (_, at) => laneName(cluster, { of, at }));
    const labels = all.map((name, at) => {
      const label = element("span", { title: `Pin ${name}` }, at % every === 0 ? name : "");
      label.style.height = `${lane}px`;
      label.addEventListener("click", () => this.pin({ of, at }));
      return label;
    });
    names.replaceChildren(...labels);
    const options = all.map((name, at) => element("option", { value: at }, name));
    this.pinned.replaceChildren(element("option", { value: "" }, "a lane …"), ...options);
    this.sheet.canvas.style.height = `${AXIS + nLanes * lane}px`;
  }

  /** Draws the messages as arrows; returns false where there are too many. */
  private drawArrows(run: Run, lane: number, palette: Palette): boolean {
    const { view, sheet } = this;
    if (run.messages.most(view.from, view.to) > MOST_ARROWS) return false;
    const { from, to, start, end } = run.recording.messages;
    const { context } = sheet;
    context.strokeStyle = context.fillStyle = palette.ink;
    context.lineWidth = 0.9;
    const n = run.messages.most(view.from, view.to);
    context.globalAlpha = Math.min(0.8, Math.max(0.18, (0.15 * sheet.width) / Math.max(1, n)));
    const middle = (rank: number) => AXIS + (rank + 0.5) * lane;
    run.messages.overlapping(view.from, view.to, (row) => {
      const x = view.x(end[row]!, sheet.width);
      arrow(context, view.x(start[row]!, sheet.width), middle(from[row]!), x, middle(to[row]!));
    });
    context.globalAlpha = 1;
    return true;
  }
}

function arrow(context: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number) {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
  const angle = Math.atan2(toY - y, toX - x);
  const side = (turn: number) =>
    [toX - 6 * Math.cos(angle + turn), toY - 6 * Math.sin(angle + turn)] as const;
  context.beginPath();
  context.moveTo(toX, toY);
  context.lineTo(...side(0.4));
  context.lineTo(...side(-0.4));
  context.fill();
}

/** Puts the cursor of a plot to the time of the clock. */
export function putCursor({ canvas, width }: Sheet, view: View, { time }: Clock): void {
  const cursor = canvas.nextElementSibling as HTMLElement;
  const x = view.x(time, width);
  cursor.hidden = x < 0 || x > width;
  cursor.style.transform = `translateX(${x}px)`;
}

/** Draws the axis of time at the top of a plot, with lines down through it. */
export function drawAxis(
  context: CanvasRenderingContext2D,
  view: View,
  { width, height }: Sheet,
  end: number,
  palette: Palette,
): void {
  const step = axisStep(view.span, width / 110);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
    const x = view.x(time, width);
    context.fillStyle = palette.grid;
    context.fillRect(x, AXIS - 4, 1, height);
    context.fillStyle = palette.quiet;
    const text = axisText(time, step, end);
    if (x + context.measureText(text).width + 4 < width) context.fillText(text, x + 4, AXIS / 2);
  }
}

/** Lets the reader click to seek, drag to move, select a span with Shift, and zoom by the wheel
 * with Ctrl. */
export function listen(canvas: HTMLCanvasElement, view: View, clock: Clock): void {
  const timeAt = (event: MouseEvent) =>
    view.from + (event.offsetX / Math.max(1, canvas.clientWidth)) * view.span;
  let [pressedX, hasDragged] = [NaN, false];
  let selected = NaN;
  canvas.addEventListener("pointerdown", (event) => {
    [pressedX, hasDragged] = [event.clientX, false];
    selected = event.shiftKey ? timeAt(event) : NaN;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const by = pressedX - event.clientX;
    if (Number.isNaN(by) || (!hasDragged && Math.abs(by) < 4)) return;
    [pressedX, hasDragged] = [event.clientX, true];
    if (!Number.isNaN(selected)) return;
    view.pan((by / canvas.clientWidth) * view.span);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!hasDragged && !Number.isNaN(pressedX)) clock.seek(timeAt(event));
    if (hasDragged && !Number.isNaN(selected)) view.select(selected, timeAt(event));
    pressedX = NaN;
  });
  canvas.addEventListener("pointercancel", () => (pressedX = NaN));
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      view.zoom(1.25 ** Math.sign(event.deltaY), timeAt(event));
    },
    { passive: false },
  );
}
