// The list of events in the span of time that is shown: searched, filtered, summed, and a way to
// each. A chosen part limits it to that part, with its counters in each direction and its frames as
// a table to save. Nothing is computed while the list is closed.
import { button, counted, element } from "../check/dom";
import { formatBytes } from "../quantities";
import { type Clock } from "./clock";
import { type Cluster, type Part, partName } from "./cluster";
import { type Happened, type Sums, eventsIn, framesTable } from "./happened";
import { type Run } from "./run";
import { type View } from "./view";
import { momentText } from "./words";

/** More events than these are counted and not listed. */
const MOST_LISTED = 200;
const PAUSE_MS = 150;

export class EventList {
  private readonly card = document.getElementById("events-card") as HTMLDetailsElement | null;
  private part: Part | null = null;
  private run: Run | null = null;
  private timer = 0;

  constructor(
    private readonly cluster: Cluster,
    private readonly view: View,
    private readonly clock: Clock,
    private readonly look: (frame: number) => void,
  ) {
    for (const name of ["toggle", "input", "change"]) {
      this.card?.addEventListener(name, () => this.later(), true);
    }
  }

  /** Takes another run. */
  adopt(run: Run): void {
    this.run = run;
    this.later();
  }

  /** Takes the part that the reader has chosen; null for all. */
  choose(part: Part | null): void {
    this.part = part;
    this.later();
  }

  /** Lists again, a moment after the last change. */
  later(): void {
    if (!this.card?.open) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.list(), PAUSE_MS);
  }

  private list(): void {
    const { run, cluster, view, part } = this;
    if (!run) return;
    const kind = this.field<HTMLSelectElement>("#event-kind").value;
    const words = this.field<HTMLInputElement>("#event-search").value;
    const asked = { from: view.from, to: view.to, kind, words, part };
    const found = eventsIn(run, cluster, asked, MOST_LISTED);
    this.field("#event-sums").replaceChildren(...this.sums(found.sums));
    this.field("#event-part").replaceChildren(...this.counters(found.sums));
    const items = found.events.map((one) => this.item(one));
    this.field("#event-items").replaceChildren(...items);
    const more = found.n - items.length;
    this.field("#event-more").textContent =
      more > 0 ? `${counted(more, "more event")}: show less time, or search.` : "";
  }

  private sums({ frames, bytes, lost, collisions, timeouts, messages }: Sums): (Node | string)[] {
    const { from, to } = this.view;
    const { end } = this.clock;
    const span = `${momentText(from, end)} to ${momentText(to, end)}: `;
    const parts = [
      `${counted(frames, "frame")} with ${formatBytes(bytes)}`,
      counted(messages, "message"),
      `${lost.toLocaleString("en")} lost`,
      counted(collisions, "collision"),
      counted(timeouts, "time-out"),
    ];
    return [element("b", {}, span), parts.join(", ")];
  }

  /** Returns the counters of the chosen cable or device. */
  private counters({ directions }: Sums): (Node | string)[] {
    const { part, run, cluster } = this;
    if (!part || !run) return ["Choose a part in the drawing for its counters and frames. "];
    const rows = directions.map(({ name, frames, bytes, share }) =>
      element(
        "li",
        {},
        `${name}: ${counted(frames, "frame")}, ${formatBytes(bytes)}, `,
        `busy ${(100 * share).toFixed(share < 0.1 ? 1 : 0)} % of the span`,
      ),
    );
    const save = () => this.save(framesTable(run, cluster, part, this.view));
    const name = partName(cluster, part);
    const saving = button("Save its frames", save, `Save the frames of ${name}`);
    return [element("b", {}, name), " ", saving, element("ul", {}, ...rows)];
  }

  private item({ time, text, isTrouble, frame }: Happened): HTMLElement {
    const at = momentText(time, this.clock.end);
    const act = () => {
      this.clock.seek(time);
      if (frame !== undefined) this.look(frame);
    };
    const go = button(at, act, `Go to ${at}: ${text}`, "plain");
    return element("li", isTrouble ? { class: "trouble" } : {}, go, ` ${text}`);
  }

  private save(text: string): void {
    const href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    const link = element("a", { href, download: "frames.csv" });
    link.click();
    URL.revokeObjectURL(href);
  }

  private field<T extends HTMLElement>(selector: string): T {
    return this.card!.querySelector<T>(selector)!;
  }
}
