// A drawing that is edited: the text's graph, what is chosen in it, and the steps that the mouse,
// the keys and the buttons take. Each step is one change of the text, so one undo takes it back.
import { type Change, type Value } from "../workbench/patch";
import { type DesignSchema } from "../workbench/schema";
import * as edits from "./edits";
import { type Cable, type Graph, type Kind, type Point, graphOf, mapOf } from "./graph";
import { type Arrangement, arranged, freePlace, middle, placesFor } from "./layout";
import { type Parts, Plugging, firstNics } from "./plugging";

/** Parts that new things get; null for the usual ones of the design. */
export type Palette = Record<"node" | "switch" | "hub" | "cable", string | null>;

export type Joining = "chain" | "ring" | "pairs" | "star";

export interface Surroundings {
  schema: DesignSchema;
  make: (changes: Change[]) => void;
  undo: () => void;
  redo: () => void;
  /** Makes a design of another kind one that is drawn by hand; says why it cannot. */
  byHand: () => Promise<string>;
}

export class Editing {
  design: unknown = null;
  graph: Graph | null = null;
  places = new Map<string, Point>();
  readonly chosen = new Set<string>();
  readonly chosenCables = new Set<number>();
  readonly palette: Palette = { node: null, switch: null, hub: null, cable: null };
  /** Where the next cable begins: a device, or the next one that is pressed. */
  cabling: { from: string | null } | null = null;
  /** Middle of what is seen: new devices are put near it. */
  centre: () => Point = () => middle(this.places.values());
  private drawn = new Map<string, Point>();
  private clip: edits.Clip | null = null;
  private pasted = 0;
  private readonly listeners: (() => void)[] = [];
  private message = "";

  constructor(private readonly around: Surroundings) {}

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** The last thing that could not be done, or that is expected next. */
  get hint(): string {
    if (this.message) return this.message;
    if (!this.cabling) return "";
    const { from } = this.cabling;
    if (from) return `Cable from ${from}: choose its other end.`;
    return "Choose the first end of the cable.";
  }

  say(message: string): void {
    this.message = message;
    this.changed();
  }

  /** Takes the text as it is now; null while it cannot be read. */
  show(design: unknown): void {
    if (design === null) return;
    const before = this.graph?.cables ?? [];
    this.design = design;
    this.graph = graphOf(design);
    const names = this.graph?.devices;
    for (const name of this.chosen) if (!names?.has(name)) this.chosen.delete(name);
    for (const index of this.chosenCables) {
      if (pairAt(before, index) !== pairAt(this.graph?.cables ?? [], index)) {
        this.chosenCables.delete(index);
      }
    }
    if (this.cabling?.from && !names?.has(this.cabling.from)) this.cabling = { from: null };
    this.places = this.graph ? placesFor(this.graph, this.drawn) : new Map();
    this.changed();
  }

  /** Takes the places of the last drawing, for devices that the text gives none. */
  showDrawn(places: Map<string, Point>): void {
    this.drawn = places;
    if (!this.graph) return;
    this.places = placesFor(this.graph, places);
    this.changed();
  }

  get parts(): Parts {
    const { schema } = this.around;
    const catalogue = schema.catalogues[schema.catalogueOf(this.design)] ?? {
      title: "",
      parts: {},
      defaults: {},
      facts: {},
    };
    const given = mapOf(mapOf(this.design).parts);
    const usual: Record<string, string> = { ...catalogue.defaults };
    for (const [role, part] of Object.entries(given)) {
      const key = typeof part === "string" ? part : mapOf(part).key;
      usual[role] = typeof key === "string" ? key : typeof part === "object" ? "" : "";
    }
    return { catalogue, usual };
  }

  choose(name: string, isAdded = false): void {
    if (!isAdded) this.clearChoice();
    if (isAdded && this.chosen.has(name)) this.chosen.delete(name);
    else this.chosen.add(name);
    this.message = "";
    this.changed();
  }

  chooseOnly(names: Iterable<string>): void {
    this.clearChoice();
    for (const name of names) this.chosen.add(name);
    this.message = "";
    this.changed();
  }

  chooseCable(index: number, isAdded = false): void {
    if (!isAdded) this.clearChoice();
    this.chosenCables.add(index);
    this.message = "";
    this.changed();
  }

  private clearChoice(): void {
    this.chosen.clear();
    this.chosenCables.clear();
  }

  /** Changes the text; the places of all devices are kept in it from the first step on. */
  private make(
    changes: Change[],
    places = new Map<string, Point>(),
    gone = new Set<string>(),
  ): void {
    this.message = "";
    const kept = new Map<string, Point>();
    for (const [name, place] of this.places) {
      if (!this.graph?.places.has(name) && !gone.has(name)) kept.set(name, place);
    }
    for (const [name, place] of places) kept.set(name, place);
    const stale = this.graph ? edits.stalePlaces(this.design, this.graph) : [];
    this.around.make([...changes, ...stale, ...edits.setPlaces(this.design, kept)]);
  }

  /** Returns the graph, after a design of another kind has become a drawing. */
  private async drawing(): Promise<Graph | null> {
    if (!this.graph) await this.drawByHand();
    return this.graph;
  }

  async drawByHand(): Promise<void> {
    const reason = await this.around.byHand();
    this.say(reason || "Each cable is in the text now. Undo brings the rule back.");
  }

  /** Begins a drawing with two computers and a cable. */
  begin(): void {
    const { nic, nics } = firstNics(this.palette.node, this.parts);
    const own = Object.fromEntries(Array.from({ length: nics }, (_, at) => [`eth${at}`, nic]));
    const { node } = this.palette;
    const one = (): Value => (node === null ? { nics: own } : { part: node, nics: own });
    const topology: Value = { kind: "custom", nodes: { n0: one(), n1: one() }, cables: [] };
    const design = { ...mapOf(this.design), topology };
    const plugging = new Plugging(design, graphOf(design)!, this.parts);
    plugging.join("n0", "n1", this.palette.cable);
    for (const change of plugging.changes) {
      const { value } = change as { value: Value };
      if (change.path[1] === "cables") topology.cables = value;
    }
    const places: Value = { n0: { drawn: [0, 0] }, n1: { drawn: [160, 0] } };
    const given = mapOf(this.design);
    const rest = ["nodes", "names", "addressing", "routing", "front_end"]
      .filter((key) => key in given)
      .map((key): Change => ({ path: [key], value: undefined }));
    this.message = "";
    this.around.make([
      { path: ["topology"], value: topology },
      ...rest,
      { path: ["places"], value: places },
    ]);
    this.chooseOnly(["n0", "n1"]);
  }

  /** Adds a device, and returns its name; empty if it cannot be. */
  async add(kind: Kind, at?: Point): Promise<string> {
    if ((this.parts.catalogue.parts[kind] ?? []).length === 0) {
      this.say(`The catalogue has no ${kind}.`);
      return "";
    }
    const graph = await this.drawing();
    if (!graph) return "";
    const { name, changes } = this.added(graph, kind);
    const place = at ?? freePlace(this.places.values(), this.centre());
    this.make(changes, new Map([[name, place]]));
    this.chooseOnly([name]);
    return name;
  }

  private added(graph: Graph, kind: Kind) {
    const part = this.palette[kind];
    const own = kind === "node" ? firstNics(part, this.parts) : { nic: null, nics: 0 };
    return edits.addDevice(graph, { kind, part, ...own });
  }

  /** Adds a node at a place with a cable from a device, in one step. */
  grow(from: string, at: Point): void {
    if (!this.graph) return;
    const { name, device, changes } = this.added(this.graph, "node");
    const devices = new Map([...this.graph.devices, [name, device]]);
    const plugging = new Plugging(this.design, { ...this.graph, devices }, this.parts);
    if (!plugging.join(from, name, this.palette.cable)) return this.say(plugging.reason);
    this.make([...changes, ...plugging.changes], new Map([[name, at]]));
    this.chooseOnly([name]);
  }

  /** Joins the two chosen devices, or waits for two ends. */
  async cable(): Promise<void> {
    if (!(await this.drawing())) return;
    if (this.chosen.size === 2) return this.join("chain");
    if (this.cabling) this.cabling = null;
    else this.cabling = { from: this.chosen.size === 1 ? [...this.chosen][0]! : null };
    this.say("");
  }

  /** Takes a device as an end of the cable that is waited for. */
  end(name: string): void {
    if (!this.cabling) return;
    const { from } = this.cabling;
    if (from === null) {
      this.cabling = { from: name };
      return this.choose(name);
    }
    this.cabling = { from: null };
    this.connect(from, name);
  }

  connect(from: string, to: string): void {
    this.plug((plugging) => plugging.join(from, to, this.palette.cable));
  }

  /** Joins the chosen devices in the order in which they are in the text. */
  join(how: Joining): void {
    const names = [...(this.graph?.devices.keys() ?? [])].filter((name) => this.chosen.has(name));
    if (names.length < 2) return this.say("Choose two devices or more, with Shift or Ctrl-A.");
    const pairs = pairsOf(names, how, (name) => this.graph!.devices.get(name)!.kind !== "node");
    if (pairs.length === 0) return this.say("Choose a switch or hub among the devices.");
    this.plug((plugging) => pairs.every(([a, b]) => plugging.join(a, b, this.palette.cable)));
  }

  private plug(work: (plugging: Plugging) => boolean): void {
    if (!this.graph) return;
    const plugging = new Plugging(this.design, this.graph, this.parts);
    const isDone = work(plugging);
    if (plugging.changes.length > 0) this.make(plugging.changes);
    if (!isDone) this.say(plugging.reason);
  }

  move(places: Map<string, Point>): void {
    if (places.size > 0) this.make([], places);
  }

  moveBy(dx: number, dy: number): void {
    const moved = new Map<string, Point>();
    for (const name of this.chosen) {
      const { x, y } = this.places.get(name)!;
      moved.set(name, { x: x + dx, y: y + dy });
    }
    this.move(moved);
  }

  arrange(how: Arrangement): void {
    const isAll = this.chosen.size < 2;
    const own = [...this.places].filter(([name]) => isAll || this.chosen.has(name));
    this.move(arranged(new Map(own), how));
  }

  remove(): void {
    if (!this.graph || this.chosen.size + this.chosenCables.size === 0) return;
    const changes = edits.remove(this.design, this.graph, this.chosen, this.chosenCables);
    this.make(changes, new Map(), new Set(this.chosen));
  }

  /** Gives a device another name; returns why it cannot have it. */
  rename(from: string, to: string): string {
    if (!this.graph || from === to) return "";
    const wrong = edits.wrongName(this.graph, from, to);
    if (wrong) return wrong;
    const place = this.places.get(from);
    if (place) this.drawn.set(to, place);
    this.message = "";
    this.around.make(edits.rename(this.design, this.graph, from, to));
    this.chooseOnly([to]);
    return "";
  }

  renamePort(name: string, from: string, to: string): string {
    const device = this.graph?.devices.get(name);
    if (!this.graph || !device || from === to) return "";
    const wrong = edits.wrongPort(this.graph, device, from, to);
    if (!wrong) this.make(edits.renamePort(this.design, this.graph, name, from, to));
    return wrong;
  }

  /** Makes further changes of the text that an inspector offers. */
  apply(changes: Change[]): void {
    this.make(changes);
  }

  copy(): void {
    if (!this.graph || this.chosen.size === 0) return;
    this.clip = edits.copy(this.graph, this.chosen, this.places);
    this.pasted = 0;
    const count = this.chosen.size;
    this.say(`${count} ${count === 1 ? "device is" : "devices are"} copied, with their cables.`);
  }

  paste(): void {
    if (!this.graph || !this.clip) return;
    this.pasted++;
    const { names, changes, places } = edits.paste(this.design, this.graph, this.clip, this.pasted);
    this.make(changes, places);
    this.chooseOnly(names);
  }

  cut(): void {
    this.copy();
    this.remove();
  }

  duplicate(): void {
    this.copy();
    this.paste();
  }

  undo(): void {
    this.message = "";
    this.around.undo();
  }

  redo(): void {
    this.message = "";
    this.around.redo();
  }

  /** Leaves what is waited for, or else the choice. */
  escape(): void {
    if (this.cabling) this.cabling = null;
    else this.clearChoice();
    this.say("");
  }
}

/** Returns the devices that the cable of a number joins. */
function pairAt(cables: Cable[], index: number): string {
  const cable = cables.find((one) => one.index === index);
  return cable ? `${cable.a.device} ${cable.b.device}` : "";
}

function pairsOf(
  names: string[],
  how: Joining,
  isBox: (name: string) => boolean,
): [string, string][] {
  const next = names.slice(1).map((name, at): [string, string] => [names[at]!, name]);
  if (how === "chain") return next;
  if (how === "ring") {
    return names.length > 2 ? [...next, [names.at(-1)!, names[0]!]] : next;
  }
  if (how === "pairs") {
    return names.flatMap((a, at) => names.slice(at + 1).map((b): [string, string] => [a, b]));
  }
  const centre = names.find(isBox);
  if (!centre) return [];
  return names.filter((name) => name !== centre).map((name): [string, string] => [name, centre]);
}
