// The fields of a chosen device or cable: name and part, ports by their names, the other ends of
// their cables. Offered are parts that fit.
import { button, counted, element } from "../check/dom";
import * as edits from "./edits";
import { type Editing } from "./editing";
import { type Cable, type Device, type End, cablesAt, endText, freeNics } from "./graph";
import { nicsWithRoom } from "./plugging";

export class Inspector {
  private shown = "";

  constructor(
    private readonly place: HTMLElement,
    private readonly editing: Editing,
  ) {
    editing.onChange(() => this.show());
  }

  private show(): void {
    const { graph, chosen, chosenCables, design } = this.editing;
    const now = JSON.stringify([[...chosen], [...chosenCables], design]);
    if (now === this.shown) return;
    this.shown = now;
    const focused = document.activeElement?.id ?? "";
    const device = chosen.size === 1 ? graph?.devices.get([...chosen][0]!) : undefined;
    const cable = graph?.cables.find(({ index }) => chosenCables.has(index));
    const isCable = chosenCables.size === 1 && chosen.size === 0 && cable;
    this.place.replaceChildren(
      ...(device ? this.device(device) : isCable ? this.cable(cable) : this.several()),
    );
    if (focused.startsWith("draw-")) document.getElementById(focused)?.focus();
  }

  private several(): (HTMLElement | string)[] {
    const { graph, chosen, chosenCables } = this.editing;
    if (!graph) return [];
    if (chosen.size + chosenCables.size > 0) {
      return [`${counted(chosen.size, "device")}, ${counted(chosenCables.size, "cable")} chosen.`];
    }
    const bare = [...graph.devices.keys()].filter((name) => cablesAt(graph, name).length === 0);
    const { devices, cables } = graph;
    const has = `${counted(devices.size, "device")}, ${counted(cables.length, "cable")}.`;
    if (bare.length === 0) return [has];
    const more = bare.length > 8 ? " …" : "";
    return [`${has} Without a cable: ${bare.slice(0, 8).join(", ")}${more}.`];
  }

  private device(device: Device): HTMLElement[] {
    const { editing } = this;
    const name = textField("draw-name", device.name, (text) => editing.rename(device.name, text));
    const set = (key: string | null) => editing.apply(edits.setPart(device, key));
    const part = this.parts("draw-part", device.kind, device.part, set);
    const head = element("div", { class: "fields" }, row("name", name), row("part", part));
    return [head, ...(device.kind === "node" ? this.nics(device) : this.ports(device))];
  }

  private nics(device: Device): HTMLElement[] {
    const { editing } = this;
    const graph = editing.graph!;
    const room = nicsWithRoom(device, editing.parts);
    const rows = [...device.nics].map(([nic, part], at) => {
      const field = textField(`draw-nic-${at}`, nic, (text) =>
        editing.renamePort(device.name, nic, text),
      );
      field.setAttribute("aria-label", `Name of NIC ${nic}`);
      const path = ["topology", "nodes", device.name, "nics", nic];
      const offered = [...new Set([part, null, ...room])];
      const choose = this.choice(`draw-nic-part-${at}`, "nic", part, offered, (key) =>
        editing.apply([{ path, value: key }]),
      );
      choose.setAttribute("aria-label", `Part of NIC ${nic}`);
      const drop = button("×", () => editing.apply(edits.removeNic(graph, device.name, nic)));
      drop.setAttribute("aria-label", `Remove NIC ${nic}`);
      drop.disabled = device.nics.size < 2;
      return element("li", {}, field, choose, element("span", {}, this.farEnd(device, nic)), drop);
    });
    const more = button(
      room.length > 0 ? "Add NIC" : "No room for a further NIC",
      () => editing.apply(edits.addNic(graph, device.name, room[0] ?? null).changes),
    );
    more.id = "draw-add-nic";
    more.disabled = room.length === 0;
    return [element("ul", { class: "ports" }, ...rows), more];
  }

  private ports(device: Device): HTMLElement[] {
    const { editing } = this;
    const own = cablesAt(editing.graph!, device.name);
    const rows = own.map((cable, at) => {
      const isFirst = cable.a.device === device.name;
      const [near, far] = isFirst ? [cable.a, cable.b] : [cable.b, cable.a];
      const take = (text: string) => this.namePort(cable, isFirst, text);
      const field = textField(`draw-port-${at}`, near.port, take);
      field.placeholder = "next free";
      field.setAttribute("aria-label", `Port of the cable to ${endText(far)}`);
      return element("li", {}, field, element("span", {}, `– ${endText(far)}`));
    });
    const key = device.part ?? editing.parts.usual[device.kind] ?? "";
    const all = editing.parts.catalogue.facts[key]?.ports;
    const left = all === undefined ? "" : `${own.length} of ${all} ports have a cable.`;
    return [element("p", { class: "note" }, left), element("ul", { class: "ports" }, ...rows)];
  }

  private namePort(cable: Cable, isFirst: boolean, text: string): string {
    const { editing } = this;
    const end = isFirst ? cable.a : cable.b;
    if (text === end.port) return "";
    const device = editing.graph!.devices.get(end.device)!;
    const wrong = text ? edits.wrongPort(editing.graph!, device, end.port, text) : "";
    if (!wrong) editing.apply([endChange(cable, isFirst, { ...end, port: text })]);
    return wrong;
  }

  private farEnd(device: Device, nic: string): string {
    const cable = cablesAt(this.editing.graph!, device.name).find(({ a, b }) =>
      [a, b].some((end) => end.device === device.name && end.port === nic),
    );
    if (!cable) return "no cable";
    const isFirst = cable.a.device === device.name && cable.a.port === nic;
    return `– ${endText(isFirst ? cable.b : cable.a)}`;
  }

  private cable(cable: Cable): HTMLElement[] {
    const set = (part: string | null) => this.editing.apply(edits.setCablePart(cable, part));
    return [
      element(
        "div",
        { class: "fields" },
        row("from", this.cableEnd(cable, true)),
        row("to", this.cableEnd(cable, false)),
        row("part", this.parts("draw-cable-part", "cable", cable.part, set)),
      ),
    ];
  }

  private cableEnd(cable: Cable, isFirst: boolean): HTMLElement {
    const graph = this.editing.graph!;
    const end = isFirst ? cable.a : cable.b;
    const id = `draw-end-${isFirst ? "a" : "b"}`;
    if (graph.devices.get(end.device)?.kind !== "node") {
      const field = textField(id, end.port, (text) => this.namePort(cable, isFirst, text));
      field.placeholder = "next free";
      return element("span", {}, `${end.device}:`, field);
    }
    const free = freeNics(graph, end.device);
    const options = [end.port, ...free].map((port) =>
      element("option", { value: port }, `${end.device}:${port}`),
    );
    const field = element("select", { id }, ...options);
    field.addEventListener("change", () =>
      this.editing.apply([endChange(cable, isFirst, { ...end, port: field.value })]),
    );
    return field;
  }

  private parts(
    id: string,
    role: string,
    now: string | null,
    set: (key: string | null) => void,
  ): HTMLSelectElement {
    const keys = (this.editing.parts.catalogue.parts[role] ?? []).map(([key]) => key);
    return this.choice(id, role, now, [null, ...keys], set);
  }

  private choice(
    id: string,
    role: string,
    now: string | null,
    offered: (string | null)[],
    set: (key: string | null) => void,
  ): HTMLSelectElement {
    const usual = this.editing.parts.usual[role];
    const all = [...new Set([...offered, now])];
    const options = all.map((key) =>
      element("option", { value: key ?? "" }, key ?? `usual${usual ? ` (${usual})` : ""}`),
    );
    const field = element("select", { id }, ...options);
    field.value = now ?? "";
    field.addEventListener("change", () => set(field.value || null));
    return field;
  }
}

/** Puts the cursor into the name of the device that is chosen. */
export function askName(): void {
  (document.getElementById("draw-name") as HTMLInputElement | null)?.select();
}

function endChange(cable: Cable, isFirst: boolean, end: End) {
  return { path: ["topology", "cables", cable.index, isFirst ? 0 : 1], value: endText(end) };
}

/** Returns a field whose text is taken when it is left; a wrong one says why. */
function textField(id: string, text: string, take: (text: string) => string): HTMLInputElement {
  const field = element("input", { id, type: "text", value: text, spellcheck: "false" });
  field.addEventListener("change", () => {
    field.setCustomValidity(take(field.value.trim()));
    field.reportValidity();
  });
  field.addEventListener("input", () => field.setCustomValidity(""));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") field.value = text;
    if (event.key === "Enter" || event.key === "Escape") field.blur();
  });
  return field;
}

function row(text: string, field: HTMLElement): HTMLElement {
  const target = field.id || field.querySelector("input")?.id || "";
  return element("div", { class: "row" }, element("label", { for: target }, text), field);
}
