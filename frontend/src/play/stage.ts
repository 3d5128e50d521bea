// The drawing in which a run is played: the devices and cables are the page's SVG, everything that
// moves is a canvas over it. Pressing a part of the SVG chooses it.
import { Camera } from "../check/camera";
import { byId } from "../check/dom";
import { type Cluster, type Part, isSame } from "./cluster";
import { drawBusy, drawCollisions, drawProcessors, drawQueues } from "./meters";
import { type Drawn, type Moment } from "./moment";
import { type Palette } from "./palette";
import { drawLost, drawPulses } from "./pulses";
import { type PulledPart } from "./recording";
import { type Run } from "./run";
import { Sheet } from "./sheet";
import { type Geometry, Ways, geometryOf } from "./tracks";

export class Stage {
  /** How much was drawn last. */
  drawn: Drawn = { frames: 0, lost: 0, queues: 0, processors: 0, collisions: 0 };
  private readonly isDense: boolean;
  private marked = "";
  private readonly svg: SVGSVGElement;
  private readonly camera: Camera;
  private readonly sheet: Sheet;
  private readonly geometry: Geometry;
  private readonly ways: Ways;

  constructor(
    private readonly cluster: Cluster,
    choose: (parts: Part[]) => void,
    redraw: () => void,
  ) {
    const { fabric, written } = cluster;
    this.svg = byId("stage").querySelector("svg")!;
    this.geometry = geometryOf(this.svg, fabric);
    this.ways = new Ways(fabric, (device) => written.kinds[device] === "hub");
    this.isDense = written.is_dense;
    this.svg.setAttribute("tabindex", "-1"); // pressed once, it takes the wheel
    this.camera = new Camera(this.svg);
    this.sheet = new Sheet(byId<HTMLCanvasElement>("moving"), redraw);
    new MutationObserver(redraw).observe(this.svg, { attributeFilter: ["viewBox"] });
    this.addHits();
    this.svg.addEventListener("click", (event) => this.press(event, choose));
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
    this.drawn = { frames: 0, lost: 0, queues: 0, processors: 0, collisions: 0 };
    const context = this.sheet.clear();
    const { x, y, width, height } = this.svg.viewBox.baseVal;
    const scale = Math.min(this.sheet.width / width, this.sheet.height / height);
    if (!(scale > 0)) return;
    const [left, top] = [this.sheet.width - width * scale, this.sheet.height - height * scale];
    context.translate(left / 2 - x * scale, top / 2 - y * scale);
    context.scale(scale, scale);
    context.lineCap = "round";
    const { geometry, ways } = this;
    const thick = Math.max(1, 0.8 / scale);
    const { drawn } = this;
    const moment: Moment = { run, geometry, ways, time, speed, context, palette, thick, drawn };
    drawBusy(moment, this.isDense);
    drawQueues(moment);
    drawProcessors(moment);
    if (!this.isDense) drawPulses(moment);
    drawLost(moment);
    drawCollisions(moment);
  }

  /** Marks the parts that are pulled at a time, and the chosen one. */
  mark(pulled: PulledPart[], time: number, chosen: Part | null): void {
    const out = pulled.filter((one) => one.time <= time && time < (one.until ?? Infinity));
    const key = JSON.stringify([out, chosen]);
    if (key === this.marked) return;
    this.marked = key;
    const isOut = (part: Part) => out.some((one) => isSame(one, part));
    for (const shape of this.svg.querySelectorAll<SVGElement>("[data-device], path.cable")) {
      const parts = partsOf(this.cluster, shape);
      const nOut = parts.filter(isOut).length;
      shape.classList.toggle("dead", nOut > 0 && nOut === parts.length);
      shape.classList.toggle("part-dead", nOut > 0 && nOut < parts.length);
      const isChosen = chosen !== null && parts.some((part) => isSame(part, chosen));
      shape.classList.toggle("chosen", isChosen);
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

  private press(event: MouseEvent, choose: (parts: Part[]) => void): void {
    const shape = (event.target as Element).closest<SVGElement>("[data-device], [data-cables]");
    if (shape && !this.camera.hasDragged) choose(partsOf(this.cluster, shape));
  }
}

/** Returns the parts that a shape of the drawing stands for. */
function partsOf({ written }: Cluster, { dataset }: SVGElement): Part[] {
  if (dataset.device === undefined) {
    return (dataset.cables ?? "").split(" ").map((id): Part => ({ kind: "cable", id: Number(id) }));
  }
  const id = Number(dataset.device);
  return [{ kind: written.kinds[id]!, id }];
}
