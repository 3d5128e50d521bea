// The drawing in the middle, its handles, and the bench on which its parts fail. A new drawing
// replaces all of it; failures stay where parts of the same name are there.
import { Bench } from "../check/bench";
import { byId } from "../check/dom";
import { type Model, type Written, failureName, modelOf } from "../check/model";
import { type Press, State } from "../check/state";
import { type Marks } from "./answers";
import { addHandles } from "./handles";
import { type Change } from "./patch";
import { type Topology } from "./sizes";

export class NetworkView {
  private bench: Bench | null = null;
  private listening = new AbortController();
  private svgText = "";
  private proofText = "";
  private presses: Press = "fail";
  private marks: Marks | null = null;

  /**
   * @param make changes the text
   * @param first the choices that a link gives for the first network, as `said` writes them
   */
  constructor(
    private readonly make: (changes: Change[]) => void,
    private first = "",
    /** Adds to the panel of the part that is looked at. */
    private readonly looked: (model: Model, state: State) => void = () => {},
  ) {
    const press = new URLSearchParams(first).get("press");
    if (press === "route" || press === "look") this.presses = press;
  }

  /** The words of a link about failures, routes and the part that is seen. */
  get said(): string {
    const words = new URLSearchParams(this.bench?.said);
    if (this.presses !== "fail") words.set("press", this.presses);
    return words.toString();
  }

  /** Shows no network. */
  clear(): void {
    this.svgText = this.proofText = "";
    this.listening.abort();
    this.listening = new AbortController();
    this.bench = null;
    for (const id of ["stage-place", "route-place", "panel-place"]) byId(id).replaceChildren();
    byId("stage-place").classList.remove("has-proof");
  }

  /** Shows a drawing; its parts can fail as soon as their tables are here. */
  draw(text: string, topology: Topology): void {
    if (text === this.svgText) return;
    this.svgText = text;
    this.proofText = "";
    this.listening.abort();
    this.listening = new AbortController();
    this.fill("stage-place", "stage-template");
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const svg = document.importNode(parsed, true) as unknown as SVGSVGElement;
    byId("stage").replaceChildren(svg);
    this.mark(this.marks);
    addHandles(svg, topology, this.make);
    byId("stage-place").classList.remove("has-proof");
  }

  /** Lets parts fail, by the tables of all nodes. */
  async prove(written: Written): Promise<void> {
    const text = JSON.stringify(written);
    if (text === this.proofText) return;
    this.proofText = text;
    const { signal } = this.listening;
    const model = await modelOf(written);
    if (signal.aborted || this.proofText !== text) return;
    const before = this.bench;
    if (byId("stage-place").classList.contains("has-proof")) this.redrawn();
    this.fill("route-place", "route-template");
    this.fill("panel-place", "panel-template");
    const state = new State();
    const bench = new Bench(model, state, this.first, this.listening.signal);
    this.first = "";
    this.bench = bench;
    byId("stage-place").classList.add("has-proof");
    this.listenToMode(state);
    state.onChange(() => this.looked(model, state));
    this.looked(model, state);
    if (before) state.fail(alike(before, bench));
  }

  /** Draws the same drawing again, for the tables of other routes. */
  private redrawn(): void {
    this.listening.abort();
    this.listening = new AbortController();
    const svg = byId("stage").querySelector("svg")!;
    for (const added of svg.querySelectorAll(".hits, .tracks")) added.remove();
    const fresh = svg.cloneNode(true) as SVGSVGElement;
    svg.querySelectorAll(".handle").forEach((one, at) => {
      fresh.querySelectorAll(".handle")[at]!.replaceWith(one);
    });
    this.fill("stage-place", "stage-template");
    byId("stage").replaceChildren(fresh);
  }

  /** Colours cables and nodes with findings about real machines; null for none. */
  mark(marks: Marks | null): void {
    this.marks = marks;
    const svg = byId("stage-place").querySelector("#stage svg");
    for (const one of svg?.querySelectorAll("[data-as-built]") ?? []) {
      one.removeAttribute("data-as-built");
    }
    const set = (selector: string, mark: string) => {
      for (const one of svg?.querySelectorAll(selector) ?? []) {
        one.setAttribute("data-as-built", mark);
      }
    };
    for (const [cable, mark] of Object.entries(marks?.cables ?? {})) {
      set(`.cable[data-cables~="${cable}"]`, mark);
    }
    for (const [node, mark] of Object.entries(marks?.nodes ?? {})) {
      set(`[data-device="${node}"]`, mark);
    }
  }

  private listenToMode(state: State): void {
    for (const field of document.getElementsByName("press") as NodeListOf<HTMLInputElement>) {
      field.checked = field.value === this.presses;
      field.addEventListener("change", () => {
        state.presses = this.presses = field.value as Press;
      });
    }
    state.presses = this.presses;
  }

  private fill(place: string, template: string): void {
    const { content } = byId<HTMLTemplateElement>(template);
    byId(place).replaceChildren(document.importNode(content, true));
  }
}

/** Returns the parts of one network that are named like the failed parts of another. */
function alike(before: Bench, now: Bench) {
  const names = new Set(
    [...before.state.failures.values()].map((failure) => failureName(before.model, failure)),
  );
  return names.size === 0
    ? []
    : now.model.parts.filter((part) => names.has(failureName(now.model, part)));
}
