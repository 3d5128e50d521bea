// Asks the server for all that follows from a text, and shows each fact as it comes. A newer text
// ends the older request at once.
import { byId, element } from "../check/dom";
import { type Written } from "../check/model";
import { type Checked, type Failed, type Mistake, type Progress } from "./answers";
import { type Choice } from "./choice";
import { designOf, type Editor } from "./editor";
import { type Placed, placed } from "./mistakes";
import { type NetworkView } from "./network";
import * as panels from "./panels";
import { type Predictions } from "./predictions";
import { type EventOf, Refused, isClosed, listen } from "./server";
import { type Topology } from "./sizes";

/** Debounce: the text is sent after this pause; a keystroke aborts the pending request. */
const PAUSE_MS = 60;
/** The parts of the page that a newer text makes stale, besides the panels. */
const DRAWN = ["stage-place", "route-place", "panel-place"];
/** The stages of the server in words, in their order. */
const STAGES: Record<string, string> = {
  check: "checking",
  drawing: "drawing",
  price: "pricing",
  connectivity: "finding what failures cut off",
  proof: "following all routes",
  analytic: "predicting by formulas",
  flow: "predicting by fair shares",
  packet: "predicting frame by frame",
  rerouting: "trying failures",
};
const PANELS = ["panel-findings", "panel-price", "panel-failures", "panel-predictions"];
/** The panel of each stage of the server. */
const PANEL_OF: Record<string, string> = {
  check: "panel-findings",
  price: "panel-price",
  connectivity: "panel-failures",
  rerouting: "panel-failures",
};

export class Following {
  onDrawn: (svg: Element) => void = () => {};
  onMistakes: (text: string, found: Placed[], items: HTMLElement[]) => void = () => {};
  onDone: (text: string) => void = () => {};
  private closing = new AbortController();
  private timer = 0;
  /** When the last key was pressed, for measuring. */
  private changedAt = 0;
  /** The stage that the server works on, as it is shown. */
  private stage = "";

  constructor(
    private readonly editor: Editor,
    private readonly network: NetworkView,
    private readonly predictions: Predictions,
    private readonly choice: Choice,
    private readonly name: () => string,
  ) {}

  /** Aborts the pending request, and asks again after a pause. */
  later(): void {
    if (this.closing.signal.aborted === false && this.timer === 0) this.closing.abort();
    this.changedAt = performance.now();
    document.documentElement.dataset.following = "changed";
    if (this.editor.text !== document.documentElement.dataset.drawn) this.dim(true);
    clearTimeout(this.timer);
    for (const id of PANELS) panels.setState(id, "cancelled");
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      void this.ask();
    }, PAUSE_MS);
  }

  /** Forgets all that is shown, of a design that gives way to another one. */
  forget(): void {
    this.network.clear();
    this.predictions.keep([]);
    this.predictions.draw();
    panels.clear();
    for (const id of ["network-name", "network-facts"]) byId(id).textContent = "";
    delete document.documentElement.dataset.drawn;
  }

  /** Dims the drawing and what stands on it, or no more. */
  private dim(isStale: boolean): void {
    for (const id of DRAWN) byId(id).classList.toggle("stale", isStale);
    panels.setState("drawing-state", isStale ? "computing" : "");
  }

  /** Says the stage, and the share of it that is done, where something is stale. */
  private tellStage({ done, all, label }: Progress): void {
    const share = all > 1 ? `, ${Math.floor((100 * done) / all)} %` : "";
    this.stage = `${STAGES[label] ?? label}${share}`;
    this.say(`${this.stage} …`);
  }

  /** Says the age of a stage that takes long. */
  private tellAge(seconds: number): void {
    this.say(`${this.stage || "computing"}, for ${seconds} s …`);
  }

  private say(text: string): void {
    for (const place of document.querySelectorAll<HTMLElement>('[data-state="computing"]')) {
      place.textContent = text;
    }
  }

  private async ask(): Promise<void> {
    this.closing.abort();
    const closing = (this.closing = new AbortController());
    const { text } = this.editor;
    this.stage = "";
    for (const id of PANELS) panels.setState(id, "computing");
    this.predictions.keep(this.choice.engines);
    document.documentElement.dataset.following = "asked";
    const { workloads, engines, run } = this.choice;
    const fields = { text, name: this.name(), workloads, engines, ...run, tells_progress: true };
    try {
      await listen("/api/follow", fields, closing.signal, (...said) => this.take(said, text));
    } catch (trouble) {
      if (isClosed(trouble) || closing.signal.aborted) return;
      this.fail(trouble, text);
    }
  }

  private take([event, data]: EventOf<"/api/follow">, text: string): void {
    performance.measure(`follow ${event}`, { start: this.changedAt, end: performance.now() });
    if (event === "progress") return this.tellStage(data);
    if (event === "waiting") return this.tellAge(data.seconds);
    if (event === "refused") return this.refuse(data, text);
    if (event === "failed") return this.failStage(data);
    if (event === "died") return this.end();
    if (event === "check") this.accept(data);
    if (event === "drawing") this.draw(data.svg, text);
    if (event === "price") panels.showPrice(data);
    if (event === "connectivity") panels.showConnectivity(data);
    if (event === "rerouting") panels.showRerouting(data);
    if (event === "proof") void this.network.prove(data as unknown as Written);
    if (event === "analytic" || event === "flow" || event === "packet") this.predictions.show(data);
    const panel = PANEL_OF[event];
    if (panel) panels.setState(panel, "ready");
    if (event === this.choice.engines.at(-1)) panels.setState("panel-predictions", "ready");
    const { dataset } = document.documentElement;
    if (event !== "done" || dataset.following !== "asked") return;
    dataset.following = "done";
    this.onDone(text);
  }

  private accept(found: Checked): void {
    this.showMistakes([], "");
    panels.showFindings(found);
    byId("network-name").textContent = found.name;
    byId("network-facts").textContent =
      `${found.parts}; ${found.addressing} addresses, ${found.routing} routing`;
  }

  private draw(svg: string, text: string): void {
    const design = designOf(text) as { topology?: Topology } | null;
    this.dim(false);
    this.network.draw(svg, design?.topology ?? {});
    this.onDrawn(byId("stage").querySelector("svg")!);
    document.documentElement.dataset.drawn = text;
  }

  private refuse(mistakes: Mistake[], text: string): void {
    this.showMistakes(mistakes, text);
    for (const id of PANELS) panels.setState(id, "cancelled");
    this.dim(true);
    panels.setState("drawing-state", "cancelled");
    byId("drawing-state").textContent = "the text has mistakes: this is the last that had none";
    document.documentElement.dataset.following = "refused";
  }

  /** Says that nothing follows, by no mistake of the text. */
  private end(): void {
    for (const id of PANELS) panels.setState(id, "failed");
    document.documentElement.dataset.following = "failed";
  }

  private failStage({ stage, message, hint }: Failed): void {
    const reason = hint ? `${message}: ${hint}` : message;
    if (stage === "drawing" || stage === "proof") {
      // A drawing of another text says nothing about this one.
      if (stage === "drawing") this.network.clear();
      this.dim(false);
      byId("drawing-state").textContent = reason;
      return;
    }
    const panel = PANEL_OF[stage] ?? "panel-predictions";
    // The outcomes that are known stay, when only the cost of each failure is not.
    panels.setState(panel, stage === "rerouting" ? "ready" : "failed", reason);
  }

  private fail(trouble: unknown, text: string): void {
    this.end();
    if (trouble instanceof Refused) {
      this.showMistakes([{ message: trouble.message, hint: trouble.hint }], text);
    }
  }

  private showMistakes(mistakes: Mistake[], text: string): void {
    const found = mistakes.map((one) => placed(text, one));
    this.editor.showMistakes(found);
    const items = found.map(({ line, from, message, hint }) => {
      const go = element("button", { type: "button", class: "plain" }, `line ${line}`);
      go.addEventListener("click", () => this.editor.go(from));
      const words = message.replace(/^design(?:, line \d+)?: /, "");
      return element("li", {}, go, ` ${words}`, hint ? element("small", {}, hint) : null);
    });
    byId("mistakes").replaceChildren(...items);
    this.onMistakes(text, found, items);
  }
}
