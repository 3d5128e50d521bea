// The bench where a reader fails parts of a network: the drawing, the failed parts, the cost and
// the route, kept in step. The page of a check has one network; the workbench puts one network
// after another on it.
import { type Failure, type Impact } from "../failures/core";
import { costInWords, showCost } from "./cost";
import { byId, counted } from "./dom";
import { Drawing } from "./drawing";
import { type Model, failureName } from "./model";
import { showFailed, showLooked } from "./parts";
import { follow, makeEndsChoosable, showRoutes } from "./route";
import { makeSearchable } from "./search";
import { type Colouring, type State, keyOf } from "./state";
import { makeTable } from "./table";
import { tintsOf } from "./tints";

/** The bench at work. */
export class Bench {
  private readonly drawing: Drawing;
  private readonly markTable: () => void;
  private readonly colouring = byId<HTMLSelectElement>("colouring");
  private impact: Impact;

  /**
   * Puts a network on the bench of the page.
   * @param said the state to begin with, as `said` writes it
   * @param signal ends what the bench hears from the window
   */
  constructor(
    readonly model: Model,
    readonly state: State,
    said: string,
    signal?: AbortSignal,
  ) {
    const { colouring } = this;
    this.impact = model.trial.fail([]);
    this.drawing = new Drawing(model, state, (failure) => this.describe(failure), signal);
    makeSearchable(model, state, signal);
    makeEndsChoosable(model, state);
    this.markTable = document.getElementById("impacts") ? makeTable(model, state) : () => {};
    colouring.addEventListener("change", () => {
      state.colouring = colouring.value as Colouring;
      state.changed();
    });
    byId("repair-all").addEventListener("click", () => state.fail([]));
    const keys = new Set(model.parts.map(keyOf));
    state.read(said, (failure) => keys.has(keyOf(failure)), model.owner.length);
    this.drawing.camera.see(new URLSearchParams(said.replace(/^#/, "")).get("seen") ?? "");
    state.onChange(() => this.show());
    this.show();
  }

  /** The words of a link after its #: the reader's choices, and the part that is seen. */
  get said(): string {
    const { said } = this.drawing.camera;
    const words = new URLSearchParams(this.state.asHash());
    if (said) words.set("seen", said);
    return words.toString();
  }

  private show(): void {
    const { model, state, drawing } = this;
    this.impact = model.trial.fail(state.failures.values());
    this.colouring.value = state.colouring;
    showFailed(model, state);
    showCost(model, state, this.impact, this.note());
    showLooked(model, state);
    drawing.showFailures(this.impact.links.isDead, this.summary());
    this.showTints();
    follow(model, state, this.impact);
    const { tracks, ends, stops } = showRoutes(model, state);
    drawing.showTracks(tracks, ends, stops);
    this.markTable();
  }

  /** Colours the nodes, and says the scale in the key. */
  private showTints(): void {
    const { model, state, drawing } = this;
    const tints = tintsOf(model, state, this.impact);
    drawing.showTints(tints.of);
    for (const name of ["rerouted", "lost", "loaded"] as const) {
      byId(`scale-${name}`).textContent = tints[name];
    }
    byId("legend").dataset.colouring = state.colouring;
    byId("balance").textContent = state.colouring === "load" ? this.balance() : "";
  }

  /** Returns the effect of what failed, in one line. */
  private summary(): string {
    const { size } = this.state.failures;
    if (size === 0) return "Press a part to fail it.";
    return `${counted(size, "part")} failed: ${costInWords(this.model, this.impact)}.`;
  }

  private isDead(node: number): boolean {
    return this.state.has({ kind: "node", id: node });
  }

  private note(): string {
    const { n_unanswered, n_recomputed, n_daemon, n_disconnected } = this.impact.counts;
    const notes: string[] = [];
    if (n_unanswered > 0) {
      const count = n_unanswered.toLocaleString("en");
      notes.push(`Of the lost connections, ${count} lose only the answers.`);
    }
    if (this.state.failures.size === 0 && n_recomputed + n_daemon + n_disconnected > 0) {
      notes.push("These connections fail while all is whole: see the findings.");
    }
    return notes.join(" ");
  }

  /** Returns how evenly the nodes share the relaying. */
  private balance(): string {
    const load = this.impact.nodes.relayed;
    const alive = [...load.keys()].filter((node) => !this.isDead(node));
    const mean = alive.reduce((sum, node) => sum + load[node]!, 0) / alive.length;
    if (!(mean > 0)) return "No node forwards anything.";
    const busiest = alive.reduce((best, node) => (load[node]! > load[best]! ? node : best));
    const most = load[busiest]!;
    return (
      `While every node sends one packet to every other, a node forwards ${mean.toFixed(1)} on ` +
      `average, the busiest, ${this.model.written.names[busiest]}, ${most.toFixed(0)}: ` +
      `${(most / mean).toFixed(2)} times the mean.`
    );
  }

  /** Returns one line about a part: its kind, and the outcome of its connections. */
  private describe(failure: Failure): string {
    const name = failureName(this.model, failure);
    if (this.state.has(failure)) return `${name}: failed`;
    if (failure.kind !== "node") return name;
    const { nodes } = this.impact;
    const [lost, rerouted, relayed] = [nodes.lost, nodes.rerouted, nodes.relayed].map(
      (counts) => counts[failure.id]!,
    );
    const parts = [
      ...(lost ? [`${counted(lost, "connection")} lost`] : []),
      ...(rerouted ? [`${rerouted} rerouted`] : []),
      ...(this.state.colouring === "load" ? [`forwards ${relayed} packets`] : []),
    ];
    return parts.length > 0 ? `${name}: ${parts.join(", ")}` : name;
  }
}
