// Light or dark: the system's choice, until the reader presses the button. Paper is light.

/** Asked for only on a page: a worker that shares its script has no screen. */
const system = () => matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system().matches;
}

/** Calls `changed` whenever the page turns light or dark, and wires the button. */
export function onThemeChange(changed: () => void): void {
  const root = document.documentElement;
  const turn = (theme: string) => {
    root.dataset.theme = theme;
    changed();
  };
  document.getElementById("theme")?.addEventListener("click", () => {
    turn(isDark() ? "light" : "dark");
  });
  system().addEventListener("change", changed);
  let onScreen = "";
  addEventListener("beforeprint", () => {
    onScreen = isDark() ? "dark" : "light";
    turn("light");
  });
  addEventListener("afterprint", () => turn(onScreen));
}

/** Returns the value of a CSS variable of the present theme. */
export function themeValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
