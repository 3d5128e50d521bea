// Where things are in the drawing: the box of each device, and the course of each cable between the
// boxes, as points at equal distances. A frame moves along these points.
import { type Fabric, otherEnd } from "../failures/fabric";

const POINTS = 25;
const POINTS_OF_MANY = 9;
const MANY_LINKS = 600;
/** Parallel cables that are drawn as one line lie so far apart, in units of the drawing. */
const APART = 3;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The course of a cable from its end A to its end B. */
export interface Track {
  x: Float32Array;
  y: Float32Array;
  length: number;
}

export interface Place {
  x: number;
  y: number;
  /** The direction of travel. */
  dx: number;
  dy: number;
}

export interface Geometry {
  boxes: Map<number, Box>;
  /** By link; none for a cable that is not drawn. */
  tracks: (Track | undefined)[];
}

/** Returns the places of everything in a drawing. */
export function geometryOf(svg: SVGSVGElement, fabric: Fabric): Geometry {
  const boxes = new Map<number, Box>();
  for (const shape of svg.querySelectorAll<SVGGElement>("g[data-device]")) {
    const { x, y, width, height } = shape.querySelector("rect")!.getBBox();
    boxes.set(Number(shape.dataset.device), { x, y, width, height });
  }
  const tracks: Geometry["tracks"] = new Array(fabric.linkA.length);
  for (const path of svg.querySelectorAll<SVGPathElement>("path[data-cables]")) {
    const links = path.dataset.cables!.split(" ").map(Number);
    links.forEach((link, index) => {
      const aside = (index - (links.length - 1) / 2) * APART;
      tracks[link] = trackOf(path, fabric, link, boxes, aside);
    });
  }
  return { boxes, tracks };
}

function trackOf(
  path: SVGPathElement,
  { deviceOf, linkA, linkB }: Fabric,
  link: number,
  boxes: Map<number, Box>,
  aside: number,
): Track | undefined {
  const [a, b] = [boxes.get(deviceOf[linkA[link]!]!), boxes.get(deviceOf[linkB[link]!]!)];
  const whole = path.getTotalLength();
  if (!a || !b || !(whole > 0)) return undefined;
  const isForward = isNearer(path.getPointAtLength(0), a, b);
  const at = (along: number) => path.getPointAtLength(isForward ? along : whole - along);
  const [from, to] = visible(at, whole, a, b);
  const n = linkA.length > MANY_LINKS ? POINTS_OF_MANY : POINTS;
  const points = Array.from({ length: n }, (_, i) => at(from + ((to - from) * i) / (n - 1)));
  const track = {
    x: Float32Array.from(points, ({ x }) => x),
    y: Float32Array.from(points, ({ y }) => y),
    length: to - from,
  };
  return aside === 0 ? track : shifted(track, aside);
}

/** Returns between which lengths a path is outside the boxes at its ends. */
function visible(at: (along: number) => DOMPoint, whole: number, a: Box, b: Box) {
  const border = (box: Box, isEnd: boolean) => {
    let [inside, outside] = isEnd ? [whole, 0] : [0, whole];
    for (let step = 0; step < 9; step++) {
      const middle = (inside + outside) / 2;
      if (isInside(at(middle), box)) inside = middle;
      else outside = middle;
    }
    return outside;
  };
  const [from, to] = [border(a, false), border(b, true)];
  return to > from ? ([from, to] as const) : ([0, whole] as const);
}

function isInside({ x, y }: DOMPoint, box: Box): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

function isNearer(point: DOMPoint, a: Box, b: Box): boolean {
  const far = ({ x, y, width, height }: Box) =>
    Math.hypot(point.x - x - width / 2, point.y - y - height / 2);
  return far(a) <= far(b);
}

function shifted(track: Track, aside: number): Track {
  const moved = { ...track, x: track.x.slice(), y: track.y.slice() };
  for (let i = 0; i < track.x.length; i++) {
    const { x, y, dx, dy } = placeOn(track, i / (track.x.length - 1), false);
    moved.x[i] = x - dy * aside;
    moved.y[i] = y + dx * aside;
  }
  return moved;
}

/** Returns the place at a share of a course, from end A or from end B. */
export function placeOn({ x, y }: Track, share: number, isReversed: boolean): Place {
  const last = x.length - 1;
  const along = Math.min(1, Math.max(0, isReversed ? 1 - share : share)) * last;
  const i = Math.min(last - 1, Math.floor(along));
  const part = along - i;
  const [dx, dy] = [x[i + 1]! - x[i]!, y[i + 1]! - y[i]!];
  const scale = (isReversed ? -1 : 1) / (Math.hypot(dx, dy) || 1);
  return { x: x[i]! + part * dx, y: y[i]! + part * dy, dx: dx * scale, dy: dy * scale };
}

/** One cable on the way of a frame. A hub passes bits on at once: behind it, a frame has crossed
 * cables of lower levels before. */
export interface Leg {
  link: number;
  isReversed: boolean;
  level: number;
}

/** The ways of frames from each port, found once. */
export class Ways {
  private readonly known = new Map<number, { legs: Leg[]; depth: number }>();

  constructor(
    private readonly fabric: Fabric,
    private readonly isHub: (device: number) => boolean,
  ) {}

  /** Returns the cables that a frame from a port takes, through all hubs. */
  from(port: number): { legs: Leg[]; depth: number } {
    let way = this.known.get(port);
    if (!way) this.known.set(port, (way = this.find(port)));
    return way;
  }

  private find(port: number): { legs: Leg[]; depth: number } {
    const { fabric } = this;
    const legs: Leg[] = [];
    let level = 0;
    for (let ports = [port]; ports.length > 0; level++) {
      const next: number[] = [];
      for (const one of ports) {
        const link = fabric.linkOf[one]!;
        if (link < 0 || legs.some((leg) => leg.link === link)) continue;
        legs.push({ link, isReversed: fabric.linkB[link] === one, level });
        next.push(...this.repeated(otherEnd(fabric, link, one)));
      }
      ports = next;
    }
    return { legs, depth: Math.max(1, ...legs.map((leg) => leg.level + 1)) };
  }

  /** Returns the ports at which a hub repeats what comes in at one. */
  private repeated(port: number): number[] {
    const device = this.fabric.deviceOf[port]!;
    if (!this.isHub(device)) return [];
    const [first, end] = [this.fabric.portStart[device]!, this.fabric.portStart[device + 1]!];
    return Array.from({ length: end - first }, (_, i) => first + i).filter((one) => one !== port);
  }
}
