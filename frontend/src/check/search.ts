// The search for a part by its name: a list below the field while the reader looks for something,
// and nothing once a part is chosen, Escape is pressed or the field is left.
import { type Failure } from "../failures/core";
import { byId, button, element } from "./dom";
import { type Model, failureName } from "./model";
import { type State } from "./state";

const MOST_FOUND = 8;
/** Where the panel begins below this part of the window, it is brought into view. */
const FAR_DOWN = 0.6;

interface Part {
  failure: Failure;
  name: string;
  text: string;
}

/** Lets the reader find a part by its name and fail it. */
export function makeSearchable(model: Model, state: State, signal?: AbortSignal): void {
  const field = byId<HTMLInputElement>("search");
  const list = byId("found");
  const finder = byId("finder");
  const parts = model.parts.map((failure): Part => {
    const name = failureName(model, failure);
    return { failure, name, text: name.toLowerCase() };
  });
  const close = () => {
    field.value = "";
    list.hidden = true;
  };
  const choose = (failure: Failure) => {
    close();
    field.blur();
    state.looked = failure;
    state.toggle(failure);
    showEffect();
  };
  const show = () => {
    const rows = rowsOf(parts, field.value, state, choose);
    list.replaceChildren(...rows);
    list.hidden = rows.length === 0;
  };
  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  finder.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target === field) list.querySelector("button")?.click();
    else if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") move(finder, 1);
    else if (event.key === "ArrowUp") move(finder, -1);
    else return;
    event.preventDefault();
  });
  // A button that is pressed gets no focus in every browser: the list waits for the press.
  finder.addEventListener("focusout", (event) => {
    const next = event.relatedTarget;
    if (next instanceof Node && !finder.contains(next)) list.hidden = true;
  });
  const leave = (event: Event) => {
    const isInside = event.target instanceof Node && finder.contains(event.target);
    if (!isInside && event.isTrusted) list.hidden = true;
  };
  document.addEventListener("pointerdown", leave, { signal });
}

function rowsOf(parts: Part[], said: string, state: State, choose: (one: Failure) => void) {
  const words = said.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = parts.filter(({ text }) => words.every((word) => text.includes(word)));
  const rows = found.slice(0, MOST_FOUND).map(({ failure, name }) => {
    const text = `${state.has(failure) ? "Repair" : "Fail"} ${name}`;
    return element("li", {}, button(text, () => choose(failure)));
  });
  const others = found.length - rows.length;
  if (others > 0) rows.push(element("li", { class: "note" }, `and ${others} more`));
  if (found.length === 0) rows.push(element("li", { class: "note" }, "no part of such a name"));
  return rows;
}

/** Moves the focus between the field and the buttons of the list. */
function move(finder: HTMLElement, step: number): void {
  const places = [...finder.querySelectorAll<HTMLElement>("input, button")];
  const at = places.indexOf(document.activeElement as HTMLElement);
  places[Math.min(places.length - 1, Math.max(0, at + step))]?.focus();
}

/** Brings the effect into view where it is far below the search, as on a phone. */
function showEffect(): void {
  const panel = byId("failed").parentElement;
  if (!panel || panel.getBoundingClientRect().top < FAR_DOWN * innerHeight) return;
  panel.scrollIntoView({ block: "start" });
}
