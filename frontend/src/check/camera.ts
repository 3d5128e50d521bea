// The part of a drawing that is seen: the wheel and the buttons zoom, dragging pans. Labels are
// hidden while they would be too small to read.

const STEP = 1.35;
const MOST_ZOOM = 40;
const LEAST_LABEL_PX = 6.5;
const LABEL_SIZE = 10;
const DRAG_PX = 4;
/** A small network is not blown up beyond so many pixels per unit. */
const MOST_SCALE = 1.9;
const LEAST_HEIGHT_PX = 380;

export class Camera {
  /** Whether the last press became a drag: its click means nothing else. */
  hasDragged = false;
  private readonly drawn: DOMRect;
  private whole: DOMRect;
  private view: DOMRect;

  constructor(private readonly svg: SVGSVGElement) {
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.drawn = this.whole = this.view = new DOMRect(x, y, width, height);
    const most = Math.max(LEAST_HEIGHT_PX, height * MOST_SCALE);
    svg.parentElement?.style.setProperty("--most-height", `${Math.round(most)}px`);
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.drag(event));
    new ResizeObserver(() => this.resize()).observe(svg);
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
  }

  /** Moves a thing into view when it is outside. */
  reveal(box: SVGRect): void {
    const { x, y, width, height } = this.view;
    const isAcross = box.x >= x && box.x + box.width <= x + width;
    if (isAcross && box.y >= y && box.y + box.height <= y + height) return;
    const [centreX, centreY] = [box.x + box.width / 2, box.y + box.height / 2];
    this.view = new DOMRect(centreX - width / 2, centreY - height / 2, width, height);
    this.show();
  }

  /** Finds what shows the drawing as a whole in the room there is. */
  private resize(): void {
    const { x, y, width, height } = this.drawn;
    const { clientWidth, clientHeight } = this.svg;
    const scale = Math.min(clientWidth / width, clientHeight / height, MOST_SCALE);
    const [w, h] = [clientWidth / scale, clientHeight / scale];
    const isWhole = this.view === this.whole;
    this.whole = new DOMRect(x - (w - width) / 2, y - (h - height) / 2, w, h);
    if (isWhole) this.view = this.whole;
    this.show();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const point = this.toDrawing(event);
    this.zoomAbout(STEP ** (Math.sign(event.deltaY) * 0.5), point.x, point.y);
  }

  private zoomAbout(factor: number, x: number, y: number): void {
    const width = this.view.width * factor;
    if (width > this.whole.width * 1.01) return this.fit();
    if (width < this.whole.width / MOST_ZOOM) return;
    const left = x - (x - this.view.x) * factor;
    const top = y - (y - this.view.y) * factor;
    this.view = new DOMRect(left, top, width, this.view.height * factor);
    this.show();
  }

  private drag(pressed: PointerEvent): void {
    this.hasDragged = false;
    const start = this.view;
    const scale = this.scale();
    const move = (event: PointerEvent) => {
      const dx = event.clientX - pressed.clientX;
      const dy = event.clientY - pressed.clientY;
      if (!this.hasDragged && Math.hypot(dx, dy) < DRAG_PX) return;
      this.hasDragged = true;
      const { x, y, width, height } = start;
      this.view = new DOMRect(x - dx / scale, y - dy / scale, width, height);
      this.show();
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  private toDrawing(event: MouseEvent): DOMPoint {
    const matrix = this.svg.getScreenCTM();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
  }

  /** Pixels of the window per unit of the drawing. */
  private scale(): number {
    return this.svg.getScreenCTM()?.a ?? 1;
  }

  private show(): void {
    const { x, y, width, height } = this.view;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    const scale = this.scale();
    this.svg.classList.toggle("unlabelled", LABEL_SIZE * scale < LEAST_LABEL_PX);
    this.svg.style.setProperty("--thick", String(Math.max(1, 0.75 / scale)));
  }
}
