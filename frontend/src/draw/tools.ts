// The buttons and lists above a drawing that is edited: a palette of the catalogue's parts with the
// ports that they have room for, and steps on what is chosen.
import { byId, element } from "../check/dom";
import { type Board } from "./board";
import { type Editing, type Joining, type Palette } from "./editing";
import { type Kind } from "./graph";
import { type Arrangement } from "./layout";
import { firstNics } from "./plugging";

export class Tools {
  private offered = "";

  constructor(
    private readonly editing: Editing,
    board: Board,
  ) {
    const press = (id: string, step: () => void) =>
      byId(`draw-${id}`).addEventListener("click", step);
    press("begin", () => editing.begin());
    press("by-hand", () => void editing.drawByHand());
    for (const kind of ["node", "switch", "hub"] as const) {
      press(`add-${kind}`, () => void editing.add(kind));
    }
    press("add-cable", () => void editing.cable());
    press("copy", () => editing.copy());
    press("paste", () => editing.paste());
    press("duplicate", () => editing.duplicate());
    press("delete", () => editing.remove());
    press("undo", () => editing.undo());
    press("redo", () => editing.redo());
    press("all", () => editing.chooseOnly(editing.graph?.devices.keys() ?? []));
    press("zoom-in", () => board.zoom(1));
    press("zoom-out", () => board.zoom(-1));
    press("zoom-fit", () => board.fit());
    listen("draw-join", (how) => editing.join(how as Joining));
    listen("draw-arrange", (how) => editing.arrange(how as Arrangement));
    for (const kind of ["node", "switch", "hub", "cable"] as const) {
      const list = byId<HTMLSelectElement>(`draw-part-of-${kind}`);
      list.addEventListener("change", () => {
        editing.palette[kind] = list.value || null;
      });
    }
    editing.onChange(() => this.show());
  }

  private show(): void {
    const { graph, chosen, chosenCables, cabling, hint } = this.editing;
    byId("draw-hint").textContent = hint;
    byId("draw-by-hand").hidden = graph !== null;
    byId("draw-rule").hidden = graph !== null;
    byId("draw-add-cable").setAttribute("aria-pressed", String(cabling !== null));
    const nothing = chosen.size + chosenCables.size === 0;
    byId<HTMLButtonElement>("draw-delete").disabled = nothing;
    for (const id of ["copy", "duplicate"]) {
      byId<HTMLButtonElement>(`draw-${id}`).disabled = chosen.size === 0;
    }
    byId<HTMLSelectElement>("draw-join").disabled = chosen.size < 2;
    this.offer();
  }

  /** Lists the parts of the catalogue, with the ports that each has room for. */
  private offer(): void {
    const { parts, palette } = this.editing;
    const now = JSON.stringify([parts.catalogue.title, parts.usual]);
    if (now === this.offered) return;
    this.offered = now;
    for (const kind of ["node", "switch", "hub", "cable"] as (keyof Palette)[]) {
      const list = byId<HTMLSelectElement>(`draw-part-of-${kind}`);
      const keys = (parts.catalogue.parts[kind] ?? []).map(([key]) => key);
      if (!keys.includes(palette[kind] ?? "")) palette[kind] = null;
      const usual = parts.usual[kind];
      list.replaceChildren(
        ...(usual || kind !== "hub"
          ? [element("option", { value: "" }, `usual${usual ? `: ${this.told(kind, usual)}` : ""}`)]
          : []),
        ...keys.map((key) => element("option", { value: key }, this.told(kind, key))),
      );
      list.value = palette[kind] ?? "";
      const isOffered = keys.length > 0;
      list.disabled = !isOffered;
      const add = document.getElementById(`draw-add-${kind}`) as HTMLButtonElement | null;
      if (add && kind !== "cable") add.disabled = !isOffered;
    }
  }

  private told(kind: Kind | "cable", key: string): string {
    const facts = this.editing.parts.catalogue.facts[key];
    if (facts?.ports !== undefined) return `${key}, ${facts.ports} ports`;
    if (!facts?.room) return key;
    const { nic } = firstNics(key, this.editing.parts);
    const name = nic ?? this.editing.parts.usual.nic ?? "";
    const most = facts.room[name];
    return most ? `${key}, room for ${most} × ${name}` : key;
  }
}

/** Takes a step from a list whose first entry is its name. */
function listen(id: string, step: (value: string) => void): void {
  const list = byId<HTMLSelectElement>(id);
  list.addEventListener("change", () => {
    const { value } = list;
    list.value = "";
    if (value) step(value);
  });
}
