// The measured spans of a run: each figure of a workload is read between two marks, after repeats
// that warm up. The span at the time of the clock is marked on every axis of time, and the results
// say which figure it gives.
import { byId, button, element } from "../check/dom";
import { type Clock } from "./clock";
import { type Palette } from "./palette";
import { type Recording } from "./recording";
import { type Sheet } from "./sheet";
import { type View } from "./view";
import { momentText, valueText } from "./words";

type Row = Recording["rows"][number];

interface Span {
  from: number;
  to: number;
  /** The figures that are read there, by their places among the rows. */
  rows: number[];
}

const STRIP = 4;

export class MeasuredSpans {
  private spans: Span[] = [];
  private rows: Row[] = [];
  private current = -1;

  constructor(
    private readonly view: View,
    private readonly clock: Clock,
    private readonly redraw: () => void,
  ) {}

  /** Takes another run. */
  adopt({ spans, rows }: Recording): void {
    const found = new Map<string, Span>();
    spans.row.forEach((row, at) => {
      const [from, to] = [spans.from[at]!, spans.to[at]!];
      const key = `${from} ${to}`;
      const span = found.get(key) ?? { from, to, rows: [] };
      span.rows.push(row);
      found.set(key, span);
    });
    this.spans = [...found.values()].sort((a, b) => a.from - b.from || a.to - b.to);
    [this.rows, this.current] = [rows, -1];
    byId("measured").hidden = this.spans.length === 0;
    this.follow();
  }

  /** Chooses the span at the time of the clock: the one that is measured, or is next. */
  follow(): void {
    const { time } = this.clock;
    const next = this.spans.findIndex(({ to }) => to > time);
    const chosen = next < 0 ? this.spans.length - 1 : next;
    if (chosen === this.current || chosen < 0) return;
    this.current = chosen;
    this.show(this.spans[chosen]!);
    this.redraw();
  }

  private show(span: Span): void {
    const lines = byId<HTMLTableElement>("rows").tBodies[0]!.rows;
    [...lines].forEach((line, at) => line.classList.toggle("measured", span.rows.includes(at)));
    const [first] = span.rows.map((at) => this.rows[at]!);
    const go = () => {
      this.clock.seek(span.from);
      this.view.showSpan(span.from, span.to);
    };
    const { end } = this.clock;
    const ends = `${momentText(span.from, end)} to ${momentText(span.to, end)}`;
    byId("measured").replaceChildren(
      element("b", {}, `${valueText(first!.value, first!.unit)}`),
      ` ${meaning(first!)}, measured from ${ends} (`,
      element("i", { class: "key span" }),
      ` on the axes of time). ${warmUp(first!, span)} `,
      button("Show it", go, "Show the measured span"),
    );
  }

  /** Marks the spans on an axis of time. */
  draw({ context, width, height }: Sheet, x: (time: number) => number, palette: Palette): void {
    context.fillStyle = palette.accent;
    this.spans.forEach(({ from, to }, at) => {
      const [left, right] = [Math.max(0, x(from)), Math.min(width, x(to))];
      if (right < left) return;
      const wide = Math.max(1, right - left);
      context.globalAlpha = at === this.current ? 1 : 0.35;
      context.fillRect(left, 0, wide, STRIP);
      if (at !== this.current) return;
      context.globalAlpha = 0.09;
      context.fillRect(left, STRIP, wide, height);
    });
    context.globalAlpha = 1;
  }
}

/** Returns how a figure comes from its span. */
function meaning({ parameters }: Row): string {
  const { repeats } = parameters;
  if (typeof repeats !== "number" || repeats < 2) return "is one run";
  return `is the mean of ${repeats} repeats`;
}

function warmUp({ parameters }: Row, { from }: Span): string {
  const n = parameters.warm_up;
  if (typeof n === "number" && n > 0) {
    return `${n} ${n === 1 ? "repeat" : "repeats"} before that warm up, and count for nothing.`;
  }
  return from > 0 ? "The time before that counts for nothing." : "";
}
