// Entry of the script of a check's page: the network in the page, what the reader fails of it, and
// the panels that show what that costs. What follows from a failure is worked out in failures/,
// which knows no page; drawing and words are in check/.
import { showCost } from "./check/cost";
import { byId } from "./check/dom";
import { Drawing, type Tint } from "./check/drawing";
import { type Model, type Written, failureName, modelOf } from "./check/model";
import { makeSearchable, showFailed, showLooked } from "./check/parts";
import { makeEndsChoosable, showRoutes } from "./check/route";
import { type Colouring, State, keyOf } from "./check/state";
import { makeTable } from "./check/table";
import { forwardingLoad } from "./failures/load";
import { type Failure } from "./failures/remains";
import { type Counts, Proof, type Toll } from "./failures/toll";
import { onThemeChange } from "./theme";

declare global {
  interface Window {
    /** For scripts that read the page: what it costs when some parts fail at once. */
    linkwright: { counts: typeof counts };
  }
}

const model = modelOf(JSON.parse(byId("page-data").textContent ?? "") as Written);
const proof = new Proof(model.fabric, model.tables, model.written.is_explicit);
const state = new State();
let toll = proof.try([]);
let load: Float64Array = new Float64Array(model.fabric.nNodes);

document.documentElement.classList.add("has-script");
onThemeChange(() => {});
const drawing = new Drawing(model, state, describe);
makeSearchable(model, state);
makeEndsChoosable(model, state);
const markTable = document.getElementById("tolls") ? makeTable(model, state) : () => {};
const colouring = byId<HTMLSelectElement>("colouring");
colouring.addEventListener("change", () => {
  state.colouring = colouring.value as Colouring;
  state.changed();
});
byId("repair-all").addEventListener("click", () => state.fail([]));
const keys = new Set(model.parts.map(keyOf));
state.read(location.hash, (failure) => keys.has(keyOf(failure)), model.tables.owner.length);
state.onChange(() => {
  show();
  history.replaceState(null, "", `#${state.asHash()}`);
});
show();
window.linkwright = { counts };

function show(): void {
  toll = proof.try(state.failures.values());
  if (state.colouring === "load") load = forwardingLoad(model.fabric, model.tables, toll.left);
  colouring.value = state.colouring;
  showFailed(model, state);
  showCost(model, state, toll, noteOn(toll));
  showLooked(model, state);
  drawing.showFailures(toll.left.isDeadLink);
  const most = mostOf(load);
  drawing.showTints((node) => tintOf(model, node, most));
  const { tracks, ends, stops } = showRoutes(model, state, toll.left);
  drawing.showTracks(tracks, ends, stops);
  byId("legend").dataset.colouring = state.colouring;
  byId("balance").textContent = state.colouring === "load" ? balance(load) : "";
  markTable();
}

function counts(failures: Failure[]): Counts & { most_forwarded: number } {
  const { counts: found, left } = proof.try(failures);
  return { ...found, most_forwarded: mostOf(forwardingLoad(model.fabric, model.tables, left)) };
}

function mostOf(loads: Float64Array): number {
  return loads.reduce((a, b) => Math.max(a, b), 0);
}

function noteOn({ counts }: Toll): string {
  const { unanswered } = counts;
  const notes: string[] = [];
  if (unanswered > 0) {
    notes.push(`${unanswered.toLocaleString("en")} pairs arrive, but their answers do not.`);
  }
  if (state.failures.size === 0 && counts.replanned + counts.daemon + counts.cut_off > 0) {
    notes.push("These pairs do not reach each other while all is whole: see the findings.");
  }
  return notes.join(" ");
}

/** Returns the colour of a node, where the busiest relays `most` packets. */
function tintOf({ tables }: Model, node: number, most: number): Tint {
  const plain: Tint = { style: "", share: 0 };
  if (toll.left.isDeadDevice[node] || state.colouring === "none") return plain;
  if (state.colouring === "load") {
    return most > 0 ? { style: "is-loaded", share: load[node]! / most } : plain;
  }
  const pairs = 2 * (tables.owner.length - 1);
  const [lost, rerouted] = [toll.lostOf[node]!, toll.reroutedOf[node]!];
  if (lost + rerouted === 0) return plain;
  const count = lost > 0 ? lost : rerouted;
  return { style: lost > 0 ? "is-lost" : "is-rerouted", share: Math.sqrt(count / pairs) };
}

/** Returns how evenly the nodes share the relaying. */
function balance(loads: Float64Array): string {
  const alive = [...loads.keys()].filter((node) => !toll.left.isDeadDevice[node]);
  const mean = alive.reduce((sum, node) => sum + loads[node]!, 0) / alive.length;
  if (!(mean > 0)) return "No node relays anything.";
  const busiest = alive.reduce((best, node) => (loads[node]! > loads[best]! ? node : best));
  const most = loads[busiest]!;
  return (
    `While every node sends one packet to every other, a node relays ${mean.toFixed(1)} on ` +
    `average, the busiest, ${model.written.names[busiest]}, ${most.toFixed(0)}: ` +
    `${(most / mean).toFixed(2)} times the mean.`
  );
}

/** Returns a device in one line: what it is, and how its pairs fare. */
function describe(failure: Failure): string {
  const name = failureName(model, failure);
  if (state.has(failure)) return `${name}: failed`;
  if (failure.kind !== "node") return name;
  const [lost, rerouted] = [toll.lostOf[failure.id]!, toll.reroutedOf[failure.id]!];
  const parts = [
    ...(lost ? [`${lost} pairs lost`] : []),
    ...(rerouted ? [`${rerouted} rerouted`] : []),
    ...(state.colouring === "load" ? [`relays ${load[failure.id]!.toFixed(0)} packets`] : []),
  ];
  return parts.length > 0 ? `${name}: ${parts.join(", ")}` : name;
}
