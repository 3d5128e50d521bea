// The view with all that can be taken away: sheets, pictures and pages, the tables, and the files
// for machines, which are shown before they are kept.
import { byId, button, element } from "../check/dom";
import { copyFrom } from "./copying";
import { HostFiles, type Target } from "./hostfiles";
import { pngOf } from "./picture";
import { notice } from "./saving";
import { type Workload, wordsOf } from "./settings";
import { formButtons, take } from "./taking";

/** The tables, with the question that each answers. */
const TABLES: Record<string, string> = {
  bom: "the bill: parts, quantities, prices with their dates and sources",
  cables: "both ends, rate and label of every cable",
  devices: "nodes, hubs and switches, with their parts",
  interfaces: "the addresses of every NIC",
  routes: "the routes of every node",
  hosts: "one name and address per node",
  sysctl: "settings of the kernels, with their reasons",
  findings: "the findings of the check, with their remedies",
  predictions: "the rows of every workload and engine below Prediction",
};

/** The design and the runs that the files are about. */
export interface Subject {
  text: string;
  name: string;
  workloads: Workload[];
  engines: string[];
  seed: number;
  placement: string;
  ranks_per_node: number;
}

export class TakeAway {
  private readonly files: HostFiles;

  constructor(
    targets: Target[],
    private readonly subject: () => Subject,
    address: () => Promise<string | null>,
  ) {
    this.files = new HostFiles(targets, subject);
    const plan = byId<HTMLButtonElement>("download-plan");
    plan.addEventListener("click", () => {
      void take(plan, () => ({ ...subject(), file: "plan", targets: this.files.chosen }));
    });
    this.wire("take-cables", "cables");
    this.wire("take-svg", "drawing");
    this.wire("take-page", "page");
    const png = byId<HTMLButtonElement>("take-png");
    png.addEventListener("click", () => void this.take(png, { file: "drawing" }, pngOf));
    const run = byId<HTMLButtonElement>("take-run");
    run.addEventListener("click", () => void this.take(run, { file: "run", ...this.run() }));
    const rows = Object.entries(TABLES).map(([name, about]) => this.row(name, about));
    byId("take-tables").append(...rows);
    const link = byId("copy-link");
    link.addEventListener("click", () => void address().then((found) => copyLink(link, found)));
  }

  /** Offers the runs that are chosen now, and shows the files for machines of the present text. */
  open(): void {
    const { workloads } = this.subject();
    const list = byId<HTMLSelectElement>("take-workload");
    const before = list.value;
    const words = workloads.map(wordsOf);
    list.replaceChildren(...words.map((one) => element("option", { value: one }, one)));
    list.value = words.includes(before) ? before : (words[0] ?? "");
    byId<HTMLButtonElement>("take-run").disabled = words.length === 0;
    void this.files.show();
  }

  private run(): { workload: Workload | undefined } {
    const { value } = byId<HTMLSelectElement>("take-workload");
    return { workload: this.subject().workloads.find((one) => wordsOf(one) === value) };
  }

  private take(pressed: HTMLButtonElement, fields: object, change?: (file: File) => Promise<File>) {
    return take(pressed, () => ({ ...this.subject(), ...fields }), change);
  }

  private wire(id: string, file: string): void {
    const pressed = byId<HTMLButtonElement>(id);
    pressed.addEventListener("click", () => void this.take(pressed, { file }));
  }

  private row(table: string, about: string): HTMLElement {
    const forms = formButtons(table, (pressed, format) => {
      void this.take(pressed, { file: "table", table, format });
    });
    const words = element("span", {}, table, element("small", {}, about));
    return element("li", {}, words, element("span", { class: "forms" }, ...forms));
  }
}

const TOO_LONG = "The text of this design is too long for a link: save it, and send the file.";

async function copyLink(pressed: HTMLElement, address: string | null): Promise<void> {
  if (address === null) notice("copy", TOO_LONG);
  else await copyFrom(pressed, address);
}
