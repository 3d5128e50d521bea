// Text into the clipboard, with a field to copy from where a browser refuses that.
import { byId, button, element } from "../check/dom";
import { clearNotice } from "./saving";

/** Copies a text, and says so for a moment on the button that asked for it. */
export async function copyFrom(pressed: HTMLElement, text: string): Promise<void> {
  clearNotice("copy");
  try {
    await navigator.clipboard.writeText(text);
    say(pressed, "Copied");
  } catch {
    offer(text);
  }
}

const SAID_MS = 1500;

/** Puts a word on a button for a moment; its name stays. */
function say(pressed: HTMLElement, word: string): void {
  if (pressed.dataset.word) return;
  const before = pressed.textContent ?? "";
  pressed.dataset.word = before;
  pressed.textContent = word;
  setTimeout(() => {
    pressed.textContent = before;
    delete pressed.dataset.word;
  }, SAID_MS);
}

/** Shows the text in a field, selected. */
function offer(text: string): void {
  const field = element("input", { readonly: true, value: text, "aria-label": "Text to copy" });
  const close = button("×", () => clearNotice("copy"), "Close this message");
  const words = element("span", {}, "This browser does not let the page copy. Copy it from here:");
  byId("notices").append(
    element("div", { class: "notice", "data-topic": "copy" }, words, field, close),
  );
  field.select();
}
