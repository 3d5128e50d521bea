// Places in a drawing: of devices that have none, and of chosen ones in a row or on a circle.
// All are points on a grid, so that boxes line up.
import { type Graph, type Point } from "./graph";

export const GRID = 10;
export const PITCH = { x: 90, y: 70 };
/** Least distances of two boxes that do not cover each other. */
const APART = { x: 80, y: 60 };

export type Arrangement = "row" | "column" | "across" | "down" | "circle" | "grid";

/** Returns a place for each device: the text's, the last drawing's, or one beside these. */
export function placesFor(graph: Graph, drawn: Map<string, Point>): Map<string, Point> {
  const places = new Map<string, Point>();
  const rest: string[] = [];
  for (const name of graph.devices.keys()) {
    const place = graph.places.get(name) ?? drawn.get(name);
    if (place) places.set(name, place);
    else rest.push(name);
  }
  if (places.size === 0 && rest.length > 0) return circleOrGrid(rest);
  for (const name of rest) places.set(name, freePlace(places.values(), middle(places.values())));
  return places;
}

function circleOrGrid(names: string[]): Map<string, Point> {
  const start = new Map(names.map((name) => [name, { x: 0, y: 0 }]));
  return arranged(start, names.length <= 12 ? "circle" : "grid");
}

/** Returns the place nearest to a point, a pitch from the next, that no device covers. */
export function freePlace(taken: Iterable<Point>, near: Point): Point {
  const all = [...taken];
  const isFree = ({ x, y }: Point) =>
    all.every((one) => Math.abs(one.x - x) >= APART.x || Math.abs(one.y - y) >= APART.y);
  const start = snapped(near);
  for (let reach = 1; ; reach *= 2) {
    const free = around(start, reach).find(isFree);
    if (free) return free;
  }
}

/** Returns the places around a point, the nearest first. */
function around({ x, y }: Point, reach: number): Point[] {
  const steps = Array.from({ length: 2 * reach + 1 }, (_, at) => at - reach);
  return steps
    .flatMap((row) => steps.map((column): [number, number] => [column, row]))
    .map(([column, row]) => ({ x: x + column * PITCH.x, y: y + row * PITCH.y }))
    .sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y));
}

export function snapped({ x, y }: Point): Point {
  return { x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID };
}

/** Returns the middle of points; the origin of none. */
export function middle(points: Iterable<Point>): Point {
  const all = [...points];
  if (all.length === 0) return { x: 0, y: 0 };
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  return { x: mean(all.map(({ x }) => x)), y: mean(all.map(({ y }) => y)) };
}

/** Returns new places of devices, about the middle of the old ones. */
export function arranged(places: Map<string, Point>, how: Arrangement): Map<string, Point> {
  const names = [...places.keys()];
  const { x, y } = snapped(middle(places.values()));
  const made = (place: (at: number, old: Point) => Point) =>
    new Map(names.map((name, at) => [name, snapped(place(at, places.get(name)!))]));
  if (how === "row") return made((_, old) => ({ x: old.x, y }));
  if (how === "column") return made((_, old) => ({ x, y: old.y }));
  if (how === "across" || how === "down") return spread(places, how);
  if (how === "circle") {
    const radius = Math.max(80, (names.length * PITCH.x) / (2 * Math.PI));
    return made((at) => {
      const angle = (2 * Math.PI * at) / names.length - Math.PI / 2;
      return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
    });
  }
  const columns = Math.ceil(Math.sqrt(names.length));
  const rows = Math.ceil(names.length / columns);
  return made((at) => ({
    x: x + ((at % columns) - (columns - 1) / 2) * PITCH.x,
    y: y + (Math.floor(at / columns) - (rows - 1) / 2) * PITCH.y,
  }));
}

/** Spreads devices evenly between the outer two. */
function spread(places: Map<string, Point>, how: "across" | "down"): Map<string, Point> {
  const axis = how === "across" ? "x" : "y";
  const inOrder = [...places].sort(([, a], [, b]) => a[axis] - b[axis]);
  const first = inOrder[0]?.[1][axis] ?? 0;
  const step = Math.max(
    GRID,
    ((inOrder.at(-1)?.[1][axis] ?? 0) - first) / Math.max(1, inOrder.length - 1),
  );
  return new Map(
    inOrder.map(([name, old], at) => [name, snapped({ ...old, [axis]: first + at * step })]),
  );
}
