// Captures of the frames at a connector of the part that is looked at: a run of a chosen workload,
// observed there, as a file for Wireshark.
import { byId, button, element } from "../check/dom";
import { type Model, cabledPorts, connectorName } from "../check/model";
import { type State } from "../check/state";
import { type Workload, wordsOf } from "./settings";
import { type Subject } from "./takeaway";
import { take } from "./taking";

export class Captures {
  private chosen = "";

  constructor(private readonly subject: () => Subject) {}

  /** Offers captures in the panel of the part that is looked at. */
  show(model: Model, state: State): void {
    if (!state.looked) return;
    const { workloads } = this.subject();
    const options = workloads.map((one) => element("option", {}, wordsOf(one)));
    const list = element("select", { id: "capture-workload" }, ...options);
    if (workloads.some((one) => wordsOf(one) === this.chosen)) list.value = this.chosen;
    list.addEventListener("change", () => (this.chosen = list.value));
    const buttons = portsOf(model, state).map((port) => this.button(connectorName(model, port)));
    const label = element("label", {}, "Capture the frames of ", list, " at ");
    byId("looked").append(element("p", { class: "actions", id: "captures" }, label, ...buttons));
  }

  private button(connector: string): HTMLButtonElement {
    const press = () => void take(made, () => this.fields(connector));
    const made: HTMLButtonElement = button(connector, press, `Capture at ${connector}`);
    return made;
  }

  private fields(connector: string): object {
    const subject = this.subject();
    return { ...subject, file: "capture", connector, workload: this.workload(subject.workloads) };
  }

  private workload(workloads: Workload[]): Workload | undefined {
    const { value } = byId<HTMLSelectElement>("capture-workload");
    return workloads.find((one) => wordsOf(one) === value);
  }
}

/** Returns the ports with a cable of the part that is looked at. */
function portsOf(model: Model, { looked }: State): number[] {
  const { linkA, linkB } = model.fabric;
  if (!looked) return [];
  if (looked.kind === "cable") return [linkA[looked.id]!, linkB[looked.id]!];
  if (looked.kind === "nic") return [looked.id];
  return cabledPorts(model, looked.id).map(({ port }) => port);
}
