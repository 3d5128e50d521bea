// Frames on their way: pulses that move along the cables, each as long as it takes to send. Where a
// frame would pass in less than a moment of the reader it is shown a little longer, so that the
// frames of a burst follow each other like a train.
import { ACKNOWLEDGEMENT, CONTROL, LOST_ON_WIRE, NONE, PAUSE } from "./recording";
import { type Moment } from "./moment";
import { type Leg, type Track, placeOn } from "./tracks";
import { countUntil } from "./search";

/** Least time for which a frame is seen, in seconds of the reader. */
const LEAST_S = 0.22;
/** Above this many frames per screen, only how busy wires are is drawn. */
const MOST_FRAMES = 3000;
const WIDTH = 4.4;
const ASIDE = 3.2;
const FALL_S = 0.7;
const FALL = 26;
/** How clearly other frames are seen where those of a connection stand out. */
const ASIDE_OF_MARKED = 0.15;

/** Returns how clearly single frames are drawn, from 0 to 1: not while they only flicker. */
export function clearness({ run, speed }: Moment): number {
  const seconds = run.usual / Math.max(speed, Number.MIN_VALUE);
  return Math.min(1, Math.max(0, (seconds - 0.002) / 0.008));
}

/** Draws the frames that are on wires. */
export function drawPulses(moment: Moment): void {
  const { run, time, speed, context } = moment;
  const { start } = run.recording.frames;
  const clear = clearness(moment);
  const least = LEAST_S * speed;
  const from = countUntil(start, time - Math.max(run.longest, least));
  const end = countUntil(start, time);
  const first = Math.max(from, end - MOST_FRAMES);
  for (let row = first; row < end; row++) drawFrame(moment, row, least, clear);
  context.globalAlpha = 1;
}

function drawFrame(moment: Moment, row: number, least: number, clear: number): void {
  const { run, time } = moment;
  const { from, to, start, end, bytes, kind, isResent, connection } = run.recording.frames;
  const lasts = end[row]! - start[row]!;
  if (lasts <= 0) return; // dropped before any wire
  const whole = Math.max(lasts, least);
  const share = (time - start[row]!) / whole;
  if (share > 1) return;
  moment.drawn.frames++;
  const isMarked = moment.marked.has(connection[row]!);
  if (isMarked) moment.drawn.marked++;
  const isAside = moment.marked.size > 0 && !isMarked;
  moment.context.globalAlpha = clear * (isAside ? ASIDE_OF_MARKED : 1);
  const isRepeated = to[row] === NONE;
  const { legs, depth } = moment.ways.from(from[row]!);
  // The last bit leaves when the first has gone this share of the way.
  const long = Math.min(lasts / whole, 0.1 + (0.3 * bytes[row]!) / Math.max(1, run.mostBytes));
  const head = share / (1 - long);
  for (const leg of legs) {
    if (leg.level > 0 && !isRepeated) break;
    drawLeg(
      moment,
      row,
      leg,
      depth * head - leg.level,
      (depth * long) / (1 - long),
      kind[row]!,
      isResent[row] === 1,
    );
    if (!isRepeated) break;
  }
}

/** Draws the part of a frame that is on one cable, from `head` back by `long`. */
function drawLeg(
  moment: Moment,
  row: number,
  { link, isReversed }: Leg,
  head: number,
  long: number,
  kind: number,
  isResent: boolean,
): void {
  const track = moment.geometry.tracks[link];
  const tail = Math.max(0, head - long);
  if (!track || head <= 0 || tail >= 1) return;
  const first = Math.min(1, head);
  const { context, palette } = moment;
  context.strokeStyle = context.fillStyle = palette.frames[kind] ?? palette.frames[0]!;
  const middle = (first + tail) / 2;
  note(moment, row, track, middle, isReversed);
  if (kind === ACKNOWLEDGEMENT) return dot(moment, track, middle, isReversed);
  if (kind === CONTROL) return diamond(moment, track, middle, isReversed);
  if (kind === PAUSE) return barrier(moment, track, middle, isReversed);
  const least = 5 / track.length;
  line(
    moment,
    track,
    Math.max(0, Math.min(tail, middle - least / 2)),
    Math.max(first, least),
    isReversed,
    WIDTH,
  );
  if (!isResent) return;
  context.strokeStyle = palette.raised;
  line(moment, track, tail, first, isReversed, WIDTH * 0.36);
}

function note(moment: Moment, row: number, track: Track, share: number, isReversed: boolean): void {
  const { x, y, dx, dy } = placeOn(track, share, isReversed);
  const aside = ASIDE * moment.thick;
  moment.seen.push({ kind: "frame", row, x: x - dy * aside, y: y + dx * aside });
}

function line(
  { context, thick }: Moment,
  track: Track,
  from: number,
  to: number,
  isReversed: boolean,
  width: number,
): void {
  const n = Math.max(1, Math.ceil((to - from) * (track.x.length - 1)));
  context.lineWidth = width * thick;
  context.beginPath();
  for (let i = 0; i <= n; i++) {
    const { x, y, dx, dy } = placeOn(track, from + ((to - from) * i) / n, isReversed);
    context.lineTo(x - dy * ASIDE * thick, y + dx * ASIDE * thick);
  }
  context.stroke();
}

function dot({ context, thick }: Moment, track: Track, share: number, isReversed: boolean): void {
  const { x, y, dx, dy } = placeOn(track, share, isReversed);
  context.lineWidth = 1.6 * thick;
  context.beginPath();
  context.arc(x - dy * ASIDE * thick, y + dx * ASIDE * thick, 2.4 * thick, 0, 2 * Math.PI);
  context.stroke();
}

function diamond(
  { context, thick }: Moment,
  track: Track,
  share: number,
  isReversed: boolean,
): void {
  const { x, y, dx, dy } = placeOn(track, share, isReversed);
  const [cx, cy, r] = [x - dy * ASIDE * thick, y + dx * ASIDE * thick, 3.4 * thick];
  context.beginPath();
  context.moveTo(cx - r, cy);
  context.lineTo(cx, cy - r);
  context.lineTo(cx + r, cy);
  context.lineTo(cx, cy + r);
  context.fill();
}

function barrier(
  { context, thick }: Moment,
  track: Track,
  share: number,
  isReversed: boolean,
): void {
  const { x, y, dx, dy } = placeOn(track, share, isReversed);
  context.lineWidth = 2.6 * thick;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 2 * dy * ASIDE * thick, y + 2 * dx * ASIDE * thick);
  context.stroke();
}

/** Draws the frames that were lost a moment ago: they fall off their cable. */
export function drawLost(moment: Moment): void {
  const { run, time, speed, context, palette, thick } = moment;
  const lasts = FALL_S * speed;
  const { rows, time: times } = run.lost;
  const end = countUntil(times, time);
  context.strokeStyle = palette.trouble;
  context.lineWidth = 2 * thick;
  for (let at = Math.max(end - 300, countUntil(times, time - lasts)); at < end; at++) {
    const share = (time - times[at]!) / lasts;
    const place = lostAt(moment, rows[at]!);
    if (!place) continue;
    moment.drawn.lost++;
    context.globalAlpha = 1 - share;
    cross(moment, place.x, place.y + FALL * thick * share * share);
  }
  context.globalAlpha = 1;
}

/** Returns the place where a frame was lost: at the port that it did not leave, on its way, or at
 * the other end. */
function lostAt({ run, geometry }: Moment, row: number) {
  const { from, start, end, fate } = run.recording.frames;
  const lane = run.direction(from[row]!);
  const track = geometry.tracks[lane >> 1];
  if (lane < 0 || !track) return null;
  const share = end[row] === start[row] ? 0.04 : fate[row] === LOST_ON_WIRE ? 0.5 : 0.96;
  return placeOn(track, share, lane % 2 === 1);
}

function cross({ context, thick }: Moment, x: number, y: number): void {
  const r = 4 * thick;
  context.beginPath();
  context.moveTo(x - r, y - r);
  context.lineTo(x + r, y + r);
  context.moveTo(x + r, y - r);
  context.lineTo(x - r, y + r);
  context.stroke();
}
