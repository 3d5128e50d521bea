// The bench where a reader fails parts of a network: the drawing, the failed parts, the cost and
// the route, kept in step. The page of a check has one network; the workbench puts one network
// after another on it.
import { type Failure, type Impact } from "../failures/core";
import { showCost } from "./cost";
import { byId } from "./dom";
import { Drawing, type Tint } from "./drawing";
import { type Model, failureName } from "./model";
import { makeSearchable, showFailed, showLooked } from "./parts";
import { makeEndsChoosable, showRoutes } from "./route";
import { type Colouring, type State, keyOf } from "./state";
import { makeTable } from "./table";

/** The bench at work. */
export class Bench {
  private readonly drawing: Drawing;
  private readonly markTable: () => void;
  private readonly colouring = byId<HTMLSelectElement>("colouring");
  private impact: Impact;

  /**
   * Puts a network on the bench of the page.
   * @param said the state to begin with, as `State.asHash` writes it
   * @param signal ends what the bench hears from the window
   */
  constructor(
    readonly model: Model,
    readonly state: State,
    said: string,
    signal?: AbortSignal,
  ) {
    const { colouring } = this;
    this.impact = model.core.fail([]);
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
    state.onChange(() => this.show());
    this.show();
  }

  private show(): void {
    const { model, state, drawing } = this;
    this.impact = model.core.fail(state.failures.values());
    this.colouring.value = state.colouring;
    showFailed(model, state);
    showCost(model, state, this.impact, this.note());
    showLooked(model, state);
    drawing.showFailures(this.impact.isDeadLink);
    drawing.showTints((node) => this.tint(node));
    const { tracks, ends, stops } = showRoutes(model, state);
    drawing.showTracks(tracks, ends, stops);
    byId("legend").dataset.colouring = state.colouring;
    byId("balance").textContent = state.colouring === "load" ? this.balance() : "";
    this.markTable();
  }

  private isDead(node: number): boolean {
    return this.state.has({ kind: "node", id: node });
  }

  private note(): string {
    const { unanswered, recomputed, daemon, disconnected } = this.impact.counts;
    const notes: string[] = [];
    if (unanswered > 0) {
      notes.push(`${unanswered.toLocaleString("en")} pairs arrive, but their answers do not.`);
    }
    if (this.state.failures.size === 0 && recomputed + daemon + disconnected > 0) {
      notes.push("These pairs do not reach each other while all is whole: see the findings.");
    }
    return notes.join(" ");
  }

  /** Returns the colour of a node. */
  private tint(node: number): Tint {
    const { counts, load, lostOf, reroutedOf } = this.impact;
    const plain: Tint = { style: "", share: 0 };
    if (this.isDead(node) || this.state.colouring === "none") return plain;
    if (this.state.colouring === "load") {
      const most = counts.most_forwarded;
      return most > 0 ? { style: "is-loaded", share: load[node]! / most } : plain;
    }
    const pairs = 2 * (this.model.owner.length - 1);
    const [lost, rerouted] = [lostOf[node]!, reroutedOf[node]!];
    if (lost + rerouted === 0) return plain;
    const count = lost > 0 ? lost : rerouted;
    return { style: lost > 0 ? "is-lost" : "is-rerouted", share: Math.sqrt(count / pairs) };
  }

  /** Returns how evenly the nodes share the relaying. */
  private balance(): string {
    const { load } = this.impact;
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

  /** Returns one line about a part: its kind, and the outcome of its pairs. */
  private describe(failure: Failure): string {
    const name = failureName(this.model, failure);
    if (this.state.has(failure)) return `${name}: failed`;
    if (failure.kind !== "node") return name;
    const { load, lostOf, reroutedOf } = this.impact;
    const [lost, rerouted] = [lostOf[failure.id]!, reroutedOf[failure.id]!];
    const parts = [
      ...(lost ? [`${lost} pairs lost`] : []),
      ...(rerouted ? [`${rerouted} rerouted`] : []),
      ...(this.state.colouring === "load" ? [`forwards ${load[failure.id]!} packets`] : []),
    ];
    return parts.length > 0 ? `${name}: ${parts.join(", ")}` : name;
  }
}
