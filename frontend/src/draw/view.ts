// The drawing mode of the workbench: the board with its tools, beside the mode in which parts fail.
// A design of another kind shows its picture below the tools, until it is drawn by hand.
import { byId, element } from "../check/dom";
import { type Mistake } from "../workbench/mistakes";
import { Board } from "./board";
import { Editing, type Surroundings } from "./editing";
import { type Point } from "./graph";
import { Inspector } from "./inspector";
import { KEYS, listenToKeys } from "./keys";
import { type Parts } from "./plugging";
import { Tools } from "./tools";

export class DrawView {
  private readonly editing: Editing;
  private readonly board: Board;
  private isDrawing = false;

  constructor(around: Surroundings) {
    this.editing = new Editing(around);
    this.board = new Board(byId("draw-board"), this.editing);
    new Tools(this.editing, this.board);
    new Inspector(byId("draw-inspector"), this.editing);
    listenToKeys(this.board);
    byId("draw-keys").append(
      ...KEYS.flatMap(([keys, meaning]) => [element("kbd", {}, keys), ` ${meaning}  `]),
    );
    byId("mode-try").addEventListener("click", () => this.choose(false));
    byId("mode-draw").addEventListener("click", () => this.choose(true));
    this.editing.onChange(() => this.place());
    this.place();
  }

  /** Shows the mode in which the drawing is edited, or the one in which parts fail. */
  choose(isDrawing: boolean): void {
    this.isDrawing = isDrawing;
    this.place();
    if (isDrawing && this.editing.graph) this.board.focusOn(this.board.focus);
  }

  private place(): void {
    const hasBoard = this.isDrawing && this.editing.graph !== null;
    byId("draw-place").hidden = !this.isDrawing;
    byId("draw-body").hidden = byId("draw-change").hidden = !hasBoard;
    byId("stage-place").hidden = hasBoard;
    byId("mode-try").setAttribute("aria-pressed", String(!this.isDrawing));
    byId("mode-draw").setAttribute("aria-pressed", String(this.isDrawing));
  }

  /** The parts of the design, for ports that fit. */
  get parts(): Parts {
    return this.editing.parts;
  }

  /** Takes the design of the text; null while it cannot be read. */
  show(design: unknown): void {
    this.editing.show(design);
  }

  /** Takes the picture that the server has made. */
  showDrawn(svg: Element): void {
    const places = new Map<string, Point>();
    for (const one of svg.querySelectorAll<SVGElement>("g[data-device]")) {
      const rect = one.querySelector("rect")!;
      const at = (name: string) => Number(rect.getAttribute(name));
      const [x, y] = [at("x") + at("width") / 2, at("y") + at("height") / 2];
      const name = one.querySelector("title")?.textContent?.split(":")[0];
      if (name) places.set(name, { x, y });
    }
    this.editing.showDrawn(places);
  }

  /** Marks the devices that mistakes name. */
  lint(mistakes: Mistake[]): void {
    const quoted = mistakes.flatMap(({ message }) =>
      [...message.matchAll(/'([\w-]+)/g)].map(([, name]) => name!),
    );
    this.board.lint(new Set(quoted));
  }
}

/** Returns the names of the nodes in a picture of the server. */
export function nodesIn(svg: Element): string[] {
  return [...svg.querySelectorAll("g.node[data-device] > title")].flatMap((title) => {
    const name = title.textContent?.split(":")[0];
    return name && name !== "fe" ? [name] : [];
  });
}
