// A page of several runs, as of a lesson: the fragment of its address says which one is played, so
// that the way back of the browser leads to the scene before. The page stays: what plays gets fresh
// elements, and the focus stays where it was.
import { byId } from "../check/dom";

type Scene = HTMLTemplateElement;

/** Puts the run that the address asks for in its place, now and whenever it asks for another, and
 * lets it play; a page of one run has it there already. */
export function watchScenes(play: () => Promise<void>): void {
  const scenes = [...document.querySelectorAll<Scene>("template[data-scene]")];
  if (scenes.length === 0) return void play();
  const pristine = byId("playing").cloneNode(true);
  let shown = asked(scenes) ?? scenes[0]!;
  put(shown);
  void play();
  // Between these events the browser takes the focus away.
  let focused: Element | null = null;
  addEventListener("popstate", () => (focused = document.activeElement));
  addEventListener("hashchange", () => {
    const next = asked(scenes);
    if (next && next !== shown) {
      exchange(pristine.cloneNode(true) as HTMLElement, () => put(next), play);
      shown = next;
    }
    focus(focused);
  });
}

/** Returns the scene that the address names; the first if it names nothing, null for a place that
 * is no scene. */
function asked(scenes: Scene[]): Scene | null {
  const name = decodeURIComponent(location.hash.slice(1));
  return name === "" ? scenes[0]! : (scenes.find((one) => one.dataset.scene === name) ?? null);
}

/** Puts a scene in its place, and marks the links to it. */
function put({ content, dataset }: Scene): void {
  const copy = document.importNode(content, true);
  byId("stage").querySelector("svg")!.replaceWith(copy.querySelector("svg")!);
  byId("page-data").textContent = copy.querySelector("script")!.textContent;
  byId("caption").replaceChildren(copy.querySelector("p")!);
  for (const link of document.querySelectorAll("a[href^='#']")) {
    const isShown = link.getAttribute("href") === `#${dataset.scene}`;
    if (isShown) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Gives an element the focus again, or the one in its place. */
function focus(before: Element | null): void {
  const found = before?.isConnected ? before : document.getElementById(before?.id ?? "");
  if (found instanceof HTMLElement || found instanceof SVGElement) {
    found.focus({ preventScroll: true });
  }
}

/** Gives what plays fresh elements. Until the run is there, the rows of the one before stay, and
 * the page keeps its height. */
function exchange(fresh: HTMLElement, fill: () => void, play: () => Promise<void>): void {
  const old = byId("playing");
  const { height } = old.getBoundingClientRect();
  const rows = old.querySelector("#rows tbody")!;
  old.replaceWith(fresh);
  byId<HTMLTableElement>("rows").tBodies[0]!.replaceWith(rows);
  fresh.style.minHeight = `${height}px`;
  fill();
  const settle = () => (fresh.style.minHeight = "");
  void play().then(settle, settle);
}
