// Light or dark: as the system says, until the reader presses the button.

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : systemIsDark.matches;
}

/** Calls `changed` whenever the page turns light or dark, and wires the button. */
export function onThemeChange(changed: () => void): void {
  const button = document.getElementById("theme");
  button?.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    changed();
  });
  systemIsDark.addEventListener("change", changed);
}

/** Returns the value of a CSS variable of the present theme. */
export function themeValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
