// Handles on the right and the lower edge of the drawing: dragged, or moved by the arrow keys, they
// change a number of the topology. A drag changes only a label, its end the text.
import { type Change } from "./patch";
import { type Side, type Topology, sidesOf } from "./sizes";

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 16;
const MOST = 1024;

interface Edge {
  side: Side;
  /** Whether the handle is at the right edge; else it is at the lower one. */
  isAcross: boolean;
  x: number;
  y: number;
}

/** Puts the handles of a topology on its drawing. */
export function addHandles(
  svg: SVGSVGElement,
  topology: Topology,
  make: (changes: Change[]) => void,
): void {
  const { across, down } = sidesOf(topology);
  const box = extentOf(svg);
  if (!box) return;
  const [middle, centre] = [box.y + box.height / 2, box.x + box.width / 2];
  const edges: Edge[] = [];
  if (across) edges.push({ side: across, isAcross: true, x: box.x + box.width + ROOM, y: middle });
  if (down) edges.push({ side: down, isAcross: false, x: centre, y: box.y + box.height + ROOM });
  for (const edge of edges) svg.append(handle(edge, make));
}

/** Returns the box of all devices of a drawing. */
function extentOf(svg: SVGSVGElement): DOMRect | null {
  const boxes = [...svg.querySelectorAll<SVGRectElement>("g[data-device] rect")].map((one) =>
    one.getBBox(),
  );
  if (boxes.length === 0) return null;
  const left = Math.min(...boxes.map((box) => box.x));
  const top = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return new DOMRect(left, top, right - left, bottom - top);
}

function handle(edge: Edge, make: (changes: Change[]) => void): SVGGElement {
  const { side, isAcross, x, y } = edge;
  const made = shape("g", { class: "handle", role: "slider", tabindex: "0" }) as SVGGElement;
  made.dataset.edge = isAcross ? "across" : "down";
  made.setAttribute("aria-label", `${side.name}: drag, or press the arrow keys`);
  made.setAttribute("aria-orientation", isAcross ? "horizontal" : "vertical");
  made.setAttribute("aria-valuemin", String(side.least));
  made.setAttribute("aria-valuemax", String(MOST));
  const [width, height] = isAcross ? [9, 34] : [34, 9];
  const place = { x: x - width / 2, y: y - height / 2, width, height, rx: 4.5 };
  const label = shape("text", { x, y: y + (isAcross ? -height / 2 - 5 : 20) });
  made.append(shape("rect", place), label);
  const show = (value: number) => {
    made.setAttribute("aria-valuenow", String(value));
    made.setAttribute("aria-valuetext", `${value} ${side.name}`);
    label.textContent = value === side.value ? "" : `${value} ${side.name}`;
  };
  const set = (value: number) => value !== side.value && make([{ path: side.path, value }]);
  const bounded = (value: number) => Math.min(MOST, Math.max(side.least, value));
  show(side.value);
  listenToKeys(made, (step) => set(bounded(side.value + step)));
  listenToDrags(made, edge, {
    move: (steps) => show(bounded(side.value + steps)),
    end: (steps) => {
      show(side.value);
      set(bounded(side.value + steps));
    },
  });
  return made;
}

function listenToKeys(made: SVGGElement, step: (by: number) => void): void {
  const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  made.addEventListener("keydown", (event) => {
    const by = steps[event.key];
    event.stopPropagation();
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  });
}

interface Drag {
  move: (steps: number) => void;
  end: (steps: number) => void;
}

/** Turns the way of a pointer into steps; the drawing is not moved by it. */
function listenToDrags(made: SVGGElement, edge: Edge, drag: Drag): void {
  let start: DOMPoint | null = null;
  const steps = (event: PointerEvent) => {
    const now = pointOf(made, event);
    const far = edge.isAcross ? now.x - start!.x : now.y - start!.y;
    return Math.round(far / edge.side.pitch);
  };
  made.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    made.setPointerCapture(event.pointerId);
    start = pointOf(made, event);
  });
  made.addEventListener("pointermove", (event) => start && drag.move(steps(event)));
  made.addEventListener("pointerup", (event) => {
    if (!start) return;
    const by = steps(event);
    start = null;
    drag.end(by);
  });
  made.addEventListener("pointercancel", () => {
    if (start) drag.end(0);
    start = null;
  });
}

function pointOf(made: SVGGElement, event: MouseEvent): DOMPoint {
  const matrix = made.ownerSVGElement!.getScreenCTM();
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
}

function shape(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
