// Counters of each direction of each cable up to the time shown, drawn beside the port that sends.
// A frame that a hub repeats counts at its sender alone.
import { byId } from "../check/dom";
import { formatBytes } from "../quantities";
import { type Moment } from "./moment";
import { type Run } from "./run";
import { Lanes } from "./search";
import { placeOn } from "./tracks";

/** The quantity that counters show. */
export type Counted = "" | "frames" | "bytes" | "busy";

const TEXT_PX = 10;
/** A shorter cable on the screen has no room for its two counters. */
const LEAST_PX = 70;
const AWAY_PX = 24;
const ASIDE_PX = 9;

/** The frames that each direction has carried, and their bytes, up to any time. */
export class Counters {
  private readonly lanes: Lanes;
  /** Bytes up to each place of the lanes' rows, over all of them. */
  private readonly sums: Float64Array;

  constructor(private readonly run: Run) {
    const { frames } = run.recording;
    const lane = Uint32Array.from(frames.from, (port, row) => {
      const isOnWire = frames.end[row]! > frames.start[row]!;
      return isOnWire ? run.direction(port) : -1; // -1 becomes a lane that there is not
    });
    this.lanes = new Lanes(lane, 2 * run.fabric.linkA.length);
    let sum = 0;
    this.sums = Float64Array.from(this.lanes.rows, (row) => (sum += frames.bytes[row]!));
  }

  /** Returns the counter of a direction at a time; empty while it has carried nothing. */
  text(of: Counted, lane: number, time: number): string {
    const { start } = this.run.recording.frames;
    const [first, after] = [-Infinity, time].map((one) => this.lanes.after(lane, start, one));
    const n = after! - first!;
    if (n === 0) return "";
    if (of === "frames") return n.toLocaleString("en");
    if (of === "bytes") return formatBytes(this.sums[after! - 1]! - (this.sums[first! - 1] ?? 0));
    const share = 100 * this.run.wires.mean(lane, 0, time);
    return `${share < 10 ? share.toFixed(1) : share.toFixed(0)} %`;
  }
}

/** Draws the counters of all cables that have room for them. */
export function drawCounters(moment: Moment, counters: Counters, of: Counted, scale: number): void {
  const { geometry, context, palette, time } = moment;
  let nHidden = 0;
  context.font = `${TEXT_PX / scale}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 3 / scale;
  context.strokeStyle = palette.raised;
  context.fillStyle = palette.ink;
  for (let lane = 0; lane < 2 * geometry.tracks.length; lane++) {
    const track = geometry.tracks[lane >> 1];
    const text = track ? counters.text(of, lane, time) : "";
    if (!track || !text) continue;
    if (track.length * scale < LEAST_PX) {
      nHidden++;
      continue;
    }
    moment.drawn.counters++;
    const share = AWAY_PX / scale / track.length;
    const { x, y, dx, dy } = placeOn(track, share, lane % 2 === 1);
    const aside = ASIDE_PX / scale;
    context.strokeText(text, x - dy * aside, y + dx * aside);
    context.fillText(text, x - dy * aside, y + dx * aside);
  }
  const note = nHidden > 0 ? "Zoom in to see the counters of short cables." : "";
  if (byId("counters-note").textContent !== note) byId("counters-note").textContent = note;
}
