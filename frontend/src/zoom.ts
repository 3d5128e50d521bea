// A drawing fills the window when it is pressed, with its name and a key; the button, Escape or a
// press beside the window closes it.

/** Parts of the key that only some drawings need, by what they stand for. */
const OPTIONAL = {
  ".of-switch": ".switch",
  ".of-hub": ".hub",
  ".of-long": ".long",
  ".of-uplink": ".uplink",
};

/** Lets each figure open in the page's dialog. */
export function makeZoomable(figures: Iterable<HTMLElement>): void {
  const dialog = document.getElementById("zoom") as HTMLDialogElement | null;
  if (!dialog) return;
  const part = (id: string) => document.getElementById(`zoom-${id}`)!;
  part("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  for (const figure of figures) {
    const drawing = figure.querySelector("svg.topology");
    const button = figure.querySelector("button");
    if (!drawing || !button) continue;
    const open = () => {
      part("title").textContent = figure.querySelector("h3")?.textContent ?? "";
      part("counts").textContent = figure.querySelector("figcaption p")?.textContent ?? "";
      part("drawing").replaceChildren(drawing.cloneNode(true));
      for (const [entry, shape] of Object.entries(OPTIONAL)) {
        dialog.querySelector<HTMLElement>(entry)!.hidden = !drawing.querySelector(shape);
      }
      dialog.showModal();
    };
    drawing.addEventListener("click", open);
    button.addEventListener("click", open);
  }
}
