// Two runs side by side on one time: each is a page of its own in a frame, which this page leads.
// The frames share this page's script and style, so that the file holds them once.
import { byId, element } from "../check/dom";
import { onThemeChange } from "../theme";
import { Clock } from "./clock";
import { type Led, type Wish } from "./led";
import { momentText, spanText } from "./words";

interface Written {
  /** The pages of the runs without script and style. */
  pages: string[];
  names: string[];
}

const STEPS = 10_000;
/** Share of the time that an arrow key goes. */
const ARROW = 0.01;

/** Plays the runs that the page holds; returns once both are ready. */
export function playBeside(script: string): Promise<void> {
  const { pages, names } = JSON.parse(byId("page-data").textContent ?? "") as Written;
  const style = document.querySelector("style")!.textContent ?? "";
  const frames = pages.map((page, at) => {
    const frame = element("iframe", { title: names[at]!, sandbox: "allow-scripts" });
    frame.srcdoc = page
      .replace("<html ", `<html data-led data-theme="${theme()}" `)
      .replace("</head>", () => `<style>${style}</style></head>`)
      .replace("</body>", () => `<script>${script}</script></body>`);
    return frame;
  });
  byId("beside").append(...frames);
  return new Promise((resolve) => new Leader(frames, resolve));
}

function theme(): string {
  return document.documentElement.dataset.theme ?? "light";
}

class Leader {
  private readonly clock = new Clock();
  private readonly ends = new Map<number, number>();
  private readonly range = byId<HTMLInputElement>("seek");
  private drawn = performance.now();

  constructor(
    private readonly frames: HTMLIFrameElement[],
    private readonly ready: () => void,
  ) {
    const { clock } = this;
    addEventListener("message", ({ data, source }: MessageEvent<Wish>) => {
      const from = frames.findIndex(({ contentWindow }) => contentWindow === source);
      if (from >= 0) this.hear(data, from);
    });
    this.wire();
    clock.onChange(() => this.tell());
    onThemeChange(() => this.tell());
    requestAnimationFrame((now) => this.tick(now));
  }

  private wire(): void {
    const { clock } = this;
    this.range.max = String(STEPS);
    this.range.addEventListener("input", () => {
      clock.seek((Number(this.range.value) / STEPS) * clock.end);
    });
    const actions: Record<string, () => void> = {
      play: () => clock.play(!clock.isPlaying),
      "to-start": () => clock.seek(0),
      slower: () => clock.hasten(-1),
      faster: () => clock.hasten(1),
    };
    for (const [id, act] of Object.entries(actions)) byId(id).addEventListener("click", act);
    addEventListener("keydown", (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    const { clock } = this;
    const { tagName } = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || tagName === "BUTTON") return;
    const far = clock.end * ARROW;
    const actions: Record<string, () => void> = {
      " ": () => clock.play(!clock.isPlaying),
      ArrowLeft: () => clock.seek(clock.time - far),
      ArrowRight: () => clock.seek(clock.time + far),
      Home: () => clock.seek(0),
      End: () => clock.seek(clock.end),
    };
    const act = actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Does what a reader wishes in a frame; the axis of time is as long as the longer run. */
  private hear(wish: Wish, from: number): void {
    const { clock, ends } = this;
    if (wish.wish === "seek") clock.seek(wish.time);
    if (wish.wish === "play") clock.play(wish.isPlaying);
    if (wish.wish === "hasten") clock.hasten(wish.steps);
    if (wish.wish === "show") clock.show(wish.span, wish.seconds);
    if (wish.wish === "whole") clock.whole();
    if (wish.wish !== "end") return;
    ends.set(from, wish.end);
    clock.adopt(Math.max(...ends.values()), null);
    if (ends.size < this.frames.length) return;
    document.documentElement.dataset.run = "ready";
    this.ready();
  }

  private tick(now: number): void {
    this.clock.pass(Math.min(0.1, Math.max(0, (now - this.drawn) / 1000)));
    this.drawn = now;
    requestAnimationFrame((next) => this.tick(next));
  }

  private tell(): void {
    const { time, end, speed, isPlaying } = this.clock;
    const led: Led = { time, end, speed, isPlaying, theme: theme() };
    for (const { contentWindow } of this.frames) contentWindow?.postMessage(led, "*");
    this.range.value = String(Math.round((time / end) * STEPS));
    const words = momentText(time, end);
    this.range.setAttribute("aria-valuetext", `${words} of ${momentText(end, end)}`);
    byId("time").textContent = words;
    byId("duration").textContent = momentText(end, end);
    byId("speed").textContent = `1 s shows ${spanText(speed)}`;
    byId("played").style.width = `${(100 * time) / end}%`;
    const button = byId("play");
    button.dataset.playing = String(isPlaying);
    button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }
}
