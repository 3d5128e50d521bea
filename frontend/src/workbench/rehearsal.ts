// A rehearsal of the design on real kernels of the server's machine: started, watched, stopped, and
// its outcome: the verdict, the figures beside the prediction, and a lane per rank.
import { byId, element } from "../check/dom";
import { formatBytes, formatTime } from "../quantities";
import { type Progress, type Rehearsed, type RehearsedLane, type Verified } from "./answers";
import { headings } from "./panels";
import { type EventOf, Refused, isClosed, listen } from "./server";
import { type Workload, wordsOf as workloadWords } from "./settings";
import { type Subject } from "./takeaway";
import { wordsOf } from "./taking";

const SVG = "http://www.w3.org/2000/svg";
const LANE = 22;
const WIDTH = 1000;
/** The class of a verdict. */
const TONES: Record<string, string> = { faithful: "good", stretched: "warn", invalid: "bad" };

export class RehearsalView {
  private closing = new AbortController();
  private isRunning = false;
  private stage = "";

  constructor(private readonly subject: () => Subject) {
    byId("rehearse-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.start();
    });
    byId("rehearse-stop").addEventListener("click", () => this.stop());
  }

  /** Offers the workloads that are chosen now. */
  open(): void {
    const list = byId<HTMLSelectElement>("rehearse-workload");
    const before = list.value;
    const words = this.subject().workloads.map(workloadWords);
    list.replaceChildren(...words.map((one) => element("option", { value: one }, one)));
    list.value = words.includes(before) ? before : (words[0] ?? "");
  }

  private async start(): Promise<void> {
    this.closing.abort();
    const closing = (this.closing = new AbortController());
    this.stage = "starting";
    this.say("starting …", "computing");
    const fields = { ...this.question(), tells_progress: true };
    try {
      await listen("/api/rehearse", fields, closing.signal, (...said) => this.take(said));
    } catch (trouble) {
      if (!isClosed(trouble) && !closing.signal.aborted) this.say(wordsOf(trouble), "failed");
    }
  }

  private question(): object {
    const subject = this.subject();
    const form = new FormData(byId<HTMLFormElement>("rehearse-form"));
    const { value } = byId<HTMLSelectElement>("rehearse-workload");
    const isWanted = (one: Workload) => workloadWords(one) === value;
    const dilation = byId<HTMLInputElement>("rehearse-dilation").valueAsNumber;
    const faults = byId<HTMLInputElement>("rehearse-faults").value.split(";");
    return {
      ...subject,
      verifies: form.get("rehearsed") === "plan",
      workload: subject.workloads.find(isWanted) ?? null,
      dilation: Number.isFinite(dilation) ? dilation : null,
      faults: faults.map((one) => one.trim()).filter(Boolean),
    };
  }

  private take([event, data]: EventOf<"/api/rehearse">): void {
    if (event === "progress") this.tell(data);
    if (event === "waiting") this.say(`${this.stage}, for ${data.seconds} s …`, "computing");
    if (event === "rehearsed") this.show(outcome(data));
    if (event === "verified") this.show(proof(data));
    if (event === "refused") {
      const [{ message, hint }] = data as [{ message: string; hint: string }];
      this.say(wordsOf(new Refused(400, message, hint)), "failed");
    }
    if (event === "died") this.say(data.message, "failed");
  }

  private tell({ done, all, label }: Progress): void {
    this.stage = all > 1 ? `${label}: ${done} of ${all}` : label;
    this.say(`${this.stage} …`, "computing");
  }

  private show(parts: HTMLElement[]): void {
    this.say("ready", "ready");
    const place = byId("rehearse-answer");
    place.hidden = false;
    place.replaceChildren(...parts);
  }

  private stop(): void {
    if (!this.isRunning) return;
    this.closing.abort();
    this.say("stopped: nothing remains", "cancelled");
  }

  private say(text: string, state: string): void {
    const place = byId("rehearse-state");
    place.textContent = text;
    place.dataset.state = state;
    this.isRunning = state === "computing";
    byId("rehearse-stop").hidden = !this.isRunning;
    byId("rehearse-answer").classList.toggle("stale", state !== "ready");
  }
}

function outcome({ word, verdict, remarks, rows, lanes, span_s }: Rehearsed): HTMLElement[] {
  const body = rows.map(({ words, metric, measured, predicted }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", title: metric }, words),
      element("td", { class: "number" }, measured),
      element("td", { class: "number" }, predicted || "–"),
    ),
  );
  const head = headings(["figure", ""], ["measured", "number"], ["predicted", "number"]);
  return [
    element("h2", { class: `verdict ${TONES[word] ?? ""}` }, word || "no verdict"),
    element("p", {}, verdict),
    element("table", {}, head, element("tbody", {}, ...body)),
    ...lanesOf(lanes, span_s),
    element("ul", { class: "note" }, ...remarks.map((one) => element("li", {}, one))),
  ];
}

function proof({ text, agrees, disagreements }: Verified): HTMLElement[] {
  const word = agrees ? "as proved" : "other than proved";
  return [
    element("h2", { class: `verdict ${agrees ? "good" : "bad"}` }, word),
    element("p", {}, text),
    element("ul", {}, ...disagreements.map((one) => element("li", {}, one))),
  ];
}

/** Returns a lane per rank: the bytes that its node sends above the line, receives below it. */
function lanesOf(lanes: RehearsedLane[], span_s: number): HTMLElement[] {
  const n = lanes[0]?.sent.length ?? 0;
  if (n === 0) return [];
  const most = Math.max(1, ...lanes.flatMap(({ sent, received }) => [...sent, ...received]));
  const rows = lanes.map(({ name, sent, received }) => {
    const [out, into] = [sent, received].map((all) => all.reduce((sum, one) => sum + one, 0));
    const title = `rank ${name}: sent ${formatBytes(out!)}, received ${formatBytes(into!)}`;
    const drawn = lane(sent, received, most);
    return element("div", { class: "lane", title }, element("span", {}, name), drawn);
  });
  const words =
    "Lanes of ranks: what the node of each sends (above) and receives (below) in " +
    `${formatTime(n * span_s)}.`;
  const label = { class: "rehearsed-lanes", role: "img", "aria-label": words };
  const note = element("p", { class: "note" }, words);
  return [element("h3", {}, "Lanes"), note, element("div", label, ...rows)];
}

function lane(sent: number[], received: number[], most: number): HTMLElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 ${-LANE / 2} ${WIDTH} ${LANE}`);
  svg.setAttribute("preserveAspectRatio", "none");
  for (const [style, values, way] of [["sent", sent, -1], ["received", received, 1]] as const) {
    const path = document.createElementNS(SVG, "path");
    const wide = WIDTH / values.length;
    const bars = values.map((value, at) => {
      const high = way * Math.sqrt(value / most) * (LANE / 2 - 1);
      return value > 0 ? `M${at * wide} 0v${high}h${wide}V0z` : "";
    });
    path.setAttribute("class", style);
    path.setAttribute("d", bars.join(""));
    svg.append(path);
  }
  return svg as unknown as HTMLElement;
}
