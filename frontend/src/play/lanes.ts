// One lane of a time line: the states of a rank, or the work on the processors of a node. The time
// line and the pinned lanes draw it alike.
import { type Cluster } from "./cluster";
import { type Palette } from "./palette";
import { type Run } from "./run";
import { type Lanes } from "./search";
import { type Sheet } from "./sheet";
import { type View } from "./view";

export type LaneKind = "ranks" | "processors";

export interface Lane {
  of: LaneKind;
  /** The rank or the node. */
  at: number;
}

/** The rows of all lanes of a kind. */
export interface Shown {
  lanes: Lanes;
  start: Float64Array;
  end: Float64Array;
  kind: Uint8Array;
  colours: string[];
}

/** Returns the rows of a kind of lanes. */
export function shownOf(run: Run, palette: Palette, of: LaneKind): Shown {
  const { ranks, work } = run.recording;
  if (of === "ranks") {
    const { start, end, state: kind } = ranks;
    return { lanes: run.ranks, start, end, kind, colours: palette.states };
  }
  const { start, end, kind } = work;
  return { lanes: run.work, start, end, kind, colours: palette.works };
}

/** Returns the name of a lane. */
export function laneName({ written }: Cluster, { of, at }: Lane): string {
  if (of === "processors") return written.names[at]!;
  return `${at} · ${written.names[written.node_of_rank[at] ?? at]}`;
}

/** Draws the rows of a lane; of those in one column of pixels, the first of each colour. */
export function drawLane(
  { context, width }: Sheet,
  view: View,
  { lanes, start, end, kind, colours }: Shown,
  lane: number,
  y: number,
  height: number,
): void {
  const rows = lanes.of(lane);
  const drawn = new Int32Array(colours.length).fill(-1);
  let at = Math.max(0, lanes.after(lane, end, view.from) - lanes.after(lane, end, -Infinity));
  for (; at < rows.length && start[rows[at]!]! <= view.to; at++) {
    const row = rows[at]!;
    const x = Math.max(0, view.x(start[row]!, width));
    const until = Math.min(width, view.x(end[row]!, width));
    const column = Math.floor(x);
    if (until - x < 1 && drawn[kind[row]!] === column) continue;
    drawn[kind[row]!] = column;
    context.fillStyle = colours[kind[row]!] ?? colours[0]!;
    context.fillRect(x, y, Math.max(0.75, until - x), height);
  }
}
