// The form of a design: kind, sizes, parts, addressing and routing as fields. It is made again from
// the text after each change, and each field is a change of one value of the text: the form has no
// state of its own.
import { button, element } from "../check/dom";
import { type Change, type Path, type Value } from "./patch";
import { type DesignSchema, type Schema } from "./schema";
import { type Topology, asKind } from "./sizes";

type Make = (changes: Change[]) => void;

/** The parts that a form offers; others are for the text. */
const ROLES = ["nic", "switch", "hub", "cable", "root_switch"];
const CHOICES: { path: [string, string]; label: string }[] = [
  { path: ["addressing", "scheme"], label: "addressing" },
  { path: ["routing", "scheme"], label: "routing" },
];

export class Form {
  private shown = "";

  constructor(
    private readonly place: HTMLFormElement,
    private readonly schema: DesignSchema,
    private readonly make: Make,
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
    const open = this.place.querySelector("details")?.open ?? false;
    this.place.replaceChildren(...this.fields(design as Record<string, unknown>));
    this.place.querySelector("details")!.open = open;
    if (focused.startsWith("field-")) document.getElementById(focused)?.focus();
  }

  private fields(design: Record<string, unknown>): HTMLElement[] {
    const topology = mapOf(design.topology);
    const kind = String(topology.kind ?? "");
    const known = this.schema.topology(kind);
    const sizes = Object.entries(known?.properties ?? {})
      .filter(([name]) => name !== "kind")
      .flatMap(([name, one]) => this.field(["topology", name], one, topology[name], known!));
    const further = element(
      "details",
      {},
      element("summary", {}, "Parts, addresses, routes"),
      ...ROLES.map((role) => this.part(role, design)),
      ...CHOICES.map(({ path, label }) => this.choice(path, label, design)),
      this.fallback(design),
      this.check(["front_end"], "front end", design.front_end === true),
    );
    return [this.kind(kind, topology), ...sizes, this.catalogue(design), further];
  }

  private kind(kind: string, topology: Topology): HTMLElement {
    const kinds = this.schema.kinds.filter((one) => one !== "custom" || one === kind);
    return select("kind", "kind", ["topology", "kind"], kinds, kind, "", (value) => {
      this.make(asKind(this.schema, topology, value));
    });
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
    return select("catalogue", "catalogue", path, names, now, "", (value) =>
      this.make([...dropped, { path, value }]),
    );
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
    return select(`part-${role}`, label, path, keys, given ?? "", nothing, (value) =>
      this.make([{ path, value: value || undefined }]),
    );
  }

  private choice(
    path: [string, string],
    label: string,
    design: Record<string, unknown>,
  ): HTMLElement {
    const given = mapOf(design[path[0]])[path[1]];
    const words = this.schema.values(path, design).map((word) => word.label);
    // The explicit scheme needs a table of routes, which is written in the text.
    const offered = words.filter((word) => word !== "explicit" || word === given);
    return select(path.join("-"), label, path, offered, String(given ?? ""), "usual", (value) =>
      this.make([{ path, value: value || undefined }]),
    );
  }

  private fallback(design: Record<string, unknown>): HTMLElement {
    const given = mapOf(design.routing).fallback;
    const path = ["routing", "fallback"];
    const words = ["true", "by-interface"];
    if (typeof given === "object" && given !== null) {
      return element("p", { class: "note" }, "fallback routes: see the text");
    }
    const shown = given === true ? "true" : given === "by-interface" ? given : "";
    return select("fallback", "fallback routes", path, words, shown, "none", (value) =>
      this.make([{ path, value: value === "true" ? true : value || undefined }]),
    );
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
        select(id, label(name), path, words.map(String), now, usual, (chosen) =>
          this.make([{ path, value: chosen || undefined }]),
        ),
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
  path: Path,
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
    { id, "data-path": path.join(".") },
    ...all.map((word) => element("option", { value: word }, word || nothing)),
  );
  field.value = value;
  field.addEventListener("change", () => choose(field.value));
  return row(id, text, field);
}

function row(id: string, text: string, field: HTMLElement): HTMLElement {
  return element("div", { class: "row" }, element("label", { for: id }, text), field);
}

function label(name: string): string {
  return name.replaceAll("_", " ");
}

function mapOf(value: unknown): Record<string, unknown> {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? (value as Record<string, unknown>) : {};
}
