// The page in which a run is played, in a window of its own: opened at once, since browsers allow
// that to a press alone, and filled when the server has made it.
import { clearNotice, notice } from "./saving";
import { listen } from "./server";

/** Plays a workload on a design. */
export async function playRun(fields: object): Promise<void> {
  const opened = window.open("", "_blank");
  clearNotice("play");
  const fail = (reason: string): void => {
    opened?.close();
    notice("play", `The run cannot be played: ${reason}`);
  };
  const wait = new AbortController();
  try {
    await listen("/api/play", fields, wait.signal, (event, data) => {
      if (event === "page") show(opened, data.address);
      if (event === "refused") fail(data[0]!.message);
      if (event === "died") fail(data.message);
    });
  } catch (trouble) {
    fail((trouble as Error).message);
  }
}

function show(opened: Window | null, address: string): void {
  if (opened) opened.location.href = new URL(address, location.href).href;
  else notice("play", "The browser did not open a window for the run: allow it for this page.");
}
