// The frame or the queue under the pointer as an object: its fields in a panel over the drawing. A
// press, or an event of the list, keeps it there, with ways to its beginning and its end.
import { byId, button, element } from "../check/dom";
import { otherEnd } from "../failures/fabric";
import { formatBytes } from "../quantities";
import { type Clock } from "./clock";
import { type Cluster, connectorName } from "./cluster";
import { FATES, KIND_WORDS } from "./happened";
import { type Seen } from "./moment";
import { ARRIVED, NONE } from "./recording";
import { type Run } from "./run";
import { momentText } from "./words";

/** A frame or a queue by its row. */
export type Thing = Pick<Seen, "kind" | "row">;
type Fields = [name: string, value: string][];

export class ObjectPanel {
  /** The object that a press keeps. */
  kept: Thing | null = null;
  private run: Run | null = null;
  private shown = "";

  constructor(
    private readonly cluster: Cluster,
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  /** Takes another run, whose rows are others. */
  adopt(run: Run): void {
    this.run = run;
    this.keep(null);
  }

  /** Keeps an object, or none any more. */
  keep(thing: Thing | null): void {
    this.kept = thing;
    this.point(null);
    this.changed();
  }

  /** Shows the object under the pointer; where there is none, the one that is kept. */
  point(under: Thing | null): void {
    const thing = under ?? this.kept;
    const isKept = thing !== null && isAlike(thing, this.kept);
    const key = thing ? `${thing.kind} ${thing.row} ${isKept}` : "";
    if (key === this.shown) return;
    this.shown = key;
    const place = byId("object");
    place.hidden = thing === null;
    if (!thing || !this.run) return place.replaceChildren();
    const { title, fields, from, to } = this.describe(this.run, thing);
    const rows = fields.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value)),
    );
    place.classList.toggle("kept", isKept);
    const actions = isKept ? this.actions(from, to) : [];
    place.replaceChildren(element("h3", {}, title), element("dl", {}, ...rows), ...actions);
  }

  private actions(from: number, to: number): HTMLElement[] {
    const go = (words: string, time: number) => button(words, () => this.clock.seek(time));
    const close = button("×", () => this.keep(null), "Close the object");
    return [
      element("p", { class: "actions" }, go("To its begin", from), go("To its end", to), close),
    ];
  }

  private describe(run: Run, { kind, row }: Thing) {
    return kind === "frame" ? this.frame(run, row) : this.queue(run, row);
  }

  private frame({ recording: { frames, connections } }: Run, row: number) {
    const { cluster } = this;
    const { written, fabric } = cluster;
    const [start, end] = [frames.start[row]!, frames.end[row]!];
    const [port, to, connection] = [frames.from[row]!, frames.to[row]!, frames.connection[row]!];
    const link = fabric.linkOf[port]!;
    const fate = frames.fate[row]!;
    const fields: Fields = [
      ["from", connectorName(cluster, port)],
      ["to", to === NONE ? this.nobody(fate) : connectorName(cluster, to)],
      ["size", formatBytes(frames.bytes[row]!)],
      ["kind", KIND_WORDS[frames.kind[row]!]! + (frames.isResent[row] ? ", sent again" : "")],
      ["where", link < 0 ? "before its cable" : `cable ${written.cable_names[link]}`],
      ["since", this.at(start)],
      ["until", `${this.at(end)}: ${fate === ARRIVED ? FATES[fate] : `lost, ${FATES[fate]}`}`],
    ];
    if (connection !== NONE) {
      const ends = [connections.from[connection], connections.to[connection]];
      fields.splice(4, 0, ["connection", ends.map((rank) => `rank ${rank}`).join(" → ")]);
    }
    return { title: "Frame", fields, from: start, to: end };
  }

  private nobody(fate: number): string {
    return fate === ARRIVED ? "all ports of the hub" : "nobody";
  }

  private queue({ recording: { queues, end }, queues: lanes }: Run, row: number) {
    const { cluster } = this;
    const port = queues.port[row]!;
    const own = lanes.of(port);
    const next = own[own.indexOf(row) + 1];
    const until = next === undefined ? end : queues.time[next]!;
    const link = cluster.fabric.linkOf[port]!;
    const fields: Fields = [
      ["at", connectorName(cluster, port)],
      ["to", link < 0 ? "no cable" : connectorName(cluster, otherEnd(cluster.fabric, link, port))],
      ["size", `${formatBytes(queues.bytes[row]!)} wait`],
      ["kind", "outgoing, bytes that wait for the wire"],
      ["where", cluster.written.names[cluster.fabric.deviceOf[port]!]!],
      ["since", this.at(queues.time[row]!)],
      ["until", this.at(until)],
    ];
    return { title: "Queue", fields, from: queues.time[row]!, to: until };
  }

  private at(time: number): string {
    return momentText(time, this.clock.end, this.clock.end / 1e6);
  }
}

/** Returns whether two objects are one. */
export function isAlike(one: Thing, other: Thing | null): boolean {
  return other !== null && one.kind === other.kind && one.row === other.row;
}
