// Buttons that open a played run: a page inside this one, in a new tab. Its script, the same for
// all, is embedded once (linkwright.views.played_runs); nothing is unpacked before a press.
import { inflated } from "../inflated";

interface Embedded {
  script: string;
  /** The rest of each page, with a null character in place of the script. */
  pages: Record<string, string>;
}

/** Lets each button with `data-played` open its run. */
export function wirePlayed(): void {
  const text = document.getElementById("played-data")?.textContent;
  if (!text) return;
  const embedded = JSON.parse(text) as Embedded;
  for (const button of document.querySelectorAll<HTMLElement>("button[data-played]")) {
    button.addEventListener("click", () => void open(embedded, button.dataset.played!));
  }
}

async function open({ script, pages }: Embedded, name: string): Promise<void> {
  const [code, rest] = await Promise.all([script, pages[name]!].map(textOf));
  const page = new Blob([rest!.split("\0").join(code!)], { type: "text/html;charset=utf-8" });
  window.open(URL.createObjectURL(page), "_blank");
}

async function textOf(packed: string): Promise<string> {
  return new TextDecoder().decode(await inflated(packed));
}
