// Entry of the script of a check's page: the network in the page, and the bench where the reader
// fails its parts. failures/ calls the compiled proof; check/ has the drawing and the words.
import { Bench } from "./check/bench";
import { byId } from "./check/dom";
import { type Written, modelOf } from "./check/model";
import { State } from "./check/state";
import { type Counts, type Failure } from "./failures/core";
import { wirePlayed } from "./play/door";
import { wireTheme } from "./theme";

declare global {
  interface Window {
    /** For scripts that read the page, once it is ready: the cost of failing some parts. */
    linkwright: { ready: Promise<void>; counts?: (failures: Failure[]) => Counts };
  }
}

async function start(): Promise<void> {
  wireTheme();
  const model = await modelOf(JSON.parse(byId("page-data").textContent ?? "") as Written);
  document.documentElement.classList.add("has-script");
  wirePlayed();
  const state = new State();
  const bench = new Bench(model, state, location.hash);
  state.onChange(() => history.replaceState(null, "", `#${bench.said}`));
  window.linkwright.counts = (failures) => model.trial.fail(failures).counts;
}

const ready = start();
window.linkwright = { ready };
ready.catch((trouble: unknown) => {
  byId("readout").textContent = `Failing parts needs a browser that runs WebAssembly (${trouble}).`;
});
