// The form of a design: every field of the file. It is made again from the text after each change,
// and each field is a change of one value of the text: the form has no state of its own. Choices
// that no network can be built from are not offered (offers.ts).
import { button, element } from "../check/dom";
import { type Change, type Path, type Value } from "./patch";
import { type Offers } from "./offers";
import { type DesignSchema, type Schema } from "./schema";
import { asKind } from "./sizes";

type Make = (changes: Change[]) => void;

/** The parts that a form offers; others are for the text. */
const ROLES = ["node", "nic", "switch", "hub", "cable", "root_switch"];
/** Nodes whose machines have a field each; those of more are for the text. */
const MOST_MACHINES = 64;

export class Form {
  private shown = "";
  /** Names of the nodes in the plan, as the last drawing has them. */
  private nodes: string[] = [];

  constructor(
    private readonly place: HTMLFormElement,
    private readonly schema: DesignSchema,
    private readonly make: Make,
    private readonly byHand: () => void,
    private readonly offers: Offers,
  ) {
    place.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows a design; null while its text cannot be read. */
  show(design: unknown): void {
    const isDesign = typeof design === "object" && design !== null && !Array.isArray(design);
    this.place.toggleAttribute("inert", !isDesign);
    this.place.classList.toggle("stale", !isDesign);
    const now = JSON.stringify(design);
    if (!isDesign || now === this.shown) return;
    this.shown = now;
    const focused = document.activeElement?.id ?? "";
    const sections = () => [...this.place.querySelectorAll("details")];
    const open = sections().map((one) => one.open);
    this.offers.clear();
    this.place.replaceChildren(...this.fields(design as Record<string, unknown>));
    sections().forEach((one, at) => (one.open = open[at] ?? false));
    if (focused.startsWith("field-")) document.getElementById(focused)?.focus();
  }

  private fields(design: Record<string, unknown>): HTMLElement[] {
    const topology = mapOf(design.topology);
    const kind = String(topology.kind ?? "");
    const known = this.schema.topology(kind);
    const sizes = Object.entries(known?.properties ?? {})
      .filter(([name]) => name !== "kind")
      .flatMap(([name, one]) => this.field(["topology", name], one, topology[name], known!));
    return [
      this.word(["name"], "name", design.name, "as kind and size"),
      this.kind(design),
      ...sizes,
      this.catalogue(design),
      section("Parts, addresses, routes", [
        ...ROLES.map((role) => this.part(role, design)),
        ...this.addresses(design),
        ...this.routes(design),
        this.check(["front_end"], "front end", design.front_end === true),
        this.choice(["names"], "names of nodes", design),
        this.amount(["mtu"], "MTU", design.mtu, "1500"),
      ]),
      section("Names of the machines", this.machines(design)),
    ];
  }

  /** Takes the names of the nodes, which a plan gives. */
  showNodes(names: string[], design: unknown): void {
    if (names.join() === this.nodes.join()) return;
    this.nodes = names;
    this.shown = "";
    this.show(design);
  }

  private addresses(design: Record<string, unknown>): HTMLElement[] {
    const { ipv4, ipv6, grow_to } = mapOf(design.addressing);
    return [
      this.choice(["addressing", "scheme"], "addressing", design),
      this.word(["addressing", "ipv4"], "IPv4 from", ipv4, "10.0.0.0/8"),
      this.word(["addressing", "ipv6"], "IPv6 from", ipv6, "none"),
      this.choice(["addressing", "identities"], "identities", design),
      this.amount(["addressing", "grow_to"], "grows to", grow_to, "as it is"),
    ];
  }

  private routes(design: Record<string, unknown>): HTMLElement[] {
    const { table } = mapOf(design.routing);
    return [
      this.choice(["routing", "scheme"], "routing", design),
      ...(table === undefined ? [] : [this.word(["routing", "table"], "table", table, "")]),
      this.choice(["routing", "ties"], "ties", design),
      this.fallback(design),
      this.choice(["routing", "daemon"], "routing daemon", design),
    ];
  }

  private machines(design: Record<string, unknown>): HTMLElement[] {
    const { nodes } = this;
    if (nodes.length === 0 || nodes.length > MOST_MACHINES) {
      return [element("p", { class: "note" }, `Up to ${MOST_MACHINES} nodes have fields here.`)];
    }
    return nodes.map((node) => {
      const own = mapOf(mapOf(design.nodes)[node]);
      return this.word(["nodes", node, "name"], node, own.name, node);
    });
  }

  /** Returns a field of a word; an empty one leaves the key out. */
  private word(path: Path, text: string, value: unknown, usual: string): HTMLElement {
    const id = `field-${path.join("-")}`;
    const field = element("input", { id, type: "text", placeholder: usual, spellcheck: "false" });
    field.value = value === undefined || value === null ? "" : String(value);
    field.addEventListener("change", () => {
      const typed = field.value.trim();
      const isTruth = typed === "true" || typed === "false";
      const isOffered = isTruth && path.at(-1) !== "name";
      this.make([{ path, value: isOffered ? typed === "true" : typed || undefined }]);
    });
    return row(id, text, field);
  }

  private amount(path: Path, text: string, value: unknown, usual: string): HTMLElement {
    const field = numberField(path, value);
    field.placeholder = usual;
    field.addEventListener("change", () => {
      this.make([{ path, value: field.value === "" ? undefined : Number(field.value) }]);
    });
    return row(field.id, text, field);
  }

  /** Returns a list whose entries make changes; each that can be built is offered. */
  private list(
    name: string,
    text: string,
    words: string[],
    value: string,
    nothing: string,
    changesOf: (value: string) => Change[],
  ): HTMLElement {
    const choose = (chosen: string) => this.make(changesOf(chosen));
    const made = select(name, text, words, value, nothing, choose);
    for (const option of made.querySelectorAll("option")) {
      if (option.value === value) continue;
      const changes = changesOf(option.value);
      this.offers.add({ name: `${name} ${option.value}`, changes }, option);
    }
    return made;
  }

  private kind(design: Record<string, unknown>): HTMLElement {
    const topology = mapOf(design.topology);
    const kind = String(topology.kind ?? "");
    const kinds = this.schema.kinds.filter((one) => one !== "custom");
    // Places and machines are those of nodes by name, and another kind has other names.
    const dropped = ["places", "nodes"].filter((key) => key in design);
    const made = this.list("kind", "kind", kinds, kind, "", (value) => [
      ...asKind(this.schema, topology, value),
      ...dropped.map((key): Change => ({ path: [key], value: undefined })),
    ]);
    const field = made.querySelector("select")!;
    if (kind === "custom") return made;
    // A graph of one's own begins with the cables of this one.
    const own = element("option", { value: "custom" }, "custom (draw by hand)");
    field.append(own);
    field.addEventListener(
      "change",
      (event) => {
        if (field.value !== "custom") return;
        event.stopImmediatePropagation();
        this.byHand();
      },
      { capture: true },
    );
    return made;
  }

  private catalogue(design: unknown): HTMLElement {
    const names = Object.keys(this.schema.catalogues);
    const path = ["parts", "catalogue"];
    const parts = mapOf(mapOf(design).parts);
    // Parts are chosen by the keys of a catalogue, and another one has other keys.
    const dropped = ROLES.filter((role) => typeof parts[role] === "string").map((role) => ({
      path: ["parts", role],
      value: undefined,
    }));
    const now = this.schema.catalogueOf(design);
    return this.list("catalogue", "catalogue", names, now, "", (value) => [
      ...dropped,
      { path, value },
    ]);
  }

  private part(role: string, design: Record<string, unknown>): HTMLElement {
    const given = mapOf(design.parts)[role];
    const keys = this.schema.partsOf(role, design).map(([key]) => key);
    const usual = this.schema.catalogues[this.schema.catalogueOf(design)]?.defaults[role];
    const label = `${role.replace("_", " ")}`;
    if (given !== undefined && given !== null && typeof given !== "string") {
      return element("p", { class: "note" }, `${label}: see the text`);
    }
    const path = ["parts", role];
    const nothing = usual ? `usual (${usual})` : "usual";
    return this.list(`part-${role}`, label, keys, given ?? "", nothing, (value) => [
      { path, value: value || undefined },
    ]);
  }

  private choice(path: string[], label: string, design: Record<string, unknown>): HTMLElement {
    const given = path.reduce<unknown>((now, key) => mapOf(now)[key], design);
    const words = this.schema.values(path, design).map((word) => word.label);
    // The explicit scheme needs a table of routes, which is written in the text.
    const offered = words.filter((word) => word !== "explicit" || word === given);
    return this.list(path.join("-"), label, offered, String(given ?? ""), "usual", (value) => [
      { path, value: value || undefined },
    ]);
  }

  private fallback(design: Record<string, unknown>): HTMLElement {
    const given = mapOf(design.routing).fallback;
    const path = ["routing", "fallback"];
    const values: Record<string, Value> = { true: true, "by-interface": "by-interface" };
    for (const failures of [2, 3]) {
      values[`by-interface, ${failures} cuts`] = { by: "interface", failures };
    }
    const isSame = (one: Value) => JSON.stringify(one) === JSON.stringify(given);
    const found = Object.entries(values).find(([, value]) => isSame(value))?.[0];
    const now = given === undefined || given === false ? "" : (found ?? "see the text");
    return this.list("fallback", "fallback routes", Object.keys(values), now, "none", (value) => [
      { path, value: values[value] },
    ]);
  }

  private check(path: Path, label: string, isSet: boolean): HTMLElement {
    const id = `field-${path.join("-")}`;
    const field = element("input", { id, type: "checkbox", checked: isSet });
    field.addEventListener("change", () =>
      this.make([{ path, value: field.checked ? true : undefined }]),
    );
    return row(id, label, field);
  }

  /** Returns the field of one key of the topology. */
  private field(path: Path, schema: Schema, value: unknown, of: Schema): HTMLElement[] {
    const name = String(path.at(-1));
    const forms = this.schema.alternatives(schema);
    if (forms.some((one) => one.type === "array") && name === "shape") {
      return [this.shape(path, Array.isArray(value) ? value : [])];
    }
    if (forms.some((one) => one.type === "boolean")) {
      return [this.check(path, label(name), (value ?? schema.default) === true)];
    }
    const words = forms.flatMap((one) => one.enum ?? []);
    if (words.length > 0) {
      const usual = `usual (${String(schema.default)})`;
      const [id, now] = [path.join("-"), String(value ?? "")];
      return [
        this.list(id, label(name), words.map(String), now, usual, (chosen) => [
          { path, value: chosen || undefined },
        ]),
      ];
    }
    const whole = forms.find((one) => one.type === "integer");
    return whole ? [this.number(path, whole, value, schema, of)] : [];
  }

  private number(
    path: Path,
    form: Schema,
    value: unknown,
    schema: Schema,
    of: Schema,
  ): HTMLElement {
    const name = String(path.at(-1));
    const isRequired = of.required?.includes(name) ?? false;
    const field = numberField(path, value, form.minimum, form.maximum);
    if (schema.default != null) field.placeholder = String(schema.default);
    field.addEventListener("change", () => {
      if (field.value === "" && isRequired) return;
      this.make([{ path, value: field.value === "" ? undefined : Number(field.value) }]);
    });
    return row(field.id, label(name), field);
  }

  private shape(path: Path, sides: unknown[]): HTMLElement {
    const fields = sides.map((side, at) => {
      const field = numberField([...path, at], side, 1, undefined);
      field.setAttribute("aria-label", `side ${at + 1}`);
      field.addEventListener("change", () => {
        if (field.value !== "") this.make([{ path: [...path, at], value: Number(field.value) }]);
      });
      return field;
    });
    const all = sides as Value[];
    const set = (value: Value[]) => () => this.make([{ path, value }]);
    const more = button("+", set([...all, 2]), "One dimension more");
    const less = button("−", set(all.slice(0, -1)), "One dimension less");
    more.id = "field-shape-more";
    less.id = "field-shape-less";
    less.disabled = sides.length < 2;
    const group = { class: "row", role: "group", "aria-label": "shape" };
    const inside = fields.flatMap((field, at) => (at > 0 ? [" × ", field] : [field]));
    const row = element("span", {}, ...inside, less, more);
    return element("div", group, element("span", {}, "shape"), row);
  }
}

function numberField(path: Path, value: unknown, least = 1, most?: number): HTMLInputElement {
  const id = `field-${path.join("-")}`;
  const field = element("input", { id, type: "number", step: 1, min: least });
  if (most !== undefined) field.max = String(most);
  field.value = value === undefined || value === null ? "" : String(value);
  return field;
}

function select(
  name: string,
  text: string,
  words: string[],
  value: string,
  nothing: string,
  choose: (value: string) => void,
): HTMLElement {
  const id = `field-${name}`;
  const all = [...(nothing ? [""] : []), ...words];
  // A value that is not known stays to be seen; the list of mistakes says more about it.
  if (!all.includes(value)) all.unshift(value);
  const field = element(
    "select",
    { id },
    ...all.map((word) => element("option", { value: word }, word || nothing)),
  );
  field.value = value;
  field.addEventListener("change", () => choose(field.value));
  return row(id, text, field);
}

function row(id: string, text: string, field: HTMLElement): HTMLElement {
  return element("div", { class: "row" }, element("label", { for: id }, text), field);
}

function section(title: string, fields: HTMLElement[]): HTMLElement {
  return element("details", {}, element("summary", {}, title), ...fields);
}

function label(name: string): string {
  return name.replaceAll("_", " ");
}

function mapOf(value: unknown): Record<string, unknown> {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? (value as Record<string, unknown>) : {};
}
