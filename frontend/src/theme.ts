// Light or dark: the system's choice, until the reader presses the button. Paper is light.

/** Asked for only on a page: a worker that shares its script has no screen. */
const system = () => matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system().matches;
}

/** Calls `changed` whenever the page turns light or dark. */
export function onThemeChange(changed: () => void): void {
  const { documentElement } = document;
  new MutationObserver(changed).observe(documentElement, { attributeFilter: ["data-theme"] });
  system().addEventListener("change", changed);
}

/** Wires the button of a page; of several scripts of a page the first one does. */
export function wireTheme(): void {
  const { dataset } = document.documentElement;
  if (dataset.isThemed) return;
  dataset.isThemed = "true";
  document.getElementById("theme")?.addEventListener("click", () => {
    dataset.theme = isDark() ? "light" : "dark";
  });
  let onScreen = "";
  addEventListener("beforeprint", () => {
    onScreen = isDark() ? "dark" : "light";
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => (dataset.theme = onScreen));
}

/** Returns the value of a CSS variable of the present theme. */
export function themeValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
