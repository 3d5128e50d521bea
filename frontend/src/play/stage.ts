// The drawing in which a run is played: the devices and cables are the page's SVG, everything that
// moves is a canvas over it, whose frames and queues the pointer meets. Pressing a part of the SVG
// chooses it; one device takes part in the order of Tab, the arrow keys move from device to device.
import { Camera } from "../check/camera";
import { byId } from "../check/dom";
import { isWalk, neighbour } from "../check/walk";
import { type Cluster, type Part, isSame, partName } from "./cluster";
import { type Counted, Counters, drawCounters } from "./counters";
import { drawBusy, drawCollisions, drawProcessors, drawQueues, drawTrail } from "./meters";
import { type Drawn, type Moment, type Seen } from "./moment";
import { type ObjectPanel, isAlike } from "./object";
import { type Palette } from "./palette";
import { drawLost, drawPulses } from "./pulses";
import { type PulledPart } from "./recording";
import { type Run } from "./run";
import { Sheet } from "./sheet";
import { type Geometry, Ways, geometryOf } from "./tracks";

/** So much larger than it was made may a drawing be: frames need room. */
const MOST_SCALE = 2.6;
/** So near the pointer is a frame or a queue met. */
const REACH_PX = 14;

/** How units of the drawing become pixels of the canvas. */
interface Scale {
  factor: number;
  left: number;
  top: number;
}

export class Stage {
  /** How much was drawn last. */
  drawn: Drawn = nothing();
  /** Connections whose frames stand out; where there are none, all frames are alike. */
  marked: ReadonlySet<number> = new Set();
  private readonly isDense: boolean;
  private shown = "";
  private seen: Seen[] = [];
  private scale: Scale = { factor: 1, left: 0, top: 0 };
  /** Where the pointer is in the window; null outside of the drawing. */
  private pointer: MouseEvent | null = null;
  private readonly counted = byId<HTMLSelectElement>("counters");
  private counters: { of: Run; made: Counters } | null = null;
  private readonly devices = new Map<number, SVGGElement>();
  private focused = 0;
  private readonly svg: SVGSVGElement;
  private readonly camera: Camera;
  private readonly sheet: Sheet;
  private readonly geometry: Geometry;
  private readonly ways: Ways;

  constructor(
    private readonly cluster: Cluster,
    private readonly choose: (parts: Part[]) => void,
    private readonly object: ObjectPanel,
    redraw: () => void,
    signal: AbortSignal,
  ) {
    const { fabric, written } = cluster;
    this.svg = byId("stage").querySelector("svg")!;
    this.geometry = geometryOf(this.svg, fabric);
    this.ways = new Ways(fabric, (device) => written.kinds[device] === "hub");
    this.isDense = written.is_dense;
    this.camera = new Camera(this.svg, signal, MOST_SCALE);
    this.sheet = new Sheet(byId<HTMLCanvasElement>("moving"), redraw);
    new MutationObserver(redraw).observe(this.svg, { attributeFilter: ["viewBox", "style"] });
    this.addHits();
    this.findDevices();
    this.svg.addEventListener("click", (event) => this.press(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.counted.addEventListener("change", redraw);
    this.svg.addEventListener("pointermove", (event) => this.point(event));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    for (const [id, steps] of [
      ["zoom-in", 1],
      ["zoom-out", -1],
    ] as const) {
      byId(id).addEventListener("click", () => this.camera.zoom(steps));
    }
    byId("zoom-fit").addEventListener("click", () => this.camera.fit());
  }

  /** Draws a moment. */
  draw(run: Run, time: number, speed: number, palette: Palette): void {
    this.drawn = nothing();
    const context = this.sheet.clear();
    const scale = this.scaleOf();
    if (!(scale.factor > 0)) return;
    this.scale = scale;
    context.translate(scale.left, scale.top);
    context.scale(scale.factor, scale.factor);
    context.lineCap = "round";
    const { geometry, ways } = this;
    const thick = Math.max(1, 0.8 / scale.factor);
    const { drawn, marked } = this;
    const seen: Seen[] = (this.seen = []);
    const at = { run, time, speed, marked };
    const moment: Moment = { ...at, geometry, ways, context, palette, thick, drawn, seen };
    if (this.isDense) drawTrail(moment);
    drawBusy(moment, this.isDense);
    drawQueues(moment);
    drawProcessors(moment, this.isDense);
    if (!this.isDense) drawPulses(moment);
    drawLost(moment);
    drawCollisions(moment);
    this.drawCounters(moment);
    this.object.point(this.under());
    this.ring(moment);
  }

  private scaleOf(): Scale {
    const { x, y, width, height } = this.camera.seen;
    const factor = Math.min(this.sheet.width / width, this.sheet.height / height);
    const [left, top] = [this.sheet.width - width * factor, this.sheet.height - height * factor];
    return { factor, left: left / 2 - x * factor, top: top / 2 - y * factor };
  }

  private drawCounters(moment: Moment): void {
    const of = this.counted.value as Counted;
    if (of === "") {
      byId("counters-note").textContent = "";
      return;
    }
    if (this.counters?.of !== moment.run) {
      this.counters = { of: moment.run, made: new Counters(moment.run) };
    }
    drawCounters(moment, this.counters.made, of, this.scale.factor);
  }

  /** Takes a place of the pointer, and shows the frame or the queue there. */
  private point(event: MouseEvent | null): void {
    this.pointer = event;
    const found = this.under();
    this.svg.classList.toggle("meets", found !== null);
    this.object.point(found);
  }

  /** Returns the frame or the queue that is nearest to the pointer, within reach. */
  private under(): Seen | null {
    const { pointer, scale, seen } = this;
    if (!pointer || seen.length === 0) return null;
    const box = this.sheet.canvas.getBoundingClientRect();
    const [x, y] = [pointer.clientX - box.x, pointer.clientY - box.y];
    let [found, nearest]: [Seen | null, number] = [null, REACH_PX];
    for (const one of seen) {
      const [left, top] = [one.x * scale.factor + scale.left, one.y * scale.factor + scale.top];
      const far = Math.hypot(left - x, top - y);
      if (far < nearest) [found, nearest] = [one, far];
    }
    return found;
  }

  /** Draws a ring around the object that is kept, where it is in the drawing. */
  private ring({ context, palette, thick, seen }: Moment): void {
    const { kept } = this.object;
    context.strokeStyle = palette.accent;
    context.lineWidth = 2 * thick;
    for (const one of seen) {
      if (!isAlike(one, kept)) continue;
      context.beginPath();
      context.arc(one.x, one.y, 9 * thick, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  /** Marks the parts that are pulled at a time, and the chosen one. */
  mark(pulled: PulledPart[], time: number, chosen: Part | null): void {
    const out = pulled.filter((one) => one.time <= time && time < (one.until ?? Infinity));
    const key = JSON.stringify([out, chosen]);
    if (key === this.shown) return;
    this.shown = key;
    const isOut = (part: Part) => out.some((one) => isSame(one, part));
    for (const shape of this.svg.querySelectorAll<SVGElement>("[data-device], path.cable")) {
      const parts = partsOf(this.cluster, shape);
      const nOut = parts.filter(isOut).length;
      shape.classList.toggle("dead", nOut > 0 && nOut === parts.length);
      shape.classList.toggle("part-dead", nOut > 0 && nOut < parts.length);
      const isChosen = chosen !== null && parts.some((part) => isSame(part, chosen));
      shape.classList.toggle("chosen", isChosen);
      if (shape.dataset.device !== undefined) shape.setAttribute("aria-pressed", String(isChosen));
    }
  }

  /** A thin line is hard to meet: a wide one that is not seen lies over it. */
  private addHits(): void {
    const first = this.svg.querySelector("g[data-device]");
    for (const path of this.svg.querySelectorAll("path.cable[data-cables]")) {
      const hit = path.cloneNode(true) as SVGPathElement;
      hit.setAttribute("class", "hit");
      this.svg.insertBefore(hit, first);
    }
  }

  private findDevices(): void {
    this.svg.setAttribute("role", "group");
    for (const shape of this.svg.querySelectorAll<SVGGElement>("g[data-device]")) {
      this.devices.set(Number(shape.dataset.device), shape);
      shape.setAttribute("role", "button");
      shape.setAttribute("tabindex", "-1");
      shape.setAttribute("aria-label", partName(this.cluster, partsOf(this.cluster, shape)[0]!));
    }
    this.focused = this.devices.keys().next().value ?? 0;
    this.devices.get(this.focused)?.setAttribute("tabindex", "0");
  }

  private press(event: MouseEvent): void {
    const shape = (event.target as Element).closest<SVGElement>("[data-device], [data-cables]");
    // A click that no pointer made, such as a screen reader's, ends no drag.
    if (this.camera.hasDragged && event.detail > 0) return;
    if (shape?.dataset.device !== undefined) this.focus(Number(shape.dataset.device));
    else this.devices.get(this.focused)?.focus({ preventScroll: true }); // the wheel zooms now
    this.point(event.detail > 0 ? event : null);
    const met = this.under();
    if (met) this.object.keep(met);
    if (shape) this.choose(partsOf(this.cluster, shape));
  }

  /** Keys of the drawing, where a device has the focus; all others are those of the time. */
  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isWalk(event.key)) {
      const next = neighbour(this.geometry.boxes, this.focused, event.key);
      if (next !== null) this.focus(next);
    } else if (event.key === "Enter") {
      this.choose(partsOf(this.cluster, this.devices.get(this.focused)!));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private focus(device: number): void {
    this.devices.get(this.focused)?.setAttribute("tabindex", "-1");
    const shape = this.devices.get(device)!;
    this.focused = device;
    shape.setAttribute("tabindex", "0");
    this.camera.reveal(this.geometry.boxes.get(device)!);
    shape.focus({ preventScroll: true });
  }
}

function nothing(): Drawn {
  const load = { queues: 0, processors: 0, collisions: 0, trails: 0, counters: 0 };
  return { frames: 0, marked: 0, lost: 0, ...load };
}

/** Returns the parts that a shape of the drawing stands for. */
function partsOf({ written }: Cluster, { dataset }: SVGElement): Part[] {
  if (dataset.device === undefined) {
    return (dataset.cables ?? "").split(" ").map((id): Part => ({ kind: "cable", id: Number(id) }));
  }
  const id = Number(dataset.device);
  return [{ kind: written.kinds[id]!, id }];
}
