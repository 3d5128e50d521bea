// The load at a moment: how busy cables are, queues at ports, processors in their nodes, collisions
// on hubs.
import { type Moment } from "./moment";
import { clearness } from "./pulses";
import { N_WORKS } from "./run";
import { type Box, placeOn } from "./tracks";

/** Shares are averaged over this span of the reader's time. */
const WINDOW_S = 0.12;
/** In dense drawings cables stay warm for so much of the reader's time. */
const TRAIL_S = 1.5;
const ASIDE = 3.2;
const FLASH_S = 0.35;

/** Draws where frames were a moment ago: the busier a cable was, the warmer. */
export function drawTrail(moment: Moment): void {
  const { run, geometry, context, palette, thick, time, speed } = moment;
  const from = time - Math.max(TRAIL_S * speed, run.wires.span);
  context.strokeStyle = palette.queue;
  geometry.tracks.forEach((track, link) => {
    if (!track) return;
    const lanes = [2 * link, 2 * link + 1].map((lane) => run.wires.mean(lane, from, time));
    const busy = Math.min(1, Math.max(...lanes));
    if (busy < 0.002) return;
    moment.drawn.trails++;
    context.globalAlpha = 0.2 + 0.5 * Math.sqrt(busy);
    context.lineWidth = (3 + 5 * Math.sqrt(busy)) * thick;
    context.beginPath();
    for (let i = 0; i < track.x.length; i++) context.lineTo(track.x[i]!, track.y[i]!);
    context.stroke();
  });
  context.globalAlpha = 1;
}

/** Draws how busy each direction of each cable is. */
export function drawBusy(moment: Moment, isDense: boolean): void {
  const { run, geometry, context, palette, thick } = moment;
  const [from, to] = windowOf(moment);
  const clear = isDense ? 0 : clearness(moment);
  context.strokeStyle = palette.busy;
  for (let lane = 0; lane < 2 * geometry.tracks.length; lane++) {
    const track = geometry.tracks[lane >> 1];
    const busy = track ? Math.min(1, run.wires.mean(lane, from, to)) : 0;
    if (!track || busy < 0.004) continue;
    context.globalAlpha = (0.25 + 0.75 * Math.sqrt(busy)) * (1 - 0.8 * clear);
    context.lineWidth = (0.8 + 3.6 * busy) * thick;
    const side = (lane % 2 === 1 ? -1 : 1) * 2 * thick;
    context.beginPath();
    for (let i = 0; i < track.x.length; i++) {
      const { x, y, dx, dy } = placeOn(track, i / (track.x.length - 1), false);
      context.lineTo(x - dy * side, y + dx * side);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

function windowOf({ run, time, speed }: Moment): [number, number] {
  const half = Math.max((WINDOW_S / 2) * speed, run.wires.span / 2);
  return [time - half, time + half];
}

/** Draws the bytes that wait at each outgoing port, as a bar that grows from the port. */
export function drawQueues(moment: Moment): void {
  const { run, geometry, time, context, palette, thick } = moment;
  const { queues } = run.recording;
  context.strokeStyle = palette.queue;
  context.lineCap = "butt";
  for (let port = 0; port < run.queues.nLanes; port++) {
    const row = run.queues.last(port, queues.time, time);
    const bytes = row < 0 ? 0 : queues.bytes[row]!;
    const lane = bytes > 0 ? run.direction(port) : -1;
    const track = geometry.tracks[lane >> 1];
    if (lane < 0 || !track) continue;
    moment.drawn.queues++;
    const share = Math.sqrt(bytes / Math.max(1, run.mostQueued));
    const { x, y, dx, dy } = placeOn(track, 0, lane % 2 === 1);
    const [side, long] = [ASIDE * thick * 2.2, (3 + 15 * share) * thick];
    context.lineWidth = 4 * thick;
    context.beginPath();
    context.moveTo(x + dy * side, y - dx * side);
    const [middleX, middleY] = [x + dy * side + (dx * long) / 2, y - dx * side + (dy * long) / 2];
    moment.seen.push({ kind: "queue", row, x: middleX, y: middleY });
    context.lineTo(x + dy * side + dx * long, y - dx * side + dy * long);
    context.stroke();
  }
  context.lineCap = "round";
}

/** Draws who holds the processor of each node: the shares of a moment as a bar in its box; in dense
 * drawings the whole box has the colour of its work, and stands out among the others. */
export function drawProcessors(moment: Moment, isDense: boolean): void {
  const { run, geometry, context, palette } = moment;
  const shares = new Float64Array(N_WORKS);
  for (let node = 0; node < run.fabric.nNodes; node++) {
    const box = geometry.boxes.get(node);
    if (!box) continue;
    sharesOf(moment, node, shares);
    const sum = shares.reduce((total, share) => total + share, 0);
    if (sum < 0.01) continue;
    moment.drawn.processors++;
    const strongest = shares.indexOf(Math.max(...shares));
    context.strokeStyle = context.fillStyle = palette.works[strongest]!;
    if (isDense) {
      fullBox(moment, box, sum);
      continue;
    }
    context.globalAlpha = Math.min(1, 0.25 + sum);
    context.lineWidth = 2.2;
    roundBox(context, box, 1.2);
    context.globalAlpha = 1;
    bar(moment, box, shares);
  }
}

/** Fills a box, and more around it where it is small on the screen. */
function fullBox({ context, thick }: Moment, { x, y, width, height }: Box, sum: number): void {
  const more = 1.5 * thick;
  context.globalAlpha = Math.min(1, 0.6 + sum);
  context.fillRect(x - more, y - more, width + 2 * more, height + 2 * more);
  context.globalAlpha = 1;
}

function bar({ context, palette }: Moment, box: Box, shares: Float64Array): void {
  const [width, height] = [box.width - 6, 4];
  let x = box.x + 3;
  for (let kind = 0; kind < N_WORKS; kind++) {
    const own = Math.min(box.x + 3 + width - x, shares[kind]! * width);
    context.fillStyle = palette.works[kind]!;
    context.fillRect(x, box.y + box.height - height - 2.2, Math.max(0, own), height);
    x += own;
  }
}

/** Fills in the share of each kind of work around a moment. */
function sharesOf({ run, time, speed }: Moment, node: number, shares: Float64Array): void {
  const { work } = run.recording;
  const span = (WINDOW_S / 2) * speed;
  shares.fill(0);
  if (span > run.processors.span) {
    for (let kind = 0; kind < N_WORKS; kind++) {
      shares[kind] = run.processors.mean(N_WORKS * node + kind, time - span, time + span);
    }
    return;
  }
  const least = Math.max(span, 1e-9);
  const { rows } = run.work;
  let place = run.work.after(node, work.end, time - least);
  for (; place < rows.length && work.node[rows[place]!] === node; place++) {
    const row = rows[place]!;
    if (work.start[row]! > time + least) break;
    const [from, to] = [
      Math.max(work.start[row]!, time - least),
      Math.min(work.end[row]!, time + least),
    ];
    shares[work.kind[row]!]! += Math.max(0, to - from) / (2 * least);
  }
}

/** Lets hubs flash on which frames collide, or collided a moment ago. */
export function drawCollisions(moment: Moment): void {
  const { run, time, speed } = moment;
  const { hub, until } = run.recording.collisions;
  const after = FLASH_S * speed;
  const last = new Map<number, number>();
  run.collisions.overlapping(time - after, time, (row) => last.set(hub[row]!, row));
  for (const [device, row] of last) {
    const box = moment.geometry.boxes.get(device);
    if (box) flash(moment, box, Math.max(0, (time - until[row]!) / Math.max(after, 1e-12)));
  }
  moment.context.globalAlpha = 1;
}

/** Draws a ring around a box, which widens and fades by a share of its time. */
function flash(moment: Moment, box: Box, share: number): void {
  const { context, palette, thick } = moment;
  if (share > 1) return;
  moment.drawn.collisions++;
  context.globalAlpha = 0.28 * (1 - share);
  context.strokeStyle = context.fillStyle = palette.trouble;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1 - share;
  context.lineWidth = 3 * thick;
  roundBox(context, box, -2 - 9 * share);
}

function roundBox(context: CanvasRenderingContext2D, box: Box, inset: number): void {
  context.beginPath();
  context.roundRect(
    box.x + inset,
    box.y + inset,
    box.width - 2 * inset,
    box.height - 2 * inset,
    Math.max(1, 4 - inset),
  );
  context.stroke();
}
