// A drawing fills the window when it is clicked, until it is clicked again or Escape is pressed.

/** Lets each figure open in the page's dialog. */
export function makeZoomable(figures: Iterable<HTMLElement>): void {
  const dialog = document.getElementById("zoom") as HTMLDialogElement | null;
  if (!dialog) return;
  dialog.addEventListener("click", () => dialog.close());
  for (const figure of figures) {
    const drawing = figure.querySelector("svg");
    const button = figure.querySelector("button");
    if (!drawing || !button) continue;
    const open = () => {
      dialog.replaceChildren(drawing.cloneNode(true));
      dialog.showModal();
    };
    drawing.addEventListener("click", open);
    button.addEventListener("click", open);
  }
}
