// Studies: many runs from a form, whose text can be changed by hand. While a study runs, the page
// says what is done; one that is stopped goes on with the next press.
import { byId, element } from "../check/dom";
import { type Progress, type Studied } from "./answers";
import { seedOf } from "./choice";
import { designOf } from "./editor";
import { type EventOf, ask, isClosed, listen } from "./server";
import { describe } from "./settings";
import { SETTING, studyText } from "./studyfile";
import { wordsOf } from "./taking";

/** Keys of designs that studies vary most. */
const KEYS = [
  ...["topology.shape", "topology.nodes", "topology.dimension", "topology.kind"],
  ...["parts.catalogue", "parts.node", "parts.nic", "parts.switch", "parts.hub", "parts.cable"],
  ...["routing.scheme", "routing.fallback"],
];
/** The engine that computes the load at which a network is full, for traffic patterns. */
const SATURATION = "saturation";
const AXES = [1, 2];

interface Known {
  workloads: string[];
  engines: string[];
  faults: string;
  plan_figures: string[];
}

export class StudyView {
  private closing = new AbortController();
  private isRunning = false;

  constructor(
    known: Known,
    private readonly current: () => { name: string; text: string; isSaved: boolean },
    private readonly open: (name: string) => void,
  ) {
    fill("study-workload", known.workloads, "broadcast");
    byId("study-faults").title = known.faults;
    const engines = [...known.engines, SATURATION];
    byId("study-engines").append(...engines.map((one) => box(one, one === "packet")));
    const figures = known.plan_figures.map((one) => box(one, false, one.replaceAll("_", " ")));
    byId("study-plan").append(...figures);
    const form = byId<HTMLFormElement>("study-form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.run();
    });
    form.addEventListener("input", (event) => {
      if ((event.target as Element).id !== "study-text") this.write();
    });
    byId("study-workload").addEventListener("change", () => void this.offer());
    byId("study-stop").addEventListener("click", () => this.stop());
  }

  /** Lists the designs, and writes the study. */
  async list(): Promise<void> {
    const { designs } = await ask("/api/files");
    const { name, isSaved } = this.current();
    const others = designs.filter((one) => one !== name);
    const place = byId("study-designs");
    const before = new Set(checked(place));
    const isAsked = before.size === 0 || before.has("") || before.has(name);
    const own = box(isSaved ? name : "", isAsked, `${name || "new design"} (as it is here)`);
    place.replaceChildren(own, ...others.map((one) => box(one, before.has(one))));
    await this.offer();
  }

  /** Offers the keys of designs and the settings of the workload as axes. */
  private async offer(): Promise<void> {
    const settings = await describe(valueOf("study-workload"));
    const words = [...KEYS, ...settings.map(({ name }) => SETTING + name)];
    for (const number of AXES) {
      const before = valueOf(`study-axis-${number}`);
      fill(`study-axis-${number}`, ["", ...words], words.includes(before) ? before : "");
    }
    this.write();
  }

  private write(): void {
    const { text } = this.current();
    const written = checked(byId("study-designs"));
    byId<HTMLTextAreaElement>("study-text").value = studyText({
      name: valueOf("study-name").trim(),
      designs: written.map((name) => name || (designOf(text) ?? {})),
      workload: valueOf("study-workload"),
      axes: AXES.map((number) => ({
        of: valueOf(`study-axis-${number}`),
        values: valueOf(`study-values-${number}`),
      })),
      engines: checked(byId("study-engines")),
      plan: checked(byId("study-plan")),
      seeds: seedOf("study-seeds"),
      placement: valueOf("study-placement").trim() || "row",
      faults: valueOf("study-faults"),
    });
  }

  private async run(): Promise<void> {
    this.closing.abort();
    const closing = (this.closing = new AbortController());
    const [name, text] = [valueOf("study-name").trim(), valueOf("study-text")];
    this.say("trying runs …", "computing");
    try {
      const fields = { name, text, tells_progress: true };
      await listen("/api/study", fields, closing.signal, (...said) => this.take(said));
    } catch (trouble) {
      if (!isClosed(trouble) && !closing.signal.aborted) this.say(wordsOf(trouble), "failed");
    }
  }

  private take([event, data]: EventOf<"/api/study">): void {
    if (event === "progress") this.tell(data);
    if (event === "studied") this.finish(data);
    if (event === "refused") this.say(data.map(sentence).join(" "), "failed");
    if (event === "died") this.say(data.message, "failed");
  }

  private tell({ done, all, label }: Progress): void {
    this.say(all > 0 ? `${done} of ${all} runs: ${label}` : label, "computing");
  }

  private finish({ name, n_runs, n_failed, reasons, remarks }: Studied): void {
    this.say(`${n_runs} runs, ${n_failed} failed, in ${name}`, n_failed > 0 ? "failed" : "ready");
    const lines = [...reasons, ...remarks].map((one) => element("li", {}, one));
    byId("study-remarks").replaceChildren(...lines);
    if (n_failed < n_runs) this.open(name);
  }

  private stop(): void {
    if (!this.isRunning) return;
    this.closing.abort();
    this.say("stopped: Run study makes the runs that are left", "cancelled");
  }

  private say(text: string, state: string): void {
    const place = byId("study-state");
    place.textContent = text;
    place.dataset.state = state;
    this.isRunning = state === "computing";
    byId("study-stop").hidden = !this.isRunning;
    if (this.isRunning) byId("study-remarks").replaceChildren();
  }
}

function sentence({ message, hint }: { message: string; hint: string }): string {
  return hint ? `${message}: ${hint}.` : `${message}.`;
}

function box(value: string, isChecked: boolean, words = value): HTMLElement {
  const field = element("input", { type: "checkbox", value, checked: isChecked });
  return element("label", {}, field, ` ${words}`);
}

function checked(place: HTMLElement): string[] {
  const boxes = place.querySelectorAll<HTMLInputElement>("input:checked");
  return [...boxes].map(({ value }) => value);
}

function fill(id: string, words: string[], chosen: string): void {
  const options = words.map((word) => element("option", { value: word }, word || "nothing"));
  const field = byId<HTMLSelectElement>(id);
  field.replaceChildren(...options);
  field.value = chosen;
}

function valueOf(id: string): string {
  return byId<HTMLInputElement>(id).value;
}
