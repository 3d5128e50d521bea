// The question of a comparison: designs or kinds of network, a workload with its settings, engine
// and seed. While it runs, the page says what is done; another question ends it.
import { byId, element } from "../check/dom";
import { type Progress } from "./answers";
import { showAnswer } from "./answer";
import { countOf, seedOf } from "./choice";
import { playRun } from "./playing";
import { type Catalogues } from "./schema";
import { type EventOf, ask, isClosed, listen } from "./server";
import { SettingsFields, type Workload, wordsOf } from "./settings";
import { take } from "./taking";

interface Known {
  catalogues: Catalogues;
  workloads: string[];
  engines: string[];
}

export class CompareView {
  private closing = new AbortController();
  private listing = Promise.resolve();
  private workload: Workload = { name: "broadcast", settings: {} };
  private readonly fields: SettingsFields;
  private isRunning = false;
  /** The step that the server works on, as it is shown. */
  private step = "";
  /** Whether the comparison that is running has the design of the editor. */
  private hasCurrent = false;

  constructor(
    known: Known,
    private readonly current: () => { name: string; text: string },
  ) {
    fillSelect("compare-catalogue", Object.keys(known.catalogues), "ethernet-2026");
    fillSelect("compare-workload", known.workloads, this.workload.name);
    fillSelect("compare-engine", known.engines, known.engines.at(-1));
    this.fields = new SettingsFields(byId("compare-settings"), () => this.name());
    const form = byId<HTMLFormElement>("compare-form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask();
    });
    form.addEventListener("input", () => this.cancel("cancelled: the question has changed"));
    byId("compare-stop").addEventListener("click", () => this.cancel("stopped"));
    byId("compare-play").addEventListener("click", () => void playRun(() => this.both()));
    const keep = byId<HTMLButtonElement>("compare-keep");
    keep.addEventListener("click", () => void this.keep(keep));
    form.addEventListener("change", () => this.offerPlay());
    byId("compare-workload").addEventListener("change", () => this.choose());
    byId("compare-more").addEventListener("toggle", () => this.showSettings());
    this.name();
  }

  /** Ends the comparison that is running, since its design is another one now. */
  designChanged(): void {
    if (this.hasCurrent) this.cancel("cancelled: the design has changed");
  }

  /** Lists the designs that can be compared. */
  list(): Promise<void> {
    this.listing = this.showDesigns();
    return this.listing.catch((trouble) => this.say(String(trouble), "failed"));
  }

  private async showDesigns(): Promise<void> {
    const { designs } = await ask("/api/files");
    const { name } = this.current();
    const others = designs.filter((one) => one !== name);
    const place = byId("compare-designs");
    const before = [...place.querySelectorAll<HTMLInputElement>("input")];
    const chosen = new Set(before.filter((box) => box.checked).map((box) => box.value));
    const box = (value: string, text: string, isChecked: boolean) => {
      const field = element("input", { type: "checkbox", value, checked: isChecked });
      return element("label", {}, field, ` ${text}`);
    };
    place.replaceChildren(
      box("", `${name || "new design"} (as it is here)`, chosen.has("") || before.length === 0),
      ...others.map((one) => box(one, one, chosen.has(one))),
    );
    this.offerPlay();
  }

  /** The designs that are chosen, by their names; empty for the one in the editor. */
  private get chosen(): string[] {
    const form = new FormData(byId<HTMLFormElement>("compare-form"));
    if (form.get("what") === "kinds") return [];
    const boxes = byId("compare-designs").querySelectorAll<HTMLInputElement>("input:checked");
    return [...boxes].map(({ value }) => value);
  }

  private designs(): Promise<{ name: string; text: string }[]> {
    const { chosen } = this;
    return Promise.all(
      chosen.map((name) => (name === "" ? this.current() : ask("/api/design", { name }))),
    );
  }

  private offerPlay(): void {
    for (const id of ["compare-play", "compare-keep"]) {
      byId<HTMLButtonElement>(id).disabled = this.chosen.length !== 2;
    }
  }

  /** Returns the request to play the two designs that are chosen beside each other. */
  private async both(): Promise<object> {
    const { workloads, seed, placement, ranks_per_node } = this.run();
    const [first, beside] = await this.designs();
    return { ...first, beside, workload: workloads[0], seed, placement, ranks_per_node };
  }

  private keep(pressed: HTMLButtonElement): Promise<void> {
    return take(pressed, async () => ({ ...(await this.both()), file: "run" }));
  }

  private choose(): void {
    this.workload = { name: valueOf("compare-workload"), settings: {} };
    this.name();
    this.showSettings();
  }

  /** Names the workload with its settings where these are opened. */
  private name(): void {
    byId("compare-summary").textContent = `Settings of ${wordsOf(this.workload)}`;
  }

  private showSettings(): void {
    const { open } = byId<HTMLDetailsElement>("compare-more");
    void this.fields.show(open ? this.workload : null);
  }

  private cancel(reason: string): void {
    if (!this.isRunning) return;
    this.closing.abort();
    this.say(reason, "cancelled");
  }

  private async ask(): Promise<void> {
    this.closing.abort();
    const closing = (this.closing = new AbortController());
    this.step = "";
    this.say("computing …", "computing");
    try {
      await this.listing;
      const fields = { ...(await this.question()), ...this.run(), tells_progress: true };
      const words = this.words(fields);
      await listen("/api/compare", fields, closing.signal, (...said) => this.take(said, words));
    } catch (trouble) {
      if (isClosed(trouble) || closing.signal.aborted) return;
      this.say(trouble instanceof Error ? trouble.message : String(trouble), "failed");
    }
  }

  /** Returns the question in words. */
  private words(fields: ReturnType<CompareView["run"]>): string {
    const { engine, seed, placement, ranks_per_node } = fields;
    const perNode = ranks_per_node > 1 ? `, ${ranks_per_node} ranks per node` : "";
    const places = placement === "row" ? perNode : `, placement ${placement}${perNode}`;
    return `${wordsOf(this.workload)}, ${engine} engine, seed ${seed}${places}.`;
  }

  private run() {
    return {
      workloads: [structuredClone(this.workload)],
      engine: valueOf("compare-engine"),
      seed: seedOf("compare-seed"),
      placement: valueOf("compare-placement").trim() || "row",
      ranks_per_node: countOf("compare-ranks-per-node"),
    };
  }

  private async question(): Promise<object> {
    const form = new FormData(byId<HTMLFormElement>("compare-form"));
    this.hasCurrent = false;
    if (form.get("what") === "kinds") {
      return { nodes: Number(valueOf("compare-nodes")), catalogue: valueOf("compare-catalogue") };
    }
    this.hasCurrent = this.chosen.includes("");
    return { designs: await this.designs() };
  }

  private take([event, data]: EventOf<"/api/compare">, question: string): void {
    if (event === "progress") return this.tell(data);
    if (event === "rows") {
      showAnswer(data, question);
      return this.say("ready", "ready");
    }
    if (event === "refused") {
      const reasons = data.map(({ message, hint }) => message + (hint ? `: ${hint}` : ""));
      this.say(reasons.join("; "), "failed");
    }
    if (event === "died") this.say(data.message, "failed");
    if (event === "waiting") this.tellAge(data.seconds);
  }

  private tell({ done, all, label }: Progress): void {
    this.step = `${done} of ${all}: ${label}`;
    this.say(this.step, "computing");
  }

  /** Says the age of a step that takes long. */
  private tellAge(seconds: number): void {
    this.say(`${this.step || "computing"}, for ${seconds} s …`, "computing");
  }

  private say(text: string, state: string): void {
    const place = byId("compare-state");
    place.textContent = text;
    place.dataset.state = state;
    this.isRunning = state === "computing";
    byId("compare-stop").hidden = !this.isRunning;
    byId("compare-answer").classList.toggle("stale", state !== "ready");
  }
}

function fillSelect(id: string, words: string[], chosen = words[0]): void {
  const field = byId<HTMLSelectElement>(id);
  field.append(...words.map((word) => element("option", { value: word }, word)));
  field.value = chosen ?? "";
}

function valueOf(id: string): string {
  return byId<HTMLInputElement>(id).value;
}
