// The folder of the server: designs open in the editor, results as tables, studies as pivots with
// one of their figures, real machines beside the open design.
import { type Chart, ChartView } from "../charts";
import { byId, button, element } from "../check/dom";
import { type Listed, type Machines, type Marks, type Opened } from "./answers";
import { type Study, type Table } from "./answers";
import { ask, isClosed, listen } from "./server";
import { tableButtons, wordsOf } from "./taking";

type Kind = keyof Listed;

const MOST_SHOWN = 500;
const NUMBER = /^-?\d[\d.]*(e[-+]?\d+)?$/i;

export class FilesView {
  private closing = new AbortController();

  private next = 0;
  private shown = "";

  constructor(
    private readonly openDesign: (opened: Opened) => void,
    private readonly openText: () => { text: string; design: string },
    private readonly mark: (marks: Marks | null) => void,
  ) {
    byId("files-refresh").addEventListener("click", () => void this.list());
  }

  /** Shows a study of the folder. */
  openStudy(name: string): void {
    void this.open("studies", name);
  }

  async list(): Promise<void> {
    try {
      const found = await ask("/api/files");
      const lists = (["designs", "results", "studies"] as const).flatMap((kind) => [
        element("h3", {}, kind),
        found[kind].length > 0
          ? element("ul", {}, ...found[kind].map((name) => this.entry(kind, name)))
          : element("p", { class: "note" }, `no ${kind}`),
      ]);
      byId("files").replaceChildren(...lists);
    } catch (trouble) {
      byId("files").replaceChildren(element("p", { class: "reason" }, wordsOf(trouble)));
    }
  }

  private entry(kind: Kind, name: string): HTMLElement {
    const open = () => void (kind === "designs" ? this.design(name) : this.open(kind, name));
    return element("li", {}, button(name, open, "", "plain"));
  }

  private async design(name: string): Promise<void> {
    try {
      this.openDesign(await ask("/api/design", { name }));
    } catch (trouble) {
      this.refuse(trouble);
    }
  }

  private async open(kind: Kind, name: string, asked: object | null = null): Promise<void> {
    this.closing.abort();
    clearTimeout(this.next);
    const closing = (this.closing = new AbortController());
    const fields = { kind, name, asked, ...this.openText() };
    if (name !== this.shown) this.mark(null);
    this.shown = name;
    try {
      await listen("/api/open", fields, closing.signal, (event, data) => {
        if (event === "machines") this.showMachines(name, data);
        if (event === "table") this.showTable(name, data, asked !== null);
        if (event === "study") this.showStudy(name, data);
        if (event === "figure") showFigure(data.charts as Chart[]);
        if (event === "refused") this.refuse((data as { message: string }[])[0]);
        if (event === "died") this.refuse(data);
      });
    } catch (trouble) {
      if (!isClosed(trouble) && !closing.signal.aborted) this.refuse(trouble);
    }
  }

  /** Shows real machines beside the design, and looks again while a watch writes the file. */
  private showMachines(name: string, { html, marks, next_s }: Machines): void {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    byId("file-shown").replaceChildren(...document.importNode(parsed.body, true).childNodes);
    this.mark(marks);
    if (next_s === null) return;
    this.next = window.setTimeout(() => void this.open("results", name), next_s * 1000);
  }

  private refuse(trouble: unknown): void {
    this.answer().replaceChildren(element("p", { class: "reason" }, wordsOf(trouble)));
  }

  /** The place of an answer: below the questions to a study, else the whole card. */
  private answer(): HTMLElement {
    return document.getElementById("study-answer") ?? byId("file-shown");
  }

  private showTable(name: string, table: Table, isAnswer: boolean): void {
    const rows = table.rows.slice(0, MOST_SHOWN).map((row) =>
      element("tr", {}, ...row.map((cell) => cellOf(cell))),
    );
    const head = table.headings.map((text, at) => {
      const style = isNumber(table.rows[0]?.[at]) ? "number" : "";
      return element("th", { scope: "col", class: style }, text.replaceAll("_", " "));
    });
    const made = element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows),
    );
    const more = table.n_rows - rows.length;
    const parts = [
      element("p", { class: "note" }, table.caption ?? ""),
      element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows" }, made),
      element("p", { class: "note" }, more > 0 ? `and ${more.toLocaleString("en")} rows more` : ""),
      tableButtons(isAnswer ? `${name} table` : name, table.headings, table.rows),
    ];
    if (isAnswer) this.answer().replaceChildren(...parts);
    else byId("file-shown").replaceChildren(element("h2", {}, name), ...parts);
  }

  private showStudy(name: string, study: Study): void {
    const { usual } = study;
    const kind = choice("figure", "kind", study.figures);
    const over = element("span", {});
    const form = element(
      "form",
      { class: "settings", id: "study-question" },
      kind,
      choice("metric", "metric", study.metrics, usual.metric),
      over,
      choice("by", "by", ["", ...study.columns], usual.by),
      element("button", { type: "submit", class: "main" }, "Show"),
    );
    const offer = () => {
      const { value } = kind.querySelector("select")!;
      const { metrics, columns } = study;
      if (value === "sensitivity") over.replaceChildren();
      else if (value !== "pareto") over.replaceChildren(choice("over", "x", columns, usual.x));
      else over.replaceChildren(choice("against", "x", metrics, metrics.at(-1)));
    };
    kind.addEventListener("change", offer);
    offer();
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.askStudy(name, form);
    });
    byId("file-shown").replaceChildren(
      element("h2", {}, name),
      form,
      element("div", { id: "study-figure" }),
      element("div", { id: "study-answer" }),
    );
    void this.askStudy(name, form);
  }

  private askStudy(name: string, form: HTMLFormElement): Promise<void> {
    const asked = Object.fromEntries(new FormData(form)) as Record<string, string>;
    byId("study-figure").replaceChildren();
    byId("study-answer").replaceChildren(element("p", { class: "note" }, "computing …"));
    return this.open("studies", name, asked);
  }
}

function choice(label: string, name: string, words: string[], chosen = words[0]): HTMLElement {
  const options = words.map((word) => element("option", { value: word }, word || "nothing"));
  const field = element("select", { name }, ...options);
  field.value = chosen ?? "";
  return element("label", {}, `${label} `, field);
}

/** Shows the figure of a study. */
function showFigure(charts: Chart[]): void {
  const label = "Figure of the study; the table below has its numbers";
  const places = charts.map(() =>
    element("div", { class: "chart", role: "img", "aria-label": label }),
  );
  byId("study-figure").replaceChildren(...places);
  charts.forEach((chart, at) => new ChartView(places[at]!).show(chart));
}

function cellOf(cell: unknown): HTMLElement {
  const words = textOf(cell);
  if (isNumber(cell)) return element("td", { class: "number" }, words);
  // A long cell is cut off, and told whole by its title.
  return element("td", words.length > 30 ? { title: words } : {}, words);
}

function isNumber(cell: unknown): boolean {
  return typeof cell === "number" || (typeof cell === "string" && NUMBER.test(cell));
}

function textOf(cell: unknown): string {
  if (typeof cell === "number") return String(Number(cell.toPrecision(6)));
  return cell === null ? "" : String(cell);
}
