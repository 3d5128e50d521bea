// One run as a page plays it: the clock, the drawing, the plots and the panel of changes, each
// redrawn where something has changed. A page of several runs makes one after the other.
import { byId, counted } from "../check/dom";
import { ChangePanel } from "./changes";
import { type Cluster, type Part } from "./cluster";
import { ConnectionPlot } from "./connection";
import { wireControls } from "./controls";
import { EventList } from "./events";
import { type Lane } from "./lanes";
import { clockOfPage } from "./led";
import { showLegend } from "./legend";
import { MeasuredSpans } from "./measured";
import { type Drawn } from "./moment";
import { ObjectPanel } from "./object";
import { type Palette, paletteOf } from "./palette";
import { PinnedLanes } from "./pins";
import { Quiet } from "./quiet";
import { type Recording } from "./recording";
import { showRows } from "./rows";
import { Run } from "./run";
import { type Runner, textOf } from "./runner";
import { Scrubber } from "./scrubber";
import { Stage } from "./stage";
import { Timeline } from "./timeline";
import { View } from "./view";
import { momentText, spanText } from "./words";

/** Rows that a table of a recording may have, as in crates/packet. */
const MOST_ROWS = 2_000_000;

/** One run at work, until its signal says that another takes its place. */
export class Page {
  private run: Run | null = null;
  private palette: Palette = paletteOf();
  private readonly clock = clockOfPage();
  private readonly view = new View(this.clock, () => {
    this.redraw();
    this.events?.later();
  });
  private readonly stage: Stage;
  private readonly scrubber: Scrubber;
  private readonly timeline: Timeline;
  private readonly pins: PinnedLanes;
  private readonly object: ObjectPanel;
  private readonly plot: ConnectionPlot;
  private readonly panel: ChangePanel;
  private readonly measured: MeasuredSpans;
  private readonly events: EventList;
  private isStale = { moment: true, plots: true };
  private drawn = performance.now();

  constructor(
    private readonly cluster: Cluster,
    private readonly runner: Runner,
    private readonly signal: AbortSignal,
  ) {
    const { clock, view } = this;
    signal.addEventListener("abort", () => runner.end());
    const redraw = () => this.redraw();
    this.panel = new ChangePanel(
      cluster,
      clock,
      () => void this.play(),
      () => this.mark(),
    );
    this.object = new ObjectPanel(cluster, clock, redraw);
    const press = (parts: Part[]) => this.panel.press(parts);
    this.stage = new Stage(cluster, press, this.object, redraw, signal);
    const look = (row: number) => this.object.keep({ kind: "frame", row });
    this.events = new EventList(cluster, view, clock, look);
    this.measured = new MeasuredSpans(view, clock, redraw);
    this.scrubber = new Scrubber(clock, view, this.measured, redraw);
    const pins = (this.pins = new PinnedLanes(cluster, view, clock, redraw));
    const pin = (lane: Lane) => pins.toggle(lane);
    this.timeline = new Timeline(cluster, view, clock, this.measured, pin, redraw);
    this.plot = new ConnectionPlot(view, clock, this.measured, redraw, (connections) => {
      this.stage.marked = connections;
      this.redraw();
    });
    wireControls(clock, view, () => this.run, signal);
    clock.onChange((change) => {
      if (change === "end") view.adopt();
      view.follow();
      this.isStale.moment = true;
      this.measured.follow();
      if (change !== "time") this.panel.show();
      if (change !== "speed") this.mark();
      if (change !== "time") this.tell();
    });
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Takes the colours of the theme. */
  repaint(): void {
    this.palette = paletteOf();
    this.redraw();
    this.draw();
  }

  /** Goes to a share of the run, and returns how much is drawn there. */
  seek(share: number): Drawn {
    this.clock.seek(share * this.clock.end);
    this.draw();
    return this.stage.drawn;
  }

  /** Runs what the panel says, and plays it from where the clock is. */
  async play(): Promise<void> {
    const { clock } = this;
    const isFirst = this.run === null;
    const wasPlaying = clock.isPlaying;
    this.show("running", "Running…");
    try {
      const recording = await this.runner.run(this.panel.changes());
      if (recording === null || this.signal.aborted) return;
      this.adopt(recording);
      clock.play(isFirst ? !matchMedia("(prefers-reduced-motion: reduce)").matches : wasPlaying);
      this.show("ready", recording.isWhole ? "" : this.cut(recording));
    } catch (trouble) {
      if (this.signal.aborted) return;
      this.show("failed", `This run does not finish: ${textOf(trouble)}`);
    }
  }

  private adopt(recording: Recording): void {
    const before = this.run?.recording ?? null;
    this.run = new Run(recording, this.cluster.fabric, this.cluster.written.node_of_rank.length);
    // The sentence at the head is that of the run as it was made.
    if (before) document.getElementById("answer")?.toggleAttribute("hidden", true);
    showRows(recording, before, this.cluster.written.metric_words);
    showLegend(recording);
    this.scrubber.adopt(this.run);
    this.plot.adopt(this.run);
    this.clock.adopt(recording.end, new Quiet(recording));
    this.view.adopt();
    this.measured.adopt(recording);
    this.events.adopt(this.run);
    this.object.adopt(this.run);
    this.panel.show();
  }

  /** Returns a note on the parts of a recording that were cut to the limit. */
  private cut({ frames, work, messages, end }: Recording): string {
    const kept = [frames, work, messages].filter(({ start }) => start.length === MOST_ROWS);
    const until = Math.min(...kept.map(({ start }) => start[MOST_ROWS - 1]!), end);
    return (
      `More happens than a page keeps: from ${momentText(until, end)} on it is not all shown. ` +
      "A smaller size is shown whole."
    );
  }

  private show(state: "running" | "ready" | "failed", text: string): void {
    document.documentElement.dataset.run = state;
    byId("run-note").textContent = text;
  }

  private redraw(): void {
    this.isStale = { moment: true, plots: true };
  }

  private mark(): void {
    this.events.choose(this.panel.chosen);
    this.stage.mark(this.panel.pulled, this.clock.time, this.panel.chosen);
  }

  private tick(now: number): void {
    if (this.signal.aborted) return;
    this.clock.pass(Math.min(0.1, Math.max(0, (now - this.drawn) / 1000)));
    this.drawn = now;
    this.draw();
    requestAnimationFrame((next) => this.tick(next));
  }

  private draw(): void {
    const { run, clock, palette, isStale } = this;
    if (!run) return;
    if (isStale.plots) {
      this.scrubber.draw(run, palette);
      this.timeline.draw(run, palette);
      this.pins.draw(run, palette);
      this.plot.draw(run, palette);
    }
    if (isStale.moment) {
      this.stage.draw(run, clock.time, clock.speed, palette);
      this.scrubber.follow();
      this.timeline.follow();
      this.pins.follow();
      this.plot.follow();
      const apart = Math.min(clock.end / 1e4, clock.speed / 100);
      const text = momentText(clock.time, clock.end, apart);
      for (const place of document.getElementsByClassName("time")) place.textContent = text;
    }
    this.isStale = { moment: false, plots: false };
  }

  /** Tells readers who do not see the page where the clock is. */
  private tell(): void {
    const { clock, run } = this;
    byId("duration").textContent = momentText(clock.end, clock.end);
    byId("speed").textContent = `1 s shows ${spanText(clock.speed)}`;
    if (!run || clock.isPlaying) return;
    byId("state").textContent =
      `Paused at ${momentText(clock.time, clock.end)}; ${this.inWords(run)}`;
  }

  private inWords(run: Run): string {
    const { frames, collisions } = run.recording;
    const [from, to] = [this.clock.time - run.longest, this.clock.time];
    let n = 0;
    for (let row = run.firstFrame(from); row < frames.start.length; row++) {
      if (frames.start[row]! > to) break;
      if (frames.end[row]! > to) n++;
    }
    const jam = run.collisions.most(to, to) > 0 && collisions.time.length > 0;
    return `${counted(n, "frame")} on wires${jam ? ", a collision" : ""}.`;
  }
}
