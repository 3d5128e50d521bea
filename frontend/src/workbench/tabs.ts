// The views of the page as tabs: arrow keys go from one to the next.
import { byId } from "../check/dom";

export class Tabs {
  constructor(
    private readonly names: string[],
    private readonly opened: (name: string) => void,
  ) {
    for (const [at, name] of names.entries()) {
      const tab = byId(`tab-${name}`);
      tab.addEventListener("click", () => this.choose(name));
      tab.addEventListener("keydown", (event) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (step === 0) return;
        const next = names[(at + step + names.length) % names.length]!;
        this.choose(next);
        byId(`tab-${next}`).focus();
      });
    }
  }

  /** The name of the view that is shown. */
  get chosen(): string {
    return this.names.find((name) => !byId(`view-${name}`).hidden) ?? this.names[0]!;
  }

  choose(name: string): void {
    for (const one of this.names) {
      const isChosen = one === name;
      byId(`tab-${one}`).setAttribute("aria-selected", String(isChosen));
      byId(`tab-${one}`).tabIndex = isChosen ? 0 : -1;
      byId(`view-${one}`).hidden = !isChosen;
    }
    this.opened(name);
  }
}
