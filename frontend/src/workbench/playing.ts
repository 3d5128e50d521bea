// The page in which a run is played, in a window of its own: opened at once, since browsers allow
// that to a press alone, and filled when the server has made it.
import { clearNotice, notice } from "./saving";
import { ask } from "./server";

/** Plays a workload on a design. */
export async function playRun(fields: object): Promise<void> {
  const opened = window.open("", "_blank");
  clearNotice("play");
  try {
    const { address } = await ask<{ address: string }>("/api/play", fields);
    if (opened) opened.location.href = new URL(address, location.href).href;
    else notice("play", "The browser did not open a window for the run: allow it for this page.");
  } catch (trouble) {
    opened?.close();
    notice("play", `The run cannot be played: ${(trouble as Error).message}`);
  }
}
