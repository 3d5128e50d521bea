// One moment of a run as it is drawn.
import { type Palette } from "./palette";
import { type Run } from "./run";
import { type Geometry, type Ways } from "./tracks";

/** How much of each is seen. */
export interface Drawn {
  frames: number;
  /** Those of them that stand out. */
  marked: number;
  lost: number;
  queues: number;
  processors: number;
  collisions: number;
  /** Cables that are warm from frames a moment ago, in dense drawings. */
  trails: number;
  /** Directions of cables with a counter. */
  counters: number;
}

/** A frame or a queue in the drawing: the row of its table, and where it is drawn. */
export interface Seen {
  kind: "frame" | "queue";
  row: number;
  x: number;
  y: number;
}

export interface Moment {
  run: Run;
  geometry: Geometry;
  ways: Ways;
  /** Simulated seconds; and how many of them pass per second of the reader. */
  time: number;
  speed: number;
  /** Connections whose frames stand out; where there are none, all frames are alike. */
  marked: ReadonlySet<number>;
  context: CanvasRenderingContext2D;
  palette: Palette;
  /** Factor for widths, so that lines stay visible in a drawing that is shown small. */
  thick: number;
  drawn: Drawn;
  /** The frames and queues that are drawn. */
  seen: Seen[];
}
