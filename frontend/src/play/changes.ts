// The reader's changes: the seed, the size, and parts that are pulled at a time and put back. Each
// change plays the run again.
import { byId, button, element } from "../check/dom";
import { type Clock } from "./clock";
import { type Cluster, type Part, isSame, partName, partsOf } from "./cluster";
import { type Changes, type PulledPart } from "./recording";
import { momentText } from "./words";

/** The first program, with nothing changed. */
const AS_GIVEN = JSON.stringify({ program: 0 } satisfies Changes);

export class ChangePanel {
  chosen: Part | null = null;
  pulled: PulledPart[];
  private readonly seed = byId<HTMLInputElement>("seed");
  private readonly program = byId<HTMLSelectElement>("program");
  private readonly choice = byId<HTMLSelectElement>("part");
  private readonly parts: Part[];

  constructor(
    private readonly cluster: Cluster,
    private readonly clock: Clock,
    private readonly changed: () => void,
    private readonly marked: () => void,
  ) {
    const { written } = cluster;
    this.pulled = this.givenParts();
    this.parts = partsOf(cluster);
    this.seed.value = String(written.seed);
    this.fill();
    this.seed.addEventListener("change", () => this.anew());
    this.program.addEventListener("change", () => this.anew());
    this.choice.addEventListener("change", () =>
      this.choose(this.parts[Number(this.choice.value)] ?? null),
    );
    byId("another-seed").addEventListener("click", () => {
      this.seed.value = String(this.seedValue() + 1);
      this.anew();
    });
    byId("pull").addEventListener("click", () => this.pullOrPutBack());
    byId("as-before").addEventListener("click", () => this.reset());
    this.show();
  }

  /** Returns the differences from the run that the page was made for. */
  changes(): Changes {
    const { written } = this.cluster;
    const seed = this.seedValue();
    const arePulled = JSON.stringify(this.pulled) !== JSON.stringify(written.pulled ?? []);
    return {
      program: Number(this.program.value),
      ...(seed !== written.seed && { seed }),
      ...(arePulled && { faults: this.pulled.map((one) => ({ ...one })) }),
    };
  }

  private givenParts(): PulledPart[] {
    return (this.cluster.written.pulled ?? []).map((one) => ({ ...one }));
  }

  /** Fills in what can be chosen. */
  private fill(): void {
    const { written } = this.cluster;
    const option = (text: string, value: number) => element("option", { value }, text);
    this.program.replaceChildren(...written.programs.map(option));
    byId("program-choice").hidden = written.programs.length < 2;
    byId("seeds").hidden = !written.has_seeds;
    byId("no-seeds").hidden = written.has_seeds;
    byId("part-choice").hidden = written.pulled === null;
    this.choice.append(...this.parts.map((part, id) => option(partName(this.cluster, part), id)));
  }

  /** Chooses one of the parts that a shape stands for, each press another. */
  press(parts: Part[]): void {
    const { chosen } = this;
    const before = parts.findIndex((one) => chosen && isSame(one, chosen));
    this.choose(parts[(before + 1) % parts.length] ?? null);
  }

  /** Shows a part, with what can be done to it. */
  private choose(part: Part | null): void {
    this.chosen = part;
    const index = this.parts.findIndex((one) => part && isSame(one, part));
    this.choice.value = index < 0 ? "" : String(index);
    this.show();
    this.marked();
  }

  /** Shows the pulled parts and the buttons of the chosen one. */
  show(): void {
    const { chosen, clock } = this;
    const out = chosen && this.outage(chosen);
    const pull = byId<HTMLButtonElement>("pull");
    pull.disabled = !chosen;
    const now = clock.isPlaying ? "now" : `at ${momentText(clock.time, clock.end)}`;
    pull.textContent = out ? `Put it back ${now}` : `Pull it ${now}`;
    byId<HTMLButtonElement>("as-before").disabled = JSON.stringify(this.changes()) === AS_GIVEN;
    byId("pulled").replaceChildren(...this.pulled.map((one) => this.row(one)));
  }

  private row(one: PulledPart): HTMLElement {
    const name = partName(this.cluster, one);
    const { end } = this.clock;
    const back = one.until === undefined ? "" : `, back at ${momentText(one.until, end)}`;
    const text = `${name}: out at ${momentText(one.time, end)}${back}`;
    const remove = () => {
      this.pulled.splice(this.pulled.indexOf(one), 1);
      this.anew();
    };
    return element("li", {}, text, button("×", remove, `Take back: ${text}`));
  }

  private outage(part: Part): PulledPart | undefined {
    const { time } = this.clock;
    return this.pulled.find(
      (one) => isSame(one, part) && one.time < time && one.until === undefined,
    );
  }

  /** Pulls the chosen part at the time of the clock, or puts it back. */
  private pullOrPutBack(): void {
    const { chosen, clock } = this;
    const out = chosen && this.outage(chosen);
    if (out) out.until = clock.time;
    else if (chosen) this.pulled.push({ ...chosen, time: clock.time });
    this.anew();
  }

  private reset(): void {
    this.seed.value = String(this.cluster.written.seed);
    this.program.value = "0";
    this.pulled = this.givenParts();
    this.anew();
  }

  private seedValue(): number {
    const value = Math.floor(Number(this.seed.value));
    return Number.isSafeInteger(value) && value >= 0 ? value : this.cluster.written.seed;
  }

  private anew(): void {
    this.seed.value = String(this.seedValue());
    this.show();
    this.changed();
  }
}
