// The networks that the reader wants to see: boxes for each and for families, a filter by name and
// cost, the Pareto front. Everything on the page that names one network in `data-network` is hidden
// with it; pointing at it brings the network out in all charts.
import { type Choice } from "../charts";
import { byId } from "../check/dom";

/** With more networks than this, the farthest pairs are left out of the charts at first. */
const MANY = 12;
/** With more networks shown than this, a chosen few stand out among the curves. */
const MOST_NAMED = 8;

export class Networks implements Choice {
  hasFarthest = true;
  price = 0;
  duration = 0;
  private readonly form = byId<HTMLFormElement>("choice");
  private readonly boxes = [...this.form.querySelectorAll<HTMLInputElement>(".network input")];
  private readonly families = [
    ...this.form.querySelectorAll<HTMLInputElement>("[data-family]"),
  ];
  private readonly name = byId<HTMLInputElement>("filter-name");
  private readonly most = byId<HTMLInputElement>("filter-cost");
  private shown = new Set<number>();

  /**
   * @param costs what a node of each network costs
   * @param changed is called when the reader has chosen
   * @param few returns the networks that stand out among many
   */
  constructor(
    private readonly costs: number[],
    private readonly changed: () => void,
    private readonly few: () => ReadonlySet<number>,
  ) {
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", (event) => this.choose(event.target as HTMLInputElement));
    byId("show-all").addEventListener("click", () => this.only(() => true));
    byId("show-none").addEventListener("click", () => this.only(() => false));
    byId<HTMLInputElement>("with-farthest").checked = this.boxes.length <= MANY;
    this.read();
  }

  has(network: number): boolean {
    return this.shown.has(network);
  }

  standsOut(network: number): boolean {
    return this.shown.size <= MOST_NAMED || this.few().has(network);
  }

  /** Shows just some networks, whatever the filters were. */
  only(isWanted: (network: number) => boolean): void {
    this.name.value = this.most.value = "";
    for (const box of this.boxes) box.checked = isWanted(Number(box.value));
    this.update();
  }

  private choose(field: HTMLInputElement): void {
    if (field.dataset.family !== undefined) {
      for (const box of this.membersOf(field)) box.checked = field.checked;
    }
    this.update();
  }

  private update(): void {
    this.read();
    this.changed();
  }

  private membersOf(family: HTMLInputElement): HTMLInputElement[] {
    const group = family.closest("fieldset")!;
    return this.boxes.filter((box) => group.contains(box));
  }

  /** Learns what is shown from the fields, and hides the rest of the page. */
  private read(): void {
    this.hasFarthest = byId<HTMLInputElement>("with-farthest").checked;
    for (const box of this.boxes) box.closest<HTMLElement>(".network")!.hidden = !this.fits(box);
    const shown = this.boxes.filter((box) => box.checked && this.fits(box));
    this.shown = new Set(shown.map(({ value }) => Number(value)));
    for (const family of this.families) {
      const members = this.membersOf(family);
      const n = members.filter(({ checked }) => checked).length;
      family.checked = n === members.length;
      family.indeterminate = n > 0 && n < members.length;
    }
    for (const part of document.querySelectorAll<HTMLElement>("main [data-network]")) {
      if (!this.form.contains(part)) part.hidden = !this.has(Number(part.dataset.network));
    }
    byId("n-shown").textContent = `${this.shown.size} of ${this.boxes.length}`;
  }

  private fits(box: HTMLInputElement): boolean {
    const words = box.parentElement!.textContent!.toLowerCase();
    const isNamed = words.includes(this.name.value.trim().toLowerCase());
    const cost = this.costs[Number(box.value)];
    return isNamed && !(this.most.value !== "" && cost !== undefined && cost > +this.most.value);
  }
}

/** Calls `show` with the network that the reader points at or has in focus, and with null after. */
export function onPoint(show: (network: number | null) => void): void {
  const networkOf = (event: Event) => {
    const part = (event.target as Element).closest?.<HTMLElement>("[data-network]");
    return part ? Number(part.dataset.network) : null;
  };
  let last: number | null = null;
  for (const name of ["pointerover", "focusin"]) {
    document.addEventListener(name, (event) => {
      const network = networkOf(event);
      if (network === last) return;
      last = network;
      show(network);
    });
  }
}
