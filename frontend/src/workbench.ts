// Entry of the workbench's script: joins the text, the form, the drawing and the panels. The text
// is the state; all else follows from it.
import { byId } from "./check/dom";
import { wireTheme } from "./theme";
import { type Opened } from "./workbench/answers";
import { DrawView, nodesIn } from "./draw/view";
import { drawnByHand } from "./workbench/byhand";
import { Captures } from "./workbench/capture";
import { Choice } from "./workbench/choice";
import { CompareView } from "./workbench/compare";
import { tellDied } from "./workbench/died";
import { Editor, designOf } from "./workbench/editor";
import { FilesView } from "./workbench/files";
import { Following } from "./workbench/following";
import { Form } from "./workbench/form";
import { type Target } from "./workbench/hostfiles";
import { type View, addressOf, viewIn } from "./workbench/link";
import { wireImport } from "./workbench/importing";
import { Mending } from "./workbench/mending";
import { NetworkView } from "./workbench/network";
import { Offers } from "./workbench/offers";
import { type Change } from "./workbench/patch";
import { Predictions } from "./workbench/predictions";
import { RehearsalView } from "./workbench/rehearsal";
import { Saving, clearNotice, notice } from "./workbench/saving";
import { type Catalogues, DesignSchema, type Schema } from "./workbench/schema";
import { type Presence, ask, onDied, watchServer } from "./workbench/server";
import { playRun } from "./workbench/playing";
import { type Workload } from "./workbench/settings";
import { StudyView } from "./workbench/study";
import { Tabs } from "./workbench/tabs";
import { type Subject, TakeAway } from "./workbench/takeaway";

declare global {
  interface Window {
    /** For scripts that read the page: the text as it stands. */
    workbench: { text: () => string };
  }
}

interface PageData {
  design: Opened;
  nonce: string;
  schema: Schema;
  catalogues: Catalogues;
  workloads: string[];
  engines: string[];
  targets: Target[];
  /** The grammar of faults. */
  faults: string;
  /** Figures of designs that a study can have. */
  plan_figures: string[];
  /** Whether the server brings kernels up. */
  can_emulate: boolean;
  /** Formats of graphs that are imported. */
  importers: { format: string; source: string }[];
}

const GONE =
  "The server has ended. Your text stays here and in this browser: start `linkwright serve` " +
  "again in the same folder, and this page continues.";
const FOREIGN =
  "The server that runs now has another address. Your text stays in this browser: open the " +
  "address that `linkwright serve` printed, and its page offers the text.";

class Workbench {
  private readonly editor: Editor;
  private readonly form: Form;
  private readonly saving: Saving;
  private readonly following: Following;
  private readonly network: NetworkView;
  private readonly predictions: Predictions;
  private readonly compare: CompareView;
  private readonly drawing: DrawView;
  private presence: Presence | null = null;
  private readonly choice: Choice;

  constructor(data: PageData, linked: View | null) {
    const schema = new DesignSchema(data.schema, data.catalogues);
    const renamed = () => this.following.later();
    this.saving = new Saving(() => this.editor, data.design, renamed, linked?.text);
    const make = (changes: Change[]) => this.editor.patch(changes);
    const place = byId("editor");
    const first = this.saving.first();
    this.editor = new Editor(place, first, schema, data.nonce, () => this.changed());
    const byHand = () => this.drawByHand();
    const [undo, redo] = [() => this.editor.undo(), () => this.editor.redo()];
    this.drawing = new DrawView({ schema, make, undo, redo, byHand });
    const file = () => this.saving.name;
    const offers = new Offers(file);
    const formPlace = byId<HTMLFormElement>("form");
    this.form = new Form(formPlace, schema, make, () => void byHand(), offers);
    const mending = new Mending(schema, make, () => this.drawing.parts, file);
    this.predictions = new Predictions(data.engines);
    const later = () => this.following.later();
    const play = (workload: Workload) => {
      void playRun(() => ({ text: this.text, name: name(), workload, ...choice.run }));
    };
    const known = [data.workloads, data.engines] as const;
    const choice = (this.choice = new Choice(...known, later, play, linked?.chosen));
    const captures = new Captures(() => this.subject);
    const looked = (...about: Parameters<Captures["show"]>) => captures.show(...about);
    const network = (this.network = new NetworkView(make, linked?.bench, looked));
    const name = () => this.saving.name;
    this.following = new Following(this.editor, network, this.predictions, choice, name);
    this.following.onDrawn = (svg) => {
      this.drawing.showDrawn(svg);
      this.form.showNodes(nodesIn(svg), designOf(this.text, true));
    };
    this.following.onDone = (text) => void offers.ask(text);
    this.following.onMistakes = (text, mistakes, items) => {
      this.drawing.lint(mistakes);
      mending.offer(text, mistakes, items);
      if (mistakes.length > 0) offers.forget();
    };
    this.compare = new CompareView(data, () => ({ name: name(), text: this.text }));
    this.makeViews(data, linked?.tab);
    byId("undo").addEventListener("click", undo);
    byId("redo").addEventListener("click", redo);
    this.changed();
    this.saving.offer();
    onDied(tellDied);
    void watchServer((presence) => this.meet(presence));
  }

  get text(): string {
    return this.editor.text;
  }

  /** The design and the runs as they are chosen. */
  private get subject(): Subject {
    return { text: this.text, name: this.saving.name, ...this.choice.all };
  }

  /** Says whether the server is there; one that has come back is asked again. */
  private meet(presence: Presence): void {
    if (presence === this.presence) return;
    if (presence === "there") {
      clearNotice("server");
      if (this.presence !== null) this.following.later();
    } else notice("server", presence === "gone" ? GONE : FOREIGN);
    this.presence = presence;
  }

  /** Writes every cable of the design into its text; returns why it cannot be. */
  private async drawByHand(): Promise<string> {
    const { text } = this;
    const found = await drawnByHand(text, this.saving.name);
    if (typeof found === "string") return found;
    if (this.text !== text) return "The text has changed meanwhile.";
    this.editor.patch(found);
    this.drawing.choose(true);
    return "";
  }

  private makeViews(data: PageData, first?: string): void {
    const { compare } = this;
    const rehearsal = data.can_emulate ? new RehearsalView(() => this.subject) : null;
    const own = rehearsal ? ["rehearse"] : [];
    const names = ["design", "compare", "study", "files", ...own, "take"];
    const tabs = new Tabs(names, (name) => {
      if (name === "compare") void compare.list();
      if (name === "study") void study.list();
      if (name === "files") void files.list();
      if (name === "rehearse") rehearsal?.open();
      if (name === "take") takeAway.open();
    });
    const subject = () => this.subject;
    const takeAway = new TakeAway(data.targets, subject, () => this.address(tabs.chosen));
    const files = new FilesView(
      (opened) => {
        this.following.forget();
        this.saving.open(opened);
        tabs.choose("design");
      },
      () => ({ text: this.text, design: this.saving.name }),
      (marks) => this.network.mark(marks),
    );
    wireImport(data, (text) => {
      this.following.forget();
      this.saving.begin(text);
      tabs.choose("design");
    });
    const current = () => ({ ...subject(), isSaved: this.saving.isSaved });
    const study = new StudyView(data, current, (name) => {
      tabs.choose("files");
      files.openStudy(name);
    });
    if (first && names.includes(first)) tabs.choose(first);
    wireTheme();
  }

  /** Returns a link to the page as it is; null if the text is too long for one. */
  private address(tab: string): Promise<string | null> {
    const { text, choice, saving, network } = this;
    return addressOf({ name: saving.name, text, tab, bench: network.said, chosen: choice.all });
  }

  private changed(): void {
    const design = designOf(this.editor.text, true);
    this.form.show(design);
    this.drawing.show(design);
    const { canUndo, canRedo } = this.editor;
    for (const [name, can] of Object.entries({ undo: canUndo, redo: canRedo })) {
      for (const id of [name, `draw-${name}`]) byId<HTMLButtonElement>(id).disabled = !can;
    }
    this.saving.changed();
    this.network.mark(null); // a watch marks the new text at its next look
    this.following.later();
    this.compare.designChanged();
  }
}

/** Returns the view that the address asks for, and takes it off the address, so that a reload
 * keeps later changes. */
async function linkedView(data: PageData): Promise<View | null> {
  const linked = await viewIn(location.hash);
  if (!linked) return null;
  history.replaceState(null, "", location.pathname + location.search);
  const { name, text } = linked;
  if (name !== data.design.name) {
    const none = { name: "", text, digest: null };
    data.design = await ask("/api/design", { name }).catch(() => none);
  }
  return linked;
}

async function start(): Promise<void> {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  const data = JSON.parse(byId("page-data").textContent ?? "") as PageData;
  const workbench = new Workbench(data, await linkedView(data));
  window.workbench = { text: () => workbench.text };
}

void start();
