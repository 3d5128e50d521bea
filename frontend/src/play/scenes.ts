// A page of several runs, as of a lesson: the fragment of its address says which one is played. The
// page is loaded anew for another, so that a run begins as in a page of its own, and the way back
// of the browser leads to the scene before.
import { byId } from "../check/dom";

/** Puts the run that the address asks for in its place; a page of one run has it there already. */
export function chooseScene(): void {
  const scenes = [...document.querySelectorAll<HTMLTemplateElement>("template[data-scene]")];
  if (scenes.length === 0) return;
  const chosen = scenes.find((one) => one.dataset.scene === asked()) ?? scenes[0]!;
  const shown = document.importNode(chosen.content, true);
  byId("stage").querySelector("svg")!.replaceWith(shown.querySelector("svg")!);
  byId("page-data").textContent = shown.querySelector("script")!.textContent;
  byId("caption").replaceChildren(shown.querySelector("p")!);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href^='#']")) {
    if (link.hash === `#${chosen.dataset.scene}`) link.setAttribute("aria-current", "true");
  }
  addEventListener("hashchange", () => {
    if (scenes.some((one) => one.dataset.scene === asked())) location.reload();
  });
}

function asked(): string {
  return decodeURIComponent(location.hash.slice(1));
}
