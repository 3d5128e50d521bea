// The open file: its name, whether the text is saved, and the copy of an unsaved text that the
// browser keeps. A reload goes on with the text; a later visit offers it.
import { byId, button, element } from "../check/dom";
import { type Opened } from "./answers";
import { type Editor } from "./editor";
import { Refused, ask } from "./server";

interface Kept {
  text: string;
  at: number;
}

export class Saving {
  private opened: Opened;
  private timer = 0;
  /** Whether this page has kept a text: only then it may forget it. */
  private hasKept = false;

  constructor(
    private readonly editor: () => Editor,
    first: Opened,
    private readonly renamed: () => void,
    /** Text of a link, which goes before the file's. */
    private readonly linked: string | null = null,
  ) {
    this.opened = first;
    byId("save").addEventListener("click", () => void this.save());
    byId("save-as").addEventListener("click", () => this.saveAs());
    wireDialog((name) => void this.saveUnder(name));
    addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
        event.preventDefault();
        void this.save();
      }
    });
    addEventListener("pagehide", () => this.keep());
  }

  get name(): string {
    return this.opened.name;
  }

  get isSaved(): boolean {
    return this.editor().text === this.opened.text && this.opened.digest !== null;
  }

  /** Returns the text to begin with: the one before a reload, else the file's. */
  first(): string {
    const reloaded = sessionStorage.getItem(this.key);
    return this.linked ?? reloaded ?? this.opened.text;
  }

  /** Opens another file in the editor. */
  open(opened: Opened): void {
    this.keep();
    this.opened = opened;
    this.hasKept = false;
    this.editor().change(opened.text);
    this.renamed();
    this.show();
    this.offer();
  }

  /** Opens a text that is in no file yet. */
  begin(text: string): void {
    this.open({ name: "", text: "", digest: null });
    this.editor().change(text);
  }

  /** Keeps the text a moment after a change. */
  changed(): void {
    this.show();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.keep(), 200);
  }

  show(): void {
    byId("file-name").textContent = this.name || "new design";
    const words = this.isSaved ? "saved" : this.opened.digest === null ? "not on disk" : "changed";
    if (byId("file-state").textContent !== words) byId("file-state").textContent = words;
    document.title = `${this.isSaved ? "" : "• "}${this.name || "new design"} – Linkwright`;
  }

  private get key(): string {
    return `linkwright ${this.opened.name}`;
  }

  private keep(): void {
    const { text } = this.editor();
    if (text === this.opened.text) {
      sessionStorage.removeItem(this.key);
      // A text of an earlier visit stays on offer.
      if (this.hasKept) localStorage.removeItem(this.key);
      return;
    }
    this.hasKept = true;
    sessionStorage.setItem(this.key, text);
    localStorage.setItem(this.key, JSON.stringify({ text, at: Date.now() } satisfies Kept));
  }

  /** Offers the text that an earlier visit left unsaved. */
  offer(): void {
    const kept = JSON.parse(localStorage.getItem(this.key) ?? "null") as Kept | null;
    if (!kept || kept.text === this.editor().text) return;
    const when = new Date(kept.at).toLocaleString();
    const restore = () => this.editor().change(kept.text);
    const forget = () => localStorage.removeItem(this.key);
    notice("kept", `This browser keeps a text of this design that was not saved, of ${when}.`, [
      ["Restore it", restore],
      ["Forget it", forget],
    ]);
  }

  private async save(isForced = false): Promise<void> {
    if (!this.name) return this.saveAs();
    const { text } = this.editor();
    const { name, digest } = this.opened;
    try {
      const fields = { name, text, known: digest, is_forced: isForced };
      const saved = await ask("/api/save", fields);
      this.opened = { name, text, digest: saved.digest };
      this.hasKept = true;
      this.keep();
      this.show();
      clearNotice("save");
    } catch (trouble) {
      this.refuse(trouble);
    }
  }

  /** Asks for a name in a dialogue of the page. */
  private saveAs(): void {
    void openDialog(this.name || "design.yaml");
  }

  private async saveUnder(name: string): Promise<void> {
    if (name === this.name) return this.save();
    this.keep();
    this.opened = { name, text: "", digest: null };
    this.renamed();
    this.show();
    await this.save();
  }

  private refuse(trouble: unknown): void {
    const refused = trouble instanceof Refused ? trouble : null;
    const message = refused?.message ?? "The server does not answer: the text was not saved.";
    const reload = async () => {
      this.open(await ask("/api/design", { name: this.name }));
    };
    notice(
      "save",
      message,
      refused?.status === 409
        ? [
            ["Overwrite it", () => void this.save(true)],
            ["Open the file's text", () => void reload()],
          ]
        : [],
    );
  }
}

/** Joins the dialogue that asks for the name of a file. */
function wireDialog(chosen: (name: string) => void): void {
  const dialog = byId<HTMLDialogElement>("save-dialog");
  byId("save-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = byId<HTMLInputElement>("save-name").value.trim();
    dialog.close();
    chosen(/\.ya?ml$/i.test(name) ? name : `${name}.yaml`);
  });
  byId("save-cancel").addEventListener("click", () => dialog.close());
}

/** Opens the dialogue; the designs of the folder are offered, and the name without its suffix is
 * selected. */
async function openDialog(name: string): Promise<void> {
  const field = byId<HTMLInputElement>("save-name");
  field.value = name;
  byId<HTMLDialogElement>("save-dialog").showModal();
  field.setSelectionRange(0, name.replace(/\.[^.]*$/, "").length);
  const { designs } = await ask("/api/files").catch(() => ({ designs: [] as string[] }));
  byId("save-names").replaceChildren(...designs.map((one) => element("option", { value: one })));
}

/** Shows a message at the top of the page, in place of an older one of the same topic. */
export function notice(
  topic: string,
  text: string,
  offers: [string, () => void][] = [],
  details: HTMLElement | null = null,
): void {
  clearNotice(topic);
  const close = () => clearNotice(topic);
  const buttons = offers.map(([words, act]) =>
    button(words, () => {
      close();
      act();
    }),
  );
  const message = element("span", {}, text);
  const all = [message, ...buttons, button("×", close, "Close this message"), details];
  byId("notices").append(element("div", { class: "notice", "data-topic": topic }, ...all));
}

export function clearNotice(topic: string): void {
  for (const one of byId("notices").querySelectorAll<HTMLElement>(".notice")) {
    if (one.dataset.topic === topic) one.remove();
  }
}
