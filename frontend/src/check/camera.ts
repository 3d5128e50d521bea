// The part of a drawing that is seen: wheel, buttons and two fingers zoom, dragging pans. A wheel
// or a finger that only passes over the drawing scrolls the page. Labels are hidden while they
// would be too small to read. A gesture moves the picture as drawn, which costs the browser little
// for any number of shapes; the drawing follows sharply when the gesture rests.

const STEP = 1.35;
const MOST_ZOOM = 40;
const LEAST_LABEL_PX = 6.5;
const LABEL_SIZE = 10;
const DRAG_PX = 4;
/** Largest magnification of a small network, in pixels per unit. */
const MOST_SCALE = 1.9;
const LEAST_HEIGHT_PX = 380;
const HINT = "Hold Ctrl, or click into the drawing, to zoom with the wheel";
const HINT_MS = 1500;
/** A gesture that rests so long is over. */
const REST_MS = 150;

export class Camera {
  /** Whether the last press became a drag: its click means nothing else. */
  hasDragged = false;
  private drawn: DOMRect;
  private whole: DOMRect;
  private view: DOMRect;
  /** The view of the last sharp picture: what the box of the SVG holds. */
  private sharp: DOMRect;
  private rest = 0;
  /** The place of the SVG on the page as it was before a gesture moved it. */
  private box: DOMRect | null = null;
  private readonly pressed = new Map<number, { start: PointerEvent; now: PointerEvent }>();

  constructor(
    private readonly svg: SVGSVGElement,
    signal?: AbortSignal,
    private readonly mostScale = MOST_SCALE,
  ) {
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.drawn = this.whole = this.view = this.sharp = new DOMRect(x, y, width, height);
    const most = Math.max(LEAST_HEIGHT_PX, height * mostScale);
    svg.parentElement?.style.setProperty("--most-height", `${Math.round(most)}px`);
    svg.parentElement?.style.setProperty("--shape", `${width} / ${height}`);
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.press(event));
    addEventListener("pointermove", (event) => this.move(event), { signal });
    for (const name of ["pointerup", "pointercancel"] as const) {
      addEventListener(name, (event) => this.pressed.delete(event.pointerId), { signal });
    }
    new ResizeObserver(() => this.resize()).observe(svg);
  }

  /** The part of the drawing that is seen, in its units. */
  get seen(): DOMRectReadOnly {
    return this.view;
  }

  /** The part that is seen as text, empty for the whole. */
  get said(): string {
    const { x, y, width, height } = this.view;
    return this.isWhole ? "" : [x, y, width, height].map((value) => value.toFixed(1)).join(" ");
  }

  /** Shows the part that a text says, as far as it is one. */
  see(said: string): void {
    const [x, y, width, height] = said.split(" ").map(Number);
    if (![x, y, width, height].every(Number.isFinite) || !(width! > 0 && height! > 0)) return;
    this.view = new DOMRect(x, y, width, height);
    this.show();
  }

  /** Takes another extent of the drawing, which grows or shrinks while it is edited. */
  extend(x: number, y: number, width: number, height: number): void {
    const { drawn } = this;
    if (drawn.x === x && drawn.y === y && drawn.width === width && drawn.height === height) return;
    this.drawn = new DOMRect(x, y, width, height);
    this.resize();
  }

  /** Shows the drawing as a whole. */
  fit(): void {
    this.view = this.whole;
    this.show();
  }

  /** Zooms in or out by steps, about the middle of the view. */
  zoom(steps: number): void {
    const { x, y, width, height } = this.view;
    this.zoomAbout(STEP ** -steps, x + width / 2, y + height / 2);
    this.show();
  }

  /** Moves a thing into view when it is outside. */
  reveal(box: Pick<DOMRect, "x" | "y" | "width" | "height">): void {
    const { x, y, width, height } = this.view;
    const isAcross = box.x >= x && box.x + box.width <= x + width;
    if (isAcross && box.y >= y && box.y + box.height <= y + height) return;
    const [centreX, centreY] = [box.x + box.width / 2, box.y + box.height / 2];
    this.view = new DOMRect(centreX - width / 2, centreY - height / 2, width, height);
    this.show();
  }

  /** Returns the view of the whole drawing in the space available. */
  private resize(): void {
    const { x, y, width, height } = this.drawn;
    this.svg.style.transform = "";
    const box = this.svg.getBoundingClientRect();
    // A drawing that is not shown has no size, and thus no scale.
    if (!(box.width > 0 && box.height > 0)) return;
    const scale = Math.min(box.width / width, box.height / height, this.mostScale);
    const [w, h] = [box.width / scale, box.height / scale];
    const { isWhole } = this;
    this.whole = new DOMRect(x - (w - width) / 2, y - (h - height) / 2, w, h);
    if (isWhole) this.view = this.whole;
    this.show();
  }

  private get isWhole(): boolean {
    return this.view === this.whole;
  }

  private wheel(event: WheelEvent): void {
    const hasKey = event.ctrlKey || event.metaKey;
    if (!hasKey && !this.svg.contains(document.activeElement)) return this.hint();
    if (!hasKey && this.isWhole && event.deltaY > 0) return;
    event.preventDefault();
    if (!this.svg.style.transform) this.box = null;
    const point = this.toDrawing(event);
    this.zoomAbout(STEP ** (Math.sign(event.deltaY) * 0.5), point.x, point.y);
    this.glide();
  }

  /** Says for a moment how the wheel zooms. */
  private hint(): void {
    const stage = this.svg.parentElement;
    if (!stage || stage.dataset.hint) return;
    stage.dataset.hint = HINT;
    setTimeout(() => delete stage.dataset.hint, HINT_MS);
  }

  private zoomAbout(factor: number, x: number, y: number): void {
    const width = this.view.width * factor;
    if (width < this.whole.width / MOST_ZOOM) return;
    const left = x - (x - this.view.x) * factor;
    const top = y - (y - this.view.y) * factor;
    const near = new DOMRect(left, top, width, this.view.height * factor);
    this.view = width > this.whole.width * 1.01 ? this.whole : near;
  }

  private press(event: PointerEvent): void {
    if (this.pressed.size === 0) this.hasDragged = false;
    if (!this.svg.style.transform) this.box = null; // the page may have scrolled
    this.pressed.set(event.pointerId, { start: event, now: event });
  }

  /** One pointer pans; two zoom about the one that rests. */
  private move(event: PointerEvent): void {
    const own = this.pressed.get(event.pointerId);
    if (!own) return;
    const { start, now } = own;
    const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
    if (!this.hasDragged && far < DRAG_PX) return;
    this.hasDragged = true;
    own.now = event;
    const other = [...this.pressed.values()].find((one) => one !== own)?.now;
    if (other) {
      const { x, y } = this.toDrawing(other);
      this.zoomAbout(distance(now, other) / Math.max(1, distance(event, other)), x, y);
    } else {
      const [from, to] = [this.toDrawing(now), this.toDrawing(event)];
      const { x, y, width, height } = this.view;
      this.view = new DOMRect(x + from.x - to.x, y + from.y - to.y, width, height);
    }
    this.glide();
  }

  private toDrawing({ clientX, clientY }: MouseEvent): DOMPoint {
    const { x, y, width, height } = this.view;
    const box = this.frame;
    const [across, down] = [(clientX - box.x) / box.width, (clientY - box.y) / box.height];
    return new DOMPoint(x + across * width, y + down * height);
  }

  /** The SVG on the page without the gesture: to measure it at each move would lay it out again. */
  private get frame(): DOMRect {
    return (this.box ??= this.svg.getBoundingClientRect());
  }

  /** Shows the view in the sharp picture's own pixels, until the gesture rests. */
  private glide(): void {
    const { sharp, view } = this;
    const scale = sharp.width / view.width;
    const perUnit = this.frame.width / sharp.width;
    const [left, top] = [sharp.x - view.x, sharp.y - view.y].map((far) => far * perUnit * scale);
    this.svg.style.willChange = "transform";
    this.svg.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.settle(), REST_MS);
  }

  /** Draws sharply, unless the drawing is held and only moved: it is sharp then. */
  private settle(): void {
    const isHeld = this.pressed.size > 0 && this.view.width === this.sharp.width;
    if (isHeld) this.rest = window.setTimeout(() => this.settle(), REST_MS);
    else this.show();
  }

  /** Draws the view sharply. */
  private show(): void {
    clearTimeout(this.rest);
    const { x, y, width, height } = (this.sharp = this.view);
    this.svg.style.transform = this.svg.style.willChange = "";
    this.box = null;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.svg.style.touchAction = this.isWhole ? "pan-y" : "none";
    const scale = this.svg.clientWidth / width;
    this.svg.classList.toggle("unlabelled", LABEL_SIZE * scale < LEAST_LABEL_PX);
    this.svg.style.setProperty("--thick", String(Math.max(1, 0.75 / scale)));
  }
}

function distance(a: MouseEvent, b: MouseEvent): number {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
