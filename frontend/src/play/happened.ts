// The events in a span of a run: frames, messages, losses, collisions, time-outs and faults, in the
// order of time, and their sums. Words are compared with the names of ports and ranks, so that
// two million frames are searched without a text for each.
import { portsOf } from "../failures/fabric";
import { formatBytes } from "../quantities";
import { type Cluster, type Part, connectorName } from "./cluster";
import { ARRIVED, NONE } from "./recording";
import { type Run } from "./run";

export const KIND_WORDS = ["data", "acknowledgement", "control", "datagram", "pause"];
export const FATES = [
  "arrived",
  "queue full",
  "receiver full",
  "lost on the wire",
  "too many collisions",
  "no route",
];

export interface Asked {
  from: number;
  to: number;
  /** "all", "trouble", "messages" or "frames". */
  kind: string;
  words: string;
  part: Part | null;
}

export interface Happened {
  time: number;
  text: string;
  isTrouble: boolean;
  /** Its row among the frames, where it is one. */
  frame?: number;
}

interface Direction {
  name: string;
  frames: number;
  bytes: number;
  /** The share of the span in which the wire is busy. */
  share: number;
}

export interface Sums {
  frames: number;
  bytes: number;
  lost: number;
  collisions: number;
  timeouts: number;
  messages: number;
  /** The outgoing ports of the chosen part. */
  directions: Direction[];
}

/** Returns the first events of a span that are asked for, their number, and the sums of all. */
export function eventsIn(run: Run, cluster: Cluster, asked: Asked, most: number) {
  const names = new Names(cluster, asked);
  const counts = { frames: 0, bytes: 0, lost: 0, collisions: 0, timeouts: 0, messages: 0 };
  const sums: Sums = { ...counts, directions: [] };
  const events: Happened[] = [];
  let n = 0;
  const take: Take = (kinds, time, isTrouble, text, frame) => {
    if (!kinds.includes(asked.kind)) return;
    n++;
    if (events.length < most) events.push({ time, text: text(), isTrouble, frame });
  };
  addFrames(run, asked, names, sums, take);
  addOthers(run, cluster, asked, names, sums, take);
  events.sort((one, other) => one.time - other.time);
  return { events, n, sums };
}

type Take = (
  kinds: string[],
  time: number,
  isTrouble: boolean,
  text: () => string,
  frame?: number,
) => void;

function addFrames(run: Run, { from, to }: Asked, names: Names, sums: Sums, take: Take): void {
  const { frames } = run.recording;
  const counts = new Map<number, Direction & { busy: number }>();
  for (let row = run.firstFrame(from - run.longest); row < frames.start.length; row++) {
    const [start, end] = [frames.start[row]!, frames.end[row]!];
    if (start > to) break;
    const [port, other] = [frames.from[row]!, frames.to[row]!];
    if (end < from || !names.hasPart(port, other)) continue;
    const isLost = frames.fate[row] !== ARRIVED;
    const [kind, fate] = [KIND_WORDS[frames.kind[row]!]!, FATES[frames.fate[row]!]!];
    if (!names.hasWords(port, other, isLost ? fate : kind)) continue;
    sums.frames++;
    sums.bytes += frames.bytes[row]!;
    if (isLost) sums.lost++;
    if (names.part) {
      const none = { frames: 0, bytes: 0, share: 0, busy: 0 };
      const one = counts.get(port) ?? { name: names.port(port), ...none };
      one.frames++;
      one.bytes += frames.bytes[row]!;
      one.busy += Math.min(to, end) - Math.max(from, start);
      counts.set(port, one);
    }
    const words = () => {
      const target = other === NONE ? "" : ` → ${names.port(other)}`;
      const lost = isLost ? `: lost, ${fate}` : "";
      const again = frames.isResent[row] ? ", sent again" : "";
      const size = formatBytes(frames.bytes[row]!);
      return `${kind}, ${size}, ${names.port(port)}${target}${again}${lost}`;
    };
    const kinds = isLost ? ["all", "trouble", "frames"] : ["frames"];
    take(kinds, isLost ? end : start, isLost, words, row);
  }
  const span = to - from || 1;
  const found = [...counts.values()];
  sums.directions = found.map(({ busy, ...one }) => ({ ...one, share: busy / span }));
}

function addOthers(
  run: Run,
  cluster: Cluster,
  asked: Asked,
  names: Names,
  sums: Sums,
  take: Take,
): void {
  const { messages, timeouts, connections, collisions, faults } = run.recording;
  const { written } = cluster;
  const isIn = (time: number) => time >= asked.from && time <= asked.to;
  const rank = (one: number) => `rank ${one} (${written.names[written.node_of_rank[one] ?? one]})`;
  if (!asked.part) {
    run.messages.overlapping(asked.from, asked.to, (row) => {
      const ends = `${rank(messages.from[row]!)} → ${rank(messages.to[row]!)}`;
      const text = `message of ${formatBytes(messages.bytes[row]!)}, ${ends}`;
      if (!names.isIn(text)) return;
      sums.messages++;
      take(["all", "messages"], messages.start[row]!, false, () => text);
    });
  }
  timeouts.time.forEach((time, row) => {
    const connection = timeouts.connection[row]!;
    const ends = `${rank(connections.from[connection]!)} → ${rank(connections.to[connection]!)}`;
    const text = `time-out, ${ends}`;
    if (asked.part || !isIn(time) || !names.isIn(text)) return;
    sums.timeouts++;
    take(["all", "trouble"], time, true, () => text);
  });
  collisions.time.forEach((time, row) => {
    const hub = collisions.hub[row]!;
    const text = `collision of ${collisions.stations[row]} stations on ${written.names[hub]}`;
    const isOther = asked.part !== null && !(asked.part.kind === "hub" && asked.part.id === hub);
    if (isOther || !isIn(time) || !names.isIn(text)) return;
    sums.collisions++;
    take(["all", "trouble"], time, true, () => text);
  });
  faults.time.forEach((time, row) => {
    const text = `${faults.part[row]} ${faults.isRepair[row] ? "returns" : "fails"}`;
    if (isIn(time) && names.isIn(text)) take(["all", "trouble"], time, true, () => text);
  });
}

/** Returns the frames of a part in a span as CSV. */
export function framesTable(
  run: Run,
  cluster: Cluster,
  part: Part,
  span: { from: number; to: number },
): string {
  const { frames } = run.recording;
  const names = new Names(cluster, { ...span, kind: "frames", words: "", part });
  const lines = ["start_s,end_s,from,to,bytes,kind,fate"];
  for (let row = run.firstFrame(span.from - run.longest); row < frames.start.length; row++) {
    if (frames.start[row]! > span.to) break;
    const [port, other] = [frames.from[row]!, frames.to[row]!];
    if (frames.end[row]! < span.from || !names.hasPart(port, other)) continue;
    const target = other === NONE ? "" : names.port(other);
    const [kind, fate] = [KIND_WORDS[frames.kind[row]!], FATES[frames.fate[row]!]];
    const [start, end, bytes] = [frames.start[row], frames.end[row], frames.bytes[row]];
    const cells = [start, end, names.port(port), target, bytes, kind, fate];
    lines.push(cells.map(cell).join(","));
  }
  return `${lines.join("\r\n")}\r\n`;
}

/** Returns a cell of CSV; a name is no formula of a spreadsheet. */
function cell(value: unknown): string {
  const text = typeof value === "string" && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The names of ports, which of them the words name, and which are those of the part. */
class Names {
  readonly part: Part | null;
  private readonly words: string;
  private readonly named: boolean[];
  private readonly own: Set<number> | null;

  constructor(
    private readonly cluster: Cluster,
    { words, part }: Asked,
  ) {
    const { fabric } = cluster;
    this.part = part;
    this.words = words.trim().toLowerCase();
    this.named = Array.from(fabric.deviceOf, (_, port) => this.isIn(this.port(port)));
    this.own = part && new Set(ownPorts(cluster, part));
  }

  port(port: number): string {
    return connectorName(this.cluster, port);
  }

  isIn(text: string): boolean {
    return text.toLowerCase().includes(this.words);
  }

  hasWords(port: number, other: number, kind: string): boolean {
    return this.named[port]! || (other !== NONE && this.named[other]!) || this.isIn(kind);
  }

  hasPart(port: number, other: number): boolean {
    return !this.own || this.own.has(port) || (other !== NONE && this.own.has(other));
  }
}

function ownPorts({ fabric }: Cluster, { kind, id }: Part): number[] {
  if (kind === "cable") return [fabric.linkA[id]!, fabric.linkB[id]!];
  return kind === "nic" ? [id] : portsOf(fabric, id);
}
