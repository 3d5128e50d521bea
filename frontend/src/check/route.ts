// The route between two nodes: before the failure, after it by the tables as they are, and by
// recomputed tables. In words, hop by hop, and as tracks for the drawing.
import { type Hop, type Impact, type Route } from "../failures/core";
import { byId, counted, element } from "./dom";
import { type Track } from "./drawing";
import { inWords, pairFigures } from "./figures";
import { type Model, portName } from "./model";
import { type State } from "./state";

/** The tracks and marks of the routes in the drawing. */
export interface Shown {
  tracks: Track[];
  ends: [number, number];
  /** Nodes where the packet ends on its way. */
  stops: number[];
}

/** Fills the two lists of nodes, and starts with the node farthest from the first. */
export function makeEndsChoosable(model: Model, state: State): void {
  for (const end of ["from", "to"] as const) {
    const field = byId<HTMLSelectElement>(`route-${end}`);
    model.owner.forEach((node, address) => {
      field.append(element("option", { value: address }, model.written.names[node]!));
    });
    field.addEventListener("change", () => {
      state.isFollowing = false;
      state[end] = Number(field.value);
      state.changed();
    });
  }
  byId("swap").addEventListener("click", () => {
    [state.from, state.to] = [state.to, state.from];
    state.changed();
  });
  const follows = byId<HTMLInputElement>("route-follows");
  follows.addEventListener("change", () => {
    state.isFollowing = follows.checked;
    state.changed();
  });
  const hops = (to: number) => model.trial.route(model.owner[0]!, to, "before").hops.length;
  model.owner.forEach((_, address) => {
    if (hops(address) >= hops(state.to)) state.to = address;
  });
}

/** Moves the ends to a pair that the failure affects, unless theirs is affected or kept. */
export function follow(model: Model, state: State, { worst }: Impact): void {
  if (!state.isFollowing || !worst || isAffected(model, state)) return;
  [state.from, state.to] = [worst.from, worst.to];
}

function isAffected({ trial, owner }: Model, state: State): boolean {
  const [from, target] = [owner[state.from]!, owner[state.to]!];
  if ([from, target].some((id) => state.has({ kind: "node", id }))) return false;
  const after = trial.route(from, state.to, "after");
  return after.end !== "arrived" || !isSame(after.hops, trial.route(from, state.to, "before").hops);
}

/** Writes the three routes, and returns their tracks and marks for the drawing. */
export function showRoutes(model: Model, state: State): Shown {
  const { trial, owner, written } = model;
  const [from, target] = [owner[state.from]!, owner[state.to]!];
  for (const end of ["from", "to"] as const) {
    byId<HTMLSelectElement>(`route-${end}`).value = String(state[end]);
  }
  byId<HTMLInputElement>("route-follows").checked = state.isFollowing;
  const dead = [from, target].find((id) => state.has({ kind: "node", id }));
  const isDead = dead !== undefined;
  const before = trial.route(from, state.to, "before");
  const after = isDead ? null : trial.route(from, state.to, "after");
  const found = isDead ? null : trial.route(from, state.to, "recomputed");
  const recomputed = found?.end === "disconnected" ? null : found;
  const isQuiet = state.failures.size === 0;
  const asBefore = "Nothing has failed: as before.";
  byId("route-before").replaceChildren(...hopsOf(model, before));
  byId("route-after").replaceChildren(
    ...(isQuiet
      ? [remark(asBefore)]
      : after
        ? hopsOf(model, after)
        : [remark(`${written.names[dead!]} is dead.`)]),
  );
  byId("route-recomputed").replaceChildren(
    ...(isQuiet
      ? [remark(asBefore)]
      : recomputed
        ? hopsOf(model, recomputed)
        : [remark(isDead ? "Nothing to plan." : "No path is left: they are disconnected.", "bad")]),
  );
  const track = (style: string, { hops }: Route) => ({
    style,
    links: hops.flatMap(({ links }) => links),
  });
  const tracks = [track("before", before)];
  if (after && !isSame(after.hops, before.hops)) tracks.push(track("after", after));
  if (recomputed && after?.end !== "arrived") tracks.push(track("recomputed", recomputed));
  const stops = !isQuiet && after && after.end !== "arrived" ? [after.at] : [];
  return { tracks, ends: [from, target], stops };
}

function isSame(some: Hop[], others: Hop[]): boolean {
  const [a, b] = [some, others].map((hops) => hops.map(({ port, via }) => `${port}>${via}`).join());
  return a === b;
}

function hopsOf(model: Model, route: Route): HTMLElement[] {
  const { fabric, written } = model;
  const name = (port: number) => written.names[fabric.deviceOf[port]!]!;
  const lines = route.hops.map(({ port, via }) =>
    element(
      "li",
      {},
      element("b", {}, name(port)),
      ` ${portName(model, port)} → `,
      element("b", {}, name(via)),
      ` ${written.port_address[via] || portName(model, via)}`,
    ),
  );
  const list = element("ol", { class: "hops" }, ...lines);
  return [list, ending(model, route)];
}

function ending(model: Model, route: Route): HTMLElement {
  const { hops, end, at, attempt } = route;
  const name = model.written.names[at]!;
  if (end === "arrived") {
    const figures = inWords(pairFigures([route], model.written.steps, model.fabric));
    return remark(`arrives after ${counted(hops.length, "hop")}: ${figures}`, "good");
  }
  if (end === "loop") return remark(circle(model, hops, at), "bad");
  if (end !== "unseen" || !attempt) {
    return remark(`${name} has no route left whose own port has a living link: lost there`, "bad");
  }
  const port = portName(model, attempt.port);
  if (attempt.via === undefined) {
    return remark(`${name} looks for it behind ${port}, where it is not: lost there`, "bad");
  }
  const next = model.written.names[model.fabric.deviceOf[attempt.via]!]!;
  const where = model.written.port_address[attempt.via] || next;
  const text = `${name} sends it out of ${port} to ${next} (${where}), where it cannot arrive: `;
  return remark(`${text}its own link is up, so ${name} does not see the failure beyond it`, "bad");
}

/** Returns the words for packets that come back to a node. */
function circle(model: Model, hops: Hop[], at: number): string {
  const { fabric, written } = model;
  const first = hops.findIndex(({ port }) => fabric.deviceOf[port] === at);
  const round = hops.slice(first).map(({ port }) => written.names[fabric.deviceOf[port]!]!);
  return `lost: ${[...round, written.names[at]!].join(" → ")} form a loop`;
}

function remark(text: string, style = "note"): HTMLElement {
  return element("p", { class: `end-of-route ${style}` }, text);
}
