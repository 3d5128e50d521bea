// A canvas that fills its place at the resolution of the screen, redrawn when the place changes.

export class Sheet {
  readonly context: CanvasRenderingContext2D;
  width = 0;
  height = 0;
  /** Pixels of the screen per pixel of the page. */
  dots = 1;

  constructor(
    readonly canvas: HTMLCanvasElement,
    redraw: () => void,
  ) {
    this.context = canvas.getContext("2d")!;
    this.measure();
    new ResizeObserver(() => {
      this.measure();
      redraw();
    }).observe(canvas);
  }

  /** Clears the canvas; lengths are pixels of the page from here on. */
  clear(): CanvasRenderingContext2D {
    const { context, dots } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(dots, 0, 0, dots, 0, 0);
    return context;
  }

  private measure(): void {
    const { canvas } = this;
    this.dots = Math.min(2, devicePixelRatio || 1);
    [this.width, this.height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.max(1, Math.round(this.width * this.dots));
    canvas.height = Math.max(1, Math.round(this.height * this.dots));
  }
}
