// The mouse and the finger on a drawing that is edited: a press chooses, a drag moves, one from a
// plug lays a cable, a drag with Shift chooses all inside, a double press adds or renames.
import { type Board } from "./board";
import { type Point } from "./graph";
import { askName } from "./inspector";
import { snapped } from "./layout";
import { shape } from "./svg";

/** A press that goes less far, in pixels, is no drag. */
const DRAG_PX = 4;

interface Drag {
  start: MouseEvent;
  from: Point;
  move: (point: Point) => void;
  end: (point: Point) => void;
  /** The press that was no drag. */
  press?: () => void;
  isFar: boolean;
}

export class Pointer {
  private drag: Drag | null = null;
  private readonly rubber = shape("path", { class: "rubber" });
  private readonly band = shape("rect", { class: "band" });

  constructor(
    private readonly board: Board,
    private readonly ground: SVGElement,
  ) {
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.press(event as PointerEvent), true);
    svg.addEventListener("pointermove", (event) => this.move(event as PointerEvent));
    svg.addEventListener("pointerup", (event) => this.release(event as PointerEvent));
    svg.addEventListener("pointercancel", () => this.cancel());
    svg.addEventListener("click", (event) => this.click(event as MouseEvent));
    svg.addEventListener("dblclick", (event) => this.doublePress(event as MouseEvent));
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const target = event.target as Element;
    const name = target.closest<SVGElement>("[data-name]")?.dataset.name;
    if (target.closest(".plug") && name) this.begin(event, this.laying(name));
    else if (name) this.pressDevice(event, name);
    else if (event.shiftKey) this.begin(event, this.banding(event));
  }

  private pressDevice(event: PointerEvent, name: string): void {
    const { editing } = this.board;
    this.board.focusOn(name);
    if (editing.cabling) {
      event.stopPropagation();
      return editing.end(name);
    }
    const isAdded = event.shiftKey || event.ctrlKey || event.metaKey;
    if (isAdded || !editing.chosen.has(name)) editing.choose(name, isAdded);
    const press = () => !isAdded && editing.chosen.size > 1 && editing.choose(name);
    this.begin(event, { ...this.moving(), press });
  }

  private begin(event: PointerEvent, steps: Pick<Drag, "move" | "end" | "press">): void {
    event.stopPropagation();
    this.board.svg.setPointerCapture(event.pointerId);
    this.drag = { start: event, from: this.board.pointOf(event), isFar: false, ...steps };
  }

  private move(event: PointerEvent): void {
    const { drag } = this;
    if (!drag) return;
    const far = Math.hypot(event.clientX - drag.start.clientX, event.clientY - drag.start.clientY);
    drag.isFar ||= far >= DRAG_PX;
    if (drag.isFar) drag.move(this.board.pointOf(event));
  }

  private release(event: PointerEvent): void {
    const { drag } = this;
    this.drag = null;
    this.clean();
    if (drag?.isFar) drag.end(this.board.pointOf(event));
    else drag?.press?.();
  }

  private cancel(): void {
    this.drag = null;
    this.clean();
    this.board.dragNoMore();
  }

  private clean(): void {
    this.rubber.remove();
    this.band.remove();
  }

  /** A drag of what is chosen; places are on the grid. */
  private moving(): Pick<Drag, "move" | "end"> {
    const { board } = this;
    const old = new Map([...board.editing.chosen].map((name) => [name, board.placeOf(name)]));
    const placesAt = (point: Point) => {
      const { from } = this.drag ?? { from: point };
      const [dx, dy] = [point.x - from.x, point.y - from.y];
      return new Map([...old].map(([name, { x, y }]) => [name, snapped({ x: x + dx, y: y + dy })]));
    };
    let last = old;
    return {
      move: (point) => {
        last = placesAt(point);
        board.drag(last);
      },
      end: () => board.editing.move(last),
    };
  }

  /** A drag that lays a cable to the device under its end, or to a new node on the ground. */
  private laying(name: string): Pick<Drag, "move" | "end"> {
    const { board } = this;
    const { x, y } = board.placeOf(name);
    return {
      move: (point) => {
        this.rubber.setAttribute("d", `M${x} ${y}L${point.x} ${point.y}`);
        board.svg.append(this.rubber);
      },
      end: (point) => {
        const other = board.deviceAt(point);
        if (other === null) board.editing.grow(name, snapped(point));
        else if (other !== name) board.editing.connect(name, other);
      },
    };
  }

  /** A drag that chooses all devices inside a rectangle. */
  private banding(event: PointerEvent): Pick<Drag, "move" | "end"> {
    const { board } = this;
    const start = board.pointOf(event);
    const boxTo = (point: Point) => ({
      x: Math.min(start.x, point.x),
      y: Math.min(start.y, point.y),
      width: Math.abs(start.x - point.x),
      height: Math.abs(start.y - point.y),
    });
    return {
      move: (point) => {
        for (const [key, value] of Object.entries(boxTo(point))) {
          this.band.setAttribute(key, String(value));
        }
        board.svg.append(this.band);
      },
      end: (point) => {
        const { x, y, width, height } = boxTo(point);
        const inside = [...board.editing.places].filter(
          ([, at]) => at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height,
        );
        board.editing.chooseOnly(inside.map(([name]) => name));
      },
    };
  }

  private click(event: MouseEvent): void {
    const { editing, hasDragged } = this.board;
    const target = event.target as Element;
    const name = target.closest<SVGElement>("[data-name]")?.dataset.name;
    // A press that no pointer made, such as a screen reader's, chooses too.
    if (name && event.detail === 0) {
      return editing.cabling ? editing.end(name) : editing.choose(name);
    }
    const cable = target.closest<SVGElement>("[data-cable]")?.dataset.cable;
    if (cable !== undefined) return editing.chooseCable(Number(cable), event.shiftKey);
    if (target === this.ground && !hasDragged && !event.shiftKey) editing.escape();
  }

  private doublePress(event: MouseEvent): void {
    const { editing } = this.board;
    // The press before has taken the pointer, so that its place says what it was on.
    const name = this.board.deviceAt(this.board.pointOf(event));
    if (name) return askName();
    if (event.target !== this.ground) return;
    void editing.add("node", snapped(this.board.pointOf(event)));
  }
}
