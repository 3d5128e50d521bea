// The drawing in which a run is played: the devices and cables are the page's SVG, everything that
// moves is a canvas over it. Pressing a part of the SVG chooses it; one device takes part in the
// order of Tab, the arrow keys move from device to device.
import { Camera } from "../check/camera";
import { byId } from "../check/dom";
import { isWalk, neighbour } from "../check/walk";
import { type Cluster, type Part, isSame, partName } from "./cluster";
import { drawBusy, drawCollisions, drawProcessors, drawQueues, drawTrail } from "./meters";
import { type Drawn, type Moment } from "./moment";
import { type Palette } from "./palette";
import { drawLost, drawPulses } from "./pulses";
import { type PulledPart } from "./recording";
import { type Run } from "./run";
import { Sheet } from "./sheet";
import { type Geometry, Ways, geometryOf } from "./tracks";

/** So much larger than it was made may a drawing be: frames need room. */
const MOST_SCALE = 2.6;

export class Stage {
  /** How much was drawn last. */
  drawn: Drawn = nothing();
  /** Connections whose frames stand out; where there are none, all frames are alike. */
  marked: ReadonlySet<number> = new Set();
  private readonly isDense: boolean;
  private shown = "";
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
    const { x, y, width, height } = this.camera.seen;
    const scale = Math.min(this.sheet.width / width, this.sheet.height / height);
    if (!(scale > 0)) return;
    const [left, top] = [this.sheet.width - width * scale, this.sheet.height - height * scale];
    context.translate(left / 2 - x * scale, top / 2 - y * scale);
    context.scale(scale, scale);
    context.lineCap = "round";
    const { geometry, ways } = this;
    const thick = Math.max(1, 0.8 / scale);
    const { drawn, marked } = this;
    const at = { run, time, speed, marked };
    const moment: Moment = { ...at, geometry, ways, context, palette, thick, drawn };
    if (this.isDense) drawTrail(moment);
    drawBusy(moment, this.isDense);
    drawQueues(moment);
    drawProcessors(moment, this.isDense);
    if (!this.isDense) drawPulses(moment);
    drawLost(moment);
    drawCollisions(moment);
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
  return { frames: 0, marked: 0, lost: 0, queues: 0, processors: 0, collisions: 0, trails: 0 };
}

/** Returns the parts that a shape of the drawing stands for. */
function partsOf({ written }: Cluster, { dataset }: SVGElement): Part[] {
  if (dataset.device === undefined) {
    return (dataset.cables ?? "").split(" ").map((id): Part => ({ kind: "cable", id: Number(id) }));
  }
  const id = Number(dataset.device);
  return [{ kind: written.kinds[id]!, id }];
}
