// The drawing as it is edited: a box for each device, a line for each cable with the names of its
// ports. It is made from the text after every change; a drag moves boxes alone, its end the text.
import { Camera } from "../check/camera";
import { isWalk, neighbour } from "../check/walk";
import { type Editing } from "./editing";
import { type Cable, type Device, type Point, cablesAt, endText } from "./graph";
import { snapped } from "./layout";
import { Pointer } from "./pointer";
import { shape } from "./svg";

const HEIGHT = { node: 24, switch: 26, hub: 26 };
const LEAST = { node: 40, switch: 50, hub: 50 };
const LETTER = 6.4;
const MARGIN = 70;
/** Cables of which all ports are named; of more, those of what is chosen. */
const MOST_NAMED = 80;
/** Distance between cables of the same two devices, and of a port's name from its box. */
const BESIDE = 9;
const FROM_BOX = 15;

export class Board {
  readonly svg = shape("svg", { class: "topology board", viewBox: "-200 -120 400 240" });
  private readonly ground = shape("rect", { class: "ground" });
  private readonly wires = shape("g", { class: "wires" });
  private readonly boxes = shape("g", { class: "boxes" });
  private readonly camera: Camera;
  private readonly shapes = new Map<string, SVGElement>();
  private readonly lines = new Map<number, SVGElement>();
  private readonly cables = new Map<number, Cable>();
  private readonly atDevice = new Map<string, Cable[]>();
  private readonly offsets = new Map<number, number>();
  /** Places while a drag moves them. */
  private moved = new Map<string, Point>();
  /** Devices and cables as they are drawn, and their places. */
  private shown: unknown = null;
  private placed = new Map<string, Point>();
  /** The names and cables that are marked. */
  private marked: { names: Set<string>; cables: Set<number> } | null = null;
  private focused = "";

  constructor(
    place: HTMLElement,
    readonly editing: Editing,
  ) {
    const name = "Drawing: arrow keys walk, Shift and arrow keys move, F2 renames";
    for (const [key, value] of Object.entries({ role: "group", "aria-label": name })) {
      this.svg.setAttribute(key, value);
    }
    this.svg.append(this.ground, this.wires, this.boxes);
    place.append(this.svg);
    this.camera = new Camera(this.svg as SVGSVGElement, undefined, 1.6);
    new Pointer(this, this.ground);
    this.boxes.addEventListener("focusin", (event) => {
      const name = (event.target as SVGElement).dataset.name;
      if (name !== undefined && name !== this.focused) this.roveTo(name);
    });
    editing.centre = () => {
      const { x, y, width, height } = this.camera.seen;
      return { x: x + width / 2, y: y + height / 2 };
    };
    editing.onChange(() => this.show());
  }

  get hasDragged(): boolean {
    return this.camera.hasDragged;
  }

  zoom(steps: number): void {
    this.camera.zoom(steps);
  }

  fit(): void {
    this.camera.fit();
  }

  /** Draws what the text has, and marks what is chosen. */
  show(): void {
    const { graph, places } = this.editing;
    const devices = [...(graph?.devices.values() ?? [])].map(told);
    const now = graph && JSON.stringify([devices, graph.cables]);
    this.moved.clear();
    if (now !== this.shown) {
      this.shown = now;
      this.marked = null;
      this.draw();
    } else this.putMoved();
    this.placed = new Map(places);
    this.mark();
  }

  /** Puts the devices whose place is another one, with their cables. */
  private putMoved(): void {
    const { places } = this.editing;
    const isMoved = ([name, { x, y }]: [string, Point]) => {
      const before = this.placed.get(name);
      return before?.x !== x || before.y !== y;
    };
    const moved = [...places].filter(isMoved).map(([name]) => name);
    if (moved.length === 0) return;
    this.replace(moved);
    this.extend();
  }

  private replace(names: Iterable<string>): void {
    const cables = new Set<Cable>();
    for (const name of names) {
      this.put(name);
      for (const cable of this.atDevice.get(name) ?? []) cables.add(cable);
    }
    for (const cable of cables) this.run(cable);
  }

  private draw(): void {
    const { graph } = this.editing;
    const hadFocus = this.boxes.contains(document.activeElement);
    const maps = [this.shapes, this.lines, this.cables, this.atDevice, this.offsets];
    for (const map of maps) map.clear();
    const devices = [...(graph?.devices.values() ?? [])];
    const cables = (graph?.cables ?? []).filter(
      ({ a, b }) => graph!.devices.has(a.device) && graph!.devices.has(b.device),
    );
    for (const cable of cables) this.cables.set(cable.index, cable);
    this.findOffsets(cables);
    this.boxes.replaceChildren(...devices.map((device) => this.box(device)));
    this.wires.replaceChildren(...cables.map((cable) => this.wire(cable)));
    for (const { name } of devices) this.put(name);
    for (const cable of cables) this.run(cable);
    this.extend();
    if (!this.shapes.has(this.focused)) this.focused = devices[0]?.name ?? "";
    this.shapes.get(this.focused)?.setAttribute("tabindex", "0");
    if (hadFocus) this.shapes.get(this.focused)?.focus({ preventScroll: true });
  }

  private findOffsets(cables: Cable[]): void {
    const pairs = new Map<string, Cable[]>();
    for (const cable of cables) {
      const ends = [cable.a.device, cable.b.device];
      for (const name of new Set(ends)) {
        if (!this.atDevice.has(name)) this.atDevice.set(name, []);
        this.atDevice.get(name)!.push(cable);
      }
      const key = ends.sort().join(" ");
      pairs.set(key, [...(pairs.get(key) ?? []), cable]);
    }
    for (const own of pairs.values()) {
      own.forEach((cable, at) => {
        const sign = cable.a.device < cable.b.device ? 1 : -1;
        this.offsets.set(cable.index, sign * (at - (own.length - 1) / 2) * BESIDE);
      });
    }
  }

  private extend(): void {
    const all = [...this.editing.places.values()];
    if (all.length === 0) return;
    const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
    const [width, height] = [Math.max(...xs) - left + MARGIN, Math.max(...ys) - top + MARGIN];
    this.camera.extend(left, top, width, height);
    const ground = { x: left - 1e5, y: top - 1e5, width: 2e5 + width, height: 2e5 + height };
    for (const [key, value] of Object.entries(ground)) {
      this.ground.setAttribute(key, String(value));
    }
  }

  private box(device: Device): SVGElement {
    const { name, kind } = device;
    const [width, height] = [widthOf(device), HEIGHT[kind]];
    const made = shape("g", { class: kind, role: "button", tabindex: "-1", "data-name": name });
    const plug = shape("circle", { class: "plug", cx: 0, cy: height / 2, r: 6 });
    plug.append(titled(`A cable from ${name}: drag to a device, or to the ground for a new node`));
    const text = shape("text", { y: 3.5 });
    text.textContent = name;
    made.append(
      shape("rect", { x: -width / 2, y: -height / 2, width, height, rx: 4 }),
      text,
      plug,
    );
    this.shapes.set(name, made);
    return made;
  }

  private wire(cable: Cable): SVGElement {
    const made = shape("g", { class: "wire", "data-cable": String(cable.index) });
    const ends = [cable.a, cable.b].map(({ port }) => {
      const text = shape("text", { class: "port" });
      text.textContent = port;
      return text;
    });
    const part = cable.part ? `, ${cable.part}` : "";
    const hit = shape("path", { class: "hit" });
    hit.append(titled(`${endText(cable.a)} – ${endText(cable.b)}${part}`));
    made.append(shape("path", { class: "cable" }), hit, ...ends);
    this.lines.set(cable.index, made);
    return made;
  }

  placeOf(name: string): Point {
    return this.moved.get(name) ?? this.editing.places.get(name) ?? { x: 0, y: 0 };
  }

  private put(name: string): void {
    const { x, y } = this.placeOf(name);
    this.shapes.get(name)?.setAttribute("transform", `translate(${x} ${y})`);
  }

  /** Lays a cable between the places of its devices. */
  private run(cable: Cable): void {
    const line = this.lines.get(cable.index);
    if (!line) return;
    const [a, b] = [this.placeOf(cable.a.device), this.placeOf(cable.b.device)];
    const length = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y));
    const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const beside = this.offsets.get(cable.index) ?? 0;
    const [ox, oy] = [-dy * beside, dx * beside];
    const path = `M${a.x + ox} ${a.y + oy}L${b.x + ox} ${b.y + oy}`;
    for (const one of line.querySelectorAll("path")) one.setAttribute("d", path);
    const [first, last] = line.querySelectorAll("text");
    const label = (text: SVGTextElement, name: string, from: Point, way: number) => {
      const far = edgeOf(this.editing.graph!.devices.get(name)!, dx, dy) + FROM_BOX;
      text.setAttribute("x", String(from.x + ox * 1.6 + way * dx * far));
      text.setAttribute("y", String(from.y + oy * 1.6 + way * dy * far + 3));
    };
    label(first!, cable.a.device, a, 1);
    label(last!, cable.b.device, b, -1);
  }

  /** Shows devices at other places, until the text has them. */
  drag(places: Map<string, Point>): void {
    this.moved = places;
    this.replace(places.keys());
  }

  /** Puts devices back that were dragged without an end. */
  dragNoMore(): void {
    const names = [...this.moved.keys()];
    this.moved = new Map();
    this.replace(names);
  }

  /** Marks what is chosen: all of a new drawing, else those devices and cables that change. */
  private mark(): void {
    const { chosen, chosenCables, cabling } = this.editing;
    const names = new Set(chosen);
    if (cabling?.from) names.add(cabling.from);
    const now = { names, cables: new Set(chosenCables) };
    const before = this.marked ?? { names: this.shapes.keys(), cables: this.lines.keys() };
    this.marked = now;
    const cables = new Set([...before.cables, ...now.cables]);
    for (const name of new Set([...before.names, ...names])) {
      this.markDevice(name);
      for (const { index } of this.atDevice.get(name) ?? []) cables.add(index);
    }
    for (const index of cables) this.markCable(index);
    this.svg.classList.toggle("cabling", cabling !== null);
  }

  private markDevice(name: string): void {
    const { chosen, cabling, graph } = this.editing;
    const made = this.shapes.get(name);
    if (!made) return;
    made.classList.toggle("chosen", chosen.has(name));
    made.classList.toggle("from", cabling?.from === name);
    made.classList.toggle("bare", !this.atDevice.has(name));
    made.setAttribute("aria-pressed", String(chosen.has(name)));
    const nCables = this.atDevice.get(name)?.length ?? 0;
    made.setAttribute("aria-label", spoken(graph!.devices.get(name)!, nCables));
  }

  private markCable(index: number): void {
    const { chosen, chosenCables, graph } = this.editing;
    const [line, cable] = [this.lines.get(index), this.cables.get(index)];
    if (!line || !cable) return;
    const isFew = graph!.cables.length <= MOST_NAMED;
    const ends = [cable.a.device, cable.b.device];
    line.classList.toggle("chosen", chosenCables.has(index));
    const isNear = chosenCables.has(index) || ends.some((name) => chosen.has(name));
    line.classList.toggle("named", isFew || isNear);
  }

  /** Shows which findings are about which device. */
  lint(names: Set<string>): void {
    for (const [name, made] of this.shapes) made.classList.toggle("wrong", names.has(name));
  }

  pointOf(event: MouseEvent): Point {
    const matrix = (this.svg as SVGSVGElement).getScreenCTM();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
    return { x, y };
  }

  /** Returns the device whose box holds a point. */
  deviceAt({ x, y }: Point): string | null {
    for (const [name, device] of this.editing.graph?.devices ?? []) {
      const place = this.placeOf(name);
      const isIn = Math.abs(place.x - x) <= widthOf(device) / 2 + 4;
      if (isIn && Math.abs(place.y - y) <= HEIGHT[device.kind] / 2 + 4) return name;
    }
    return null;
  }

  get focus(): string {
    return this.focused;
  }

  /** Makes a device the one that takes part in the order of Tab. */
  private roveTo(name: string): void {
    this.shapes.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = name;
    this.shapes.get(name)?.setAttribute("tabindex", "0");
  }

  focusOn(name: string): void {
    const made = this.shapes.get(name);
    if (!made) return;
    this.roveTo(name);
    const { x, y } = snapped(this.placeOf(name));
    this.camera.reveal({ x: x - 30, y: y - 20, width: 60, height: 40 });
    made.focus({ preventScroll: true });
  }

  /** Moves the focus to the next device in the direction of a key. */
  walk(key: string): boolean {
    if (!isWalk(key)) return false;
    const names = [...this.shapes.keys()];
    const flat = { width: 0, height: 0 };
    const boxes = new Map(names.map((name, at) => [at, { ...this.placeOf(name), ...flat }]));
    const next = neighbour(boxes, Math.max(0, names.indexOf(this.focused)), key);
    if (next !== null) this.focusOn(names[next]!);
    return true;
  }

  /** Chooses the next cable of the device that has the focus. */
  nextCable(): void {
    const own = cablesAt(this.editing.graph!, this.focused);
    const now = own.findIndex(({ index }) => this.editing.chosenCables.has(index));
    const next = own[(now + 1) % own.length];
    if (next) this.editing.chooseCable(next.index);
  }
}

function widthOf({ name, kind }: Device): number {
  return Math.max(LEAST[kind], LETTER * name.length + 12);
}

/** Returns how far the edge of a box is from its middle in a direction. */
function edgeOf(device: Device, dx: number, dy: number): number {
  const [across, down] = [widthOf(device) / 2, HEIGHT[device.kind] / 2];
  return Math.min(across / Math.max(1e-9, Math.abs(dx)), down / Math.max(1e-9, Math.abs(dy)));
}

function told({ name, kind, part, nics }: Device): unknown[] {
  return [name, kind, part, [...nics]];
}

function spoken({ name, kind, part }: Device, nCables: number): string {
  const cables = nCables === 0 ? "no cable" : nCables === 1 ? "1 cable" : `${nCables} cables`;
  return [`${kind} ${name}`, ...(part ? [part] : []), cables].join(", ");
}

function titled(text: string): SVGElement {
  const title = shape("title", {});
  title.textContent = text;
  return title;
}
