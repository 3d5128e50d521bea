// The page in which a run is played, in a window of its own: opened at once, since browsers allow
// that to a press alone, and filled when the server has made it.
import { clearNotice, notice } from "./saving";
import { Refused, listen } from "./server";
import { wordsOf } from "./taking";

/** Plays a workload on a design, or on two. */
export async function playRun(fields: () => object | Promise<object>): Promise<void> {
  const opened = window.open("", "_blank");
  clearNotice("play");
  const fail = (reason: string): void => {
    opened?.close();
    notice("play", `The run cannot be played: ${reason}`);
  };
  const wait = new AbortController();
  try {
    await listen("/api/play", await fields(), wait.signal, (event, data) => {
      if (event === "page") show(opened, data.address);
      if (event === "refused") fail(wordsOf(new Refused(400, data[0]!.message, data[0]!.hint)));
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
