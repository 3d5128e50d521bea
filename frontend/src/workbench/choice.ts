// The reader's choice of what is predicted: workloads with their settings, engines, the seed, and
// the nodes of the ranks. It is kept by the page alone: a design says nothing about its use.
import { byId, button, element } from "../check/dom";
import { SettingsFields, type Workload, wordsOf } from "./settings";

const FIRST = ["ping-pong", "broadcast", "all-reduce"];

/** The whole choice, as links hold it. */
export interface Chosen {
  workloads: Workload[];
  engines: string[];
  seed: number;
  placement: string;
  ranks_per_node: number;
}

export class Choice {
  readonly workloads: Workload[] = FIRST.map((name) => ({ name, settings: {} }));
  private readonly asked: Set<string>;
  private readonly fields: SettingsFields;
  /** The workload whose settings are shown. */
  private opened: Workload | null = null;

  constructor(
    names: string[],
    private readonly known: string[],
    private readonly changed: () => void,
    private readonly play: (workload: Workload) => void,
    linked: Chosen | null = null,
  ) {
    this.asked = new Set(known);
    if (linked) this.adopt(linked);
    this.fields = new SettingsFields(byId("workload-settings"), () => this.update());
    const add = byId<HTMLSelectElement>("add-workload");
    add.append(...names.map((name) => element("option", { value: name }, name)));
    add.addEventListener("change", () => this.add(add));
    for (const id of ["seed", "placement", "ranks-per-node"]) {
      byId(id).addEventListener("change", this.changed);
    }
    byId("engines").append(...known.map((name) => this.engine(name)));
    this.show();
  }

  get engines(): string[] {
    return this.known.filter((name) => this.asked.has(name));
  }

  /** Returns the fields of a request that say how workloads run; the server judges them. */
  get run(): { seed: number; placement: string; ranks_per_node: number } {
    const placement = byId<HTMLInputElement>("placement").value.trim() || "row";
    return { seed: seedOf("seed"), placement, ranks_per_node: countOf("ranks-per-node") };
  }

  /** Returns all of the choice, for a link. */
  get all(): Chosen {
    return { workloads: this.workloads, engines: this.engines, ...this.run };
  }

  /** Takes the choice of a link, as far as it is one. */
  private adopt({ workloads, engines, seed, placement, ranks_per_node }: Chosen): void {
    this.workloads.splice(0, Infinity, ...workloads);
    this.asked.clear();
    for (const name of engines) this.asked.add(name);
    byId<HTMLInputElement>("seed").value = String(seed);
    byId<HTMLInputElement>("placement").value = placement;
    byId<HTMLInputElement>("ranks-per-node").value = String(ranks_per_node);
  }

  private add(list: HTMLSelectElement): void {
    if (list.value && !this.workloads.some(({ name }) => name === list.value)) {
      this.workloads.push({ name: list.value, settings: {} });
    }
    list.value = "";
    this.update();
  }

  private drop(workload: Workload): void {
    this.workloads.splice(this.workloads.indexOf(workload), 1);
    if (this.opened === workload) this.opened = null;
    this.update();
  }

  private toggle(workload: Workload): void {
    this.opened = this.opened === workload ? null : workload;
    this.show();
  }

  private update(): void {
    this.show();
    this.changed();
  }

  private engine(name: string): HTMLElement {
    const box = element("input", { type: "checkbox", checked: this.asked.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) this.asked.add(name);
      else this.asked.delete(name);
      this.changed();
    });
    return element("label", {}, box, ` ${name}`);
  }

  private show(): void {
    const focused = document.activeElement?.getAttribute("aria-label");
    byId("workloads").replaceChildren(...this.workloads.map((one) => this.chip(one)));
    const again = [...byId("workloads").querySelectorAll("button")];
    again.find((one) => one.getAttribute("aria-label") === focused)?.focus();
    void this.fields.show(this.opened);
  }

  private chip(workload: Workload): HTMLElement {
    const { name } = workload;
    const words = wordsOf(workload);
    const open = button(words, () => this.toggle(workload), `Settings of ${words}`, "name");
    open.title = `Settings of ${name}`;
    open.setAttribute("aria-expanded", String(this.opened === workload));
    open.setAttribute("aria-controls", "workload-settings");
    const play = button("▶", () => this.play(workload), `Play ${name}`);
    const drop = button("×", () => this.drop(workload), `Remove ${name}`);
    return element("li", {}, open, play, drop);
  }
}

/** Returns the count in a field; 1 if it holds none. */
export function countOf(id: string): number {
  const count = Number(byId<HTMLInputElement>(id).value);
  return Number.isInteger(count) && count > 0 ? count : 1;
}

/** Returns the seed in a field; 1 if it holds none. */
export function seedOf(id: string): number {
  const { value } = byId<HTMLInputElement>(id);
  const seed = Number(value);
  return value !== "" && Number.isInteger(seed) && seed >= 0 ? seed : 1;
}
