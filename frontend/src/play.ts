// Entry of the script of a played run: as a page it plays the recording of a run, or of the scene
// that its address asks for, or two runs side by side; as a worker of this page it runs the engine.
// play/ has all the rest.
import { byId } from "./check/dom";
import { inflated } from "./inflated";
import { playBeside } from "./play/beside";
import { type Written, clusterOf } from "./play/cluster";
import { type Drawn } from "./play/moment";
import { Page } from "./play/page";
import { Runner, serveRuns, textOf } from "./play/runner";
import { watchScenes } from "./play/scenes";
import { onThemeChange, wireTheme } from "./theme";

/** For scripts that read the page, once it is ready: they go to a share of the run, and learn how
 * much is drawn there. */
interface Reach {
  ready: Promise<void>;
  seek: (share: number) => Drawn | null;
}

/** Plays what the page holds; a later call takes the place of the run before. */
class Player {
  private page: Page | null = null;
  private end = new AbortController();

  constructor(private readonly script: string) {
    wireTheme();
    onThemeChange(() => this.page?.repaint());
  }

  /** Plays the run that the page holds now; returns once it is ready. */
  async play(): Promise<void> {
    this.end.abort();
    const { signal } = (this.end = new AbortController());
    document.documentElement.dataset.run = "running";
    const written = JSON.parse(byId("page-data").textContent ?? "") as Written;
    const runner = new Runner(this.script, await inflated(written.run));
    const cluster = clusterOf(written);
    if (signal.aborted) return;
    document.documentElement.classList.add("has-script");
    this.page = new Page(cluster, runner, signal);
    await this.page.play();
  }

  /** Goes to a share of the run, and returns how much is drawn there. */
  seek(share: number): Drawn | null {
    return this.page?.seek(share) ?? null;
  }
}

/** Plays two runs side by side. */
function startBeside(script: string): void {
  wireTheme();
  document.documentElement.classList.add("has-script");
  Object.assign(window, { linkwright: { ready: playBeside(script) } });
}

function start(script: string): void {
  const player = new Player(script);
  const reach: Partial<Reach> = { seek: (share) => player.seek(share) };
  Object.assign(window, { linkwright: reach });
  watchScenes(() => {
    reach.ready = player.play();
    reach.ready.catch((trouble: unknown) => {
      const why = textOf(trouble);
      byId("run-note").textContent = `Playing needs a browser that runs WebAssembly (${why}).`;
    });
    return reach.ready;
  });
}

if (typeof document === "undefined") serveRuns();
else {
  const script = document.currentScript?.textContent ?? "";
  if (document.getElementById("beside")) startBeside(script);
  else start(script);
}
