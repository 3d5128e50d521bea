// The settings of a workload as fields. The server describes them, as the command line takes them:
// values are texts such as 4K or 1,8,64, an empty field is the default, and the server judges all
// values, so that no rule stands here.
import { element } from "../check/dom";
import { type Setting } from "./answers";
import { ask } from "./server";

export interface Workload {
  name: string;
  settings: Record<string, string>;
}

const described = new Map<string, Setting[]>();

/** Returns the settings of a workload. */
export async function describe(name: string): Promise<Setting[]> {
  const known = described.get(name);
  if (known) return known;
  const { settings } = await ask("/api/workload", { name });
  described.set(name, settings);
  return settings;
}

/** Returns a workload and its settings as on the command line. */
export function wordsOf({ name, settings }: Workload): string {
  return [name, ...Object.entries(settings).map(([key, value]) => `${key}=${value}`)].join(" ");
}

export class SettingsFields {
  private shown: Workload | null = null;

  constructor(
    private readonly place: HTMLElement,
    private readonly changed: () => void,
  ) {}

  /** Shows the settings of a workload, or of none. */
  async show(workload: Workload | null): Promise<void> {
    if (workload === this.shown) return;
    this.shown = workload;
    this.place.replaceChildren();
    if (!workload) return;
    try {
      const settings = await describe(workload.name);
      if (this.shown !== workload) return;
      this.place.replaceChildren(...settings.map((one) => this.field(workload, one)));
    } catch (trouble) {
      this.shown = null;
      const reason = `The settings are not known: ${(trouble as Error).message}`;
      this.place.replaceChildren(element("p", { class: "reason" }, reason));
    }
  }

  private field({ settings }: Workload, one: Setting): HTMLElement {
    const id = `${this.place.id}-${one.name}`;
    const field = one.words.length > 0 ? choice(id, one) : text(id, one);
    field.value = settings[one.name] ?? "";
    field.addEventListener("change", () => {
      const value = field.value.trim();
      if (value === "") delete settings[one.name];
      else settings[one.name] = value;
      this.changed();
    });
    const label = element("label", { for: id }, one.name.replaceAll("_", " "));
    const about = element("small", { id: `${id}-about` }, one.about);
    field.setAttribute("aria-describedby", about.id);
    return element("div", { class: "row" }, label, field, about);
  }
}

function text(id: string, one: Setting): HTMLInputElement {
  const given = { id, type: "text", spellcheck: "false", autocomplete: "off" };
  return element("input", { ...given, placeholder: one.default || "usual" });
}

function choice(id: string, one: Setting): HTMLSelectElement {
  const usual = element("option", { value: "" }, `usual (${one.default})`);
  const words = one.words.map((word) => element("option", { value: word }, word));
  return element("select", { id }, usual, ...words);
}
