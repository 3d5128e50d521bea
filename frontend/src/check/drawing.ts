// The interactive drawing of the network. Each shape represents a device or cables, is pressed with
// the mouse or Enter, and shows failures and their cost. One shape takes part in the order of Tab;
// the arrow keys move from device to device.
import { type Failure } from "../failures/core";
import { Camera } from "./camera";
import { byId } from "./dom";
import { type Model, deviceFailure } from "./model";
import { type State, keyOf } from "./state";
import { isWalk, neighbour } from "./walk";

const SVG = "http://www.w3.org/2000/svg";

/** A route's cables and the class it is drawn with. */
export interface Track {
  style: string;
  links: number[];
}

/** How a node is coloured: a class, and how strongly, from 0 to 1. */
export interface Tint {
  style: "" | "is-lost" | "is-rerouted" | "is-loaded";
  share: number;
}

const TINTS = ["is-lost", "is-rerouted", "is-loaded"];

export class Drawing {
  readonly svg: SVGSVGElement;
  private readonly devices = new Map<number, SVGGElement>();
  private readonly wires = new Map<number, SVGPathElement>();
  private readonly tracks: SVGGElement;
  readonly camera: Camera;
  private readonly centres = new Map<number, SVGRect>();
  private focused = 0;
  private pointed: SVGElement | null = null;
  private summary = "";

  constructor(
    private readonly model: Model,
    private readonly state: State,
    private readonly describe: (failure: Failure) => string,
    signal?: AbortSignal,
  ) {
    this.svg = byId("stage").querySelector("svg")!;
    this.camera = new Camera(this.svg, signal);
    this.tracks = group("tracks");
    const hits = this.findWires();
    this.findDevices();
    const firstBox = this.svg.querySelector("g[data-device]");
    this.svg.insertBefore(hits, firstBox);
    this.svg.insertBefore(this.tracks, firstBox);
    this.listen();
  }

  private findWires(): SVGGElement {
    const hits = group("hits");
    for (const path of this.svg.querySelectorAll<SVGPathElement>("path[data-cables]")) {
      for (const link of linksOf(path)) this.wires.set(link, path);
      // A thin line is hard to meet: a wide one that is not seen lies over it.
      const hit = path.cloneNode(true) as SVGPathElement;
      hit.setAttribute("class", "hit");
      hits.append(hit);
    }
    return hits;
  }

  private findDevices(): void {
    for (const shape of this.svg.querySelectorAll<SVGGElement>("g[data-device]")) {
      const device = Number(shape.dataset.device);
      this.devices.set(device, shape);
      this.centres.set(device, shape.querySelector("rect")!.getBBox());
      shape.setAttribute("role", "button");
      shape.setAttribute("tabindex", "-1");
    }
    this.focused = this.devices.keys().next().value ?? 0;
    this.devices.get(this.focused)?.setAttribute("tabindex", "0");
  }

  private listen(): void {
    const { svg } = this;
    svg.setAttribute("role", "group");
    svg.addEventListener("click", (event) => {
      const shape = shapeOf(event);
      // A click that no pointer made, such as a screen reader's, ends no drag.
      if (shape && !(this.camera.hasDragged && event.detail > 0)) this.press(shape);
      else this.devices.get(this.focused)?.focus({ preventScroll: true });
    });
    svg.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["focusin", "pointerover", "pointerleave"]) {
      svg.addEventListener(name, (event) => {
        this.pointed = name === "pointerleave" ? null : shapeOf(event);
        this.readOut();
      });
    }
    byId("zoom-in").addEventListener("click", () => this.camera.zoom(1));
    byId("zoom-out").addEventListener("click", () => this.camera.zoom(-1));
    byId("zoom-fit").addEventListener("click", () => this.camera.fit());
  }

  /** Shows which parts are dead, and the effect in one line. */
  showFailures(isDeadLink: Uint8Array, summary: string): void {
    this.summary = summary;
    for (const [device, shape] of this.devices) {
      const isDead = this.state.has(deviceFailure(this.model, device));
      shape.classList.toggle("dead", isDead);
      shape.setAttribute("aria-pressed", String(isDead));
      shape.setAttribute("aria-label", this.describe(deviceFailure(this.model, device)));
    }
    for (const path of new Set(this.wires.values())) {
      const links = linksOf(path);
      const nDead = links.filter((link) => isDeadLink[link]).length;
      path.classList.toggle("dead", nDead === links.length);
      path.classList.toggle("part-dead", nDead > 0 && nDead < links.length);
    }
    this.readOut();
  }

  /** Colours the nodes. */
  showTints(tintOf: (node: number) => Tint): void {
    for (const [device, shape] of this.devices) {
      if (device >= this.model.fabric.nNodes) continue;
      const tint = tintOf(device);
      shape.classList.remove(...TINTS);
      if (tint.style) shape.classList.add(tint.style);
      shape.style.setProperty("--share", `${Math.round(100 * tint.share)}%`);
    }
  }

  /** Draws routes over the cables, and marks their two ends. */
  showTracks(tracks: Track[], ends: [number, number], stops: number[]): void {
    this.tracks.replaceChildren();
    for (const { style, links } of tracks) {
      const track = group(`track-${style}`);
      for (const wire of new Set(links.map((link) => this.wires.get(link)))) {
        if (!wire) continue;
        const copy = document.createElementNS(SVG, "path");
        copy.setAttribute("d", wire.getAttribute("d")!);
        track.append(copy);
      }
      this.tracks.append(track);
    }
    for (const [device, shape] of this.devices) {
      shape.classList.toggle("end", ends.includes(device));
      shape.classList.toggle("stop", stops.includes(device));
    }
  }

  private press(shape: SVGElement): void {
    const { model, state } = this;
    if (shape.dataset.device !== undefined) {
      const failure = deviceFailure(model, Number(shape.dataset.device));
      if (state.presses === "route") return this.choose(failure);
      if (state.presses === "look") return this.look(failure);
      if (!model.parts.some((part) => keyOf(part) === keyOf(failure))) return;
      this.focus(failure.id);
      state.looked = failure;
      state.toggle(failure);
      return;
    }
    // Each press fails one more of several parallel cables; after the last, all work again.
    const cables = linksOf(shape).map((id): Failure => ({ kind: "cable", id }));
    if (state.presses === "look") return this.look(after(cables, state.looked));
    const next = cables.find((cable) => !state.has(cable));
    state.looked = next ?? cables[0]!;
    if (next) return state.toggle(next);
    const repaired = new Set(cables.map(({ id }) => id));
    const others = [...state.failures.values()];
    state.fail(others.filter(({ kind, id }) => kind !== "cable" || !repaired.has(id)));
  }

  /** Shows a part in detail, and changes nothing. */
  private look(part: Failure): void {
    if (this.devices.has(part.id) && part.kind !== "cable") this.focus(part.id);
    this.state.looked = part;
    this.state.changed();
  }

  /** Makes a node an end of the route: in turn its beginning and its end. */
  private choose({ kind, id }: Failure): void {
    const address = kind === "node" ? this.model.owner.indexOf(id) : -1;
    if (address < 0) return;
    this.focus(id);
    this.state.chooseEnd(address);
  }

  private key(event: KeyboardEvent): void {
    const device = this.devices.get(this.focused);
    if (isWalk(event.key)) {
      const next = neighbour(this.centres, this.focused, event.key);
      if (next !== null) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      if (device) this.press(device);
    } else if (event.key === "+" || event.key === "-") {
      this.camera.zoom(event.key === "+" ? 1 : -1);
    } else if (event.key === "0") this.camera.fit();
    else if (event.key === "Escape") device?.blur();
    else return;
    event.preventDefault();
  }

  private focus(device: number): void {
    this.devices.get(this.focused)?.setAttribute("tabindex", "-1");
    const shape = this.devices.get(device);
    if (!shape) return;
    this.focused = device;
    shape.setAttribute("tabindex", "0");
    this.camera.reveal(this.centres.get(device)!);
    shape.focus({ preventScroll: true });
  }

  /** Describes the part under the pointer below the drawing, or the effect. */
  private readOut(): void {
    const shape = this.pointed;
    const text = !shape
      ? this.summary
      : shape.dataset.device !== undefined
        ? this.describe(deviceFailure(this.model, Number(shape.dataset.device)))
        : linksOf(shape)
            .map((id) => this.describe({ kind: "cable", id }))
            .join("; ");
    byId("readout").textContent = text;
  }
}

function group(style: string): SVGGElement {
  const made = document.createElementNS(SVG, "g");
  made.setAttribute("class", style);
  return made;
}

function shapeOf(event: Event): SVGElement | null {
  return (event.target as Element).closest<SVGElement>("[data-device], [data-cables]");
}

/** Returns the cable after another one of a bundle; the first after the last. */
function after(cables: Failure[], cable: Failure | null): Failure {
  const place = cables.findIndex((one) => cable && keyOf(one) === keyOf(cable));
  return cables[(place + 1) % cables.length]!;
}

function linksOf(shape: SVGElement): number[] {
  return shape.dataset.cables!.split(" ").map(Number);
}
