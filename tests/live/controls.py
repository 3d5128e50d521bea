"""The controls of pages, and which of them the tests have used.

A control is what a reader can press, choose, type into or focus. Rows of a list or table repeat
their controls: alike ones count as one. A control is used once it has got an event from the mouse,
the keyboard or a finger; events that a script makes do not count.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from playwright.sync_api import Page

SCRIPT = """() => {
  const SELECTOR = "button, select, input, textarea, a[href], summary, [contenteditable=true], " +
    "[role=button], [role=slider], [role=tab], [role=option], [role=menuitem], [role=separator], " +
    "[tabindex]";
  const text = (element) => (element.getAttribute("aria-label") || element.title ||
    element.textContent || element.name || "").trim().replaceAll(/\\s+/g, " ");
  // Names of parts differ by numbers: rows are alike when their words are.
  const plain = (words) => words.replaceAll(/[0-9]+/g, "").slice(0, 30);
  const nameOf = (element) => {
    const isOfEditor = element.closest(".cm-editor") !== null;
    if (element.id && !isOfEditor) return `#${element.id}`;
    if (element.closest(".cm-tooltip-autocomplete")) return "a completion";
    if (element.matches(".cm-scroller, .cm-content")) return "the text of the editor";
    const place = plain(element.parentElement?.closest("[id]")?.id ?? "");
    const tag = element.tagName.toLowerCase();
    const repeats = element.closest("li, tr, svg, td, [role=listbox], option");
    const isHeading = element.closest("thead") !== null;
    const row = plain(text(element).split(" ")[0]);
    const said = isHeading ? "in a heading" : repeats ? row : plain(text(element));
    const kind = element.closest("svg") ? [...element.classList][0] ?? "" : said;
    return `#${place} ${tag} ${kind}`.trim();
  };
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) &&
    !element.disabled && element.getClientRects().length > 0;
  // What was used before the page was loaded anew.
  const KEPT = "controls that were used";
  const attempt = (action) => { try { return action(); } catch { return null; } };
  const kept = () => attempt(() => JSON.parse(sessionStorage.getItem(KEPT))) ?? [];
  const keep = () => attempt(() => sessionStorage.setItem(KEPT, JSON.stringify([...used])));
  const found = new Set(), used = new Set(kept());
  const look = () => {
    for (const one of document.querySelectorAll(SELECTOR)) if (isSeen(one)) found.add(nameOf(one));
    return { found: [...found], used: [...used] };
  };
  const note = (event) => {
    if (!event.isTrusted) return;
    const element = event.target instanceof Element && event.target.closest(SELECTOR);
    const label = event.target instanceof Element && event.target.closest("label")?.control;
    for (const one of [element, label]) if (one) used.add(nameOf(one));
    keep();
    look();
  };
  for (const name of ["pointerdown", "click", "keydown", "input", "change", "wheel"]) {
    addEventListener(name, note, { capture: true, passive: true });
  }
  globalThis.lookForControls = look;
}"""


@dataclass
class Controls:
    """The controls of each kind of page, by name."""

    found: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    used: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def watch(self, kind: str, page: Page) -> None:
        """Note from now on what is used, also after the page is loaded again."""
        page.add_init_script(f"({SCRIPT})()")

    def look(self, kind: str, page: Page) -> None:
        """Learn what a page has and what was used in it."""
        seen = page.evaluate("lookForControls()")
        self.found[kind].update(seen["found"])
        self.used[kind].update(seen["used"])

    def unused(self, kind: str) -> list[str]:
        """Return the controls that no test has used."""
        assert self.found[kind], f"no page of kind {kind} was opened"
        return sorted(self.found[kind] - self.used[kind])
