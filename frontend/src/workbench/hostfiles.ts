// The files for machines of some targets: chosen, looked at, copied, kept. The plan folder that is
// taken away has the files of the same targets.
import { byId, button, counted, element } from "../check/dom";
import { type Exported, type FileText } from "./answers";
import { copyFrom } from "./copying";
import { answerOf } from "./server";
import { keep, wordsOf } from "./taking";

/** A target, and the program that reads its files. */
export interface Target {
  target: string;
  reader: string;
}

/** Files that are listed; the archive has all of them. */
const MOST_LISTED = 400;
const SEVERAL = ["networkd", "netplan", "hosts"];

export class HostFiles {
  private shown = "";
  private turn = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(
    targets: Target[],
    private readonly subject: () => { text: string; name: string },
  ) {
    byId("take-targets").append(
      ...targets.map(({ target, reader }) => {
        const box = element("input", { type: "checkbox", value: target });
        box.addEventListener("change", () => void this.show());
        return element("label", { title: reader }, box, ` ${target}`);
      }),
    );
  }

  /** The targets whose files are wanted. */
  get chosen(): string[] {
    const boxes = byId("take-targets").querySelectorAll<HTMLInputElement>("input:checked");
    return [...boxes].map(({ value }) => value);
  }

  /** Lists the files of the chosen targets, once the server has answered for an earlier choice. */
  show(): Promise<void> {
    const turn = ++this.turn;
    this.last = this.last.then(() => (turn === this.turn ? this.ask(turn) : undefined));
    return this.last;
  }

  private async ask(turn: number): Promise<void> {
    const targets = this.chosen;
    if (targets.length === 0) return this.say(`Choose a target, such as ${SEVERAL.join(", ")}.`);
    this.say("making the files …");
    try {
      const fields = { ...this.subject(), targets };
      const found = await answerOf("/api/export", fields, "exported");
      if (turn === this.turn) this.list(found);
    } catch (trouble) {
      if (turn === this.turn) this.say(wordsOf(trouble));
    }
  }

  private say(words: string): void {
    byId("take-said").replaceChildren(words);
    byId("take-listed").replaceChildren();
    byId("take-shown").replaceChildren();
  }

  private list({ files, n_missing, refused }: Exported): void {
    const facts = counted(n_missing, "fact");
    const missing = "nodes/missing.csv lists them, with the values that are used instead.";
    this.say("");
    byId("take-said").append(
      element("span", {}, `${counted(files.length, "file")}. `),
      n_missing > 0 ? `The design lacks ${facts} about the machines: ${missing}` : "",
      ...refused.map(({ target, message, hint }) =>
        element("p", { class: "reason" }, `${target}: ${message}${hint ? `: ${hint}` : ""}`),
      ),
    );
    const more = files.length - MOST_LISTED;
    byId("take-listed").append(
      ...files.slice(0, MOST_LISTED).map((one) => this.entry(one)),
      more > 0 ? element("li", { class: "note" }, `and ${counted(more, "file")} more`) : "",
    );
    const again = files.find(({ path }) => path === this.shown);
    const first = again ?? files.find(({ path }) => path.split("/").length > 2) ?? files[0];
    if (first) this.look(first);
  }

  private entry(file: FileText): HTMLElement {
    const words = file.path.replace(/^nodes\//, "");
    return element("li", {}, button(words, () => this.look(file), "", "plain"));
  }

  private look(file: FileText): void {
    this.shown = file.path;
    for (const one of byId("take-listed").querySelectorAll("button")) {
      const isShown = `nodes/${one.textContent}` === file.path;
      if (isShown) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    const copy: HTMLElement = button("Copy file", () => void copyFrom(copy, file.text));
    const name = file.path.split("/").at(-1)!;
    const save = button("Download file", () => keep(new File([file.text], name)));
    const actions = element("span", { class: "actions" }, copy, save);
    byId("take-shown").replaceChildren(
      element("div", { class: "headline" }, element("h3", {}, file.path), actions),
      element(
        "pre",
        { tabindex: 0, role: "region", "aria-label": "Text of the file" },
        file.text,
      ),
    );
  }
}
