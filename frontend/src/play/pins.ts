// Lanes that the reader pins above all others: ranks and processors beside each other, of any part
// of a long list, on the same axis of time.
import { byId, button, element } from "../check/dom";
import { type Clock } from "./clock";
import { type Cluster } from "./cluster";
import { type Lane, drawLane, laneName, shownOf } from "./lanes";
import { type Palette } from "./palette";
import { type Run } from "./run";
import { Sheet } from "./sheet";
import { AXIS, drawAxis, listen, putCursor } from "./timeline";
import { type View } from "./view";

const LANE = 24;

export class PinnedLanes {
  private readonly pins: Lane[] = [];
  private readonly sheet: Sheet;

  constructor(
    private readonly cluster: Cluster,
    private readonly view: View,
    private readonly clock: Clock,
    private readonly redraw: () => void,
  ) {
    const canvas = byId<HTMLCanvasElement>("pinned-lanes");
    this.sheet = new Sheet(canvas, redraw);
    listen(canvas, view, clock);
  }

  /** Pins a lane, or takes its pin away. */
  toggle({ of, at }: Lane): void {
    const place = this.pins.findIndex((one) => one.of === of && one.at === at);
    if (place < 0) this.pins.push({ of, at });
    else this.pins.splice(place, 1);
    this.show();
    this.redraw();
  }

  private show(): void {
    byId("pinned-box").hidden = this.pins.length === 0;
    this.sheet.canvas.style.height = `${AXIS + this.pins.length * LANE}px`;
    const names = this.pins.map((lane) => {
      const kind = lane.of === "ranks" ? "rank" : "processors of";
      const name = `${kind} ${laneName(this.cluster, lane)}`;
      return element("span", {}, name, button("×", () => this.toggle(lane), `Unpin ${name}`));
    });
    byId("pinned-names").replaceChildren(...names);
  }

  /** Draws the pinned lanes. */
  draw(run: Run, palette: Palette): void {
    if (this.pins.length === 0) return;
    const context = this.sheet.clear();
    drawAxis(context, this.view, this.sheet, this.clock.end, palette);
    this.pins.forEach(({ of, at }, place) => {
      const y = AXIS + place * LANE;
      context.fillStyle = palette.grid;
      context.fillRect(0, y + LANE - 0.5, this.sheet.width, 0.5);
      drawLane(this.sheet, this.view, shownOf(run, palette, of), at, y + 2, LANE - 4);
    });
  }

  /** Puts the cursor to the time of the clock. */
  follow(): void {
    putCursor(this.sheet, this.view, this.clock);
  }
}
