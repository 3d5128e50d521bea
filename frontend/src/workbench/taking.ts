// Files that the server makes for the user to keep. They are made one after another, so that the
// wish for a second file does not end the work on the first.
import { button, element } from "../check/dom";
import { clearNotice, notice } from "./saving";
import { Refused, answerOf } from "./server";

let last: Promise<void> = Promise.resolve();

/**
 * Makes a file, and hands it to the browser to keep; the button waits meanwhile.
 * @param fields the request for the file, when its turn comes
 * @param change makes another file of it
 */
export function take(
  pressed: HTMLButtonElement,
  fields: () => object | Promise<object>,
  change: (file: File) => Promise<File> = (file) => Promise.resolve(file),
): Promise<void> {
  pressed.disabled = true;
  pressed.setAttribute("aria-busy", "true");
  last = last.then(async () => {
    clearNotice("take");
    try {
      keep(await change(await made(await fields())));
    } catch (trouble) {
      notice("take", `There is no file: ${wordsOf(trouble)}`);
    }
    pressed.disabled = false;
    pressed.removeAttribute("aria-busy");
    pressed.focus({ preventScroll: true });
  });
  return last;
}

/** Returns a file that the server makes. */
async function made(fields: object): Promise<File> {
  const { name, content } = await answerOf("/api/take", fields, "file");
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  return new File([bytes], name);
}

/** Hands a file to the browser to keep. */
export function keep(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // The browser has the address once the press is done.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Returns buttons that keep a table in each format. */
export function formButtons(
  table: string,
  press: (pressed: HTMLButtonElement, format: string) => void,
): HTMLButtonElement[] {
  return ["CSV", "Parquet"].map((words) => {
    const name = `Download ${table} as ${words}`;
    const made: HTMLButtonElement = button(words, () => press(made, words.toLowerCase()), name);
    return made;
  });
}

/** Returns buttons that keep a table which the page has itself. */
export function tableButtons(title: string, headings: string[], rows: unknown[][]): HTMLElement {
  const own = { file: "rows", text: "", name: "", title, headings, rows };
  const buttons = formButtons("this table", (pressed, format) => {
    void take(pressed, () => ({ ...own, format }));
  });
  return element("p", { class: "forms" }, ...buttons);
}

/** Returns the reason of a refusal, with its remedy. */
export function wordsOf(trouble: unknown): string {
  if (trouble instanceof Refused && trouble.hint) return `${trouble.message}: ${trouble.hint}`;
  return (trouble as { message?: string }).message ?? String(trouble);
}
