// Rate and latency of pairs of nodes, before a failure and after it: the rate of the slowest link
// on their way, and half a round trip of the smallest message, from the times of hosts and parts
// that linkwright.views.detours writes into the page.
import { type Impact, type Route } from "../failures/core";
import { otherEnd } from "../failures/fabric";
import { formatRate, formatTime } from "../quantities";
import { type Model } from "./model";
import { type State } from "./state";

/** Rates and times of cables and devices, in bit/s and seconds. */
export interface Steps {
  rate_bps: number[];
  /** Whether the times of hosts are known. */
  has_times: boolean;
  base_s: number;
  delay_s: number[];
  serial_s: number[];
  relay_s: number[];
  stores: boolean[];
  /** Whether a device is a node, the first of which on the way takes `first_forward_s` more. */
  forwards: boolean[];
  first_forward_s: number;
}

export interface Figures {
  rate: number;
  /** Null where the times of hosts are unknown. */
  latency: number | null;
}

/** Two nodes, by their addresses; *after* is null where they wait for help. */
export interface Detour {
  pair: [number, number];
  before: Figures;
  after: Figures | null;
}

/** Routes that are followed for one failure: more would keep the page waiting. */
const MOST_ROUTES = 6000;

/** Returns the pairs on another way, the worst first, and whether all were followed. */
export function detoursOf(model: Model, state: State, impact: Impact) {
  const { lost, rerouted } = impact.nodes;
  const isIn = (node: number) => lost[node]! + rerouted[node]! > 0;
  const isDead = (id: number) => state.has({ kind: "node", id });
  const addresses = [...model.owner.keys()].filter(
    (one) => isIn(model.owner[one]!) && !isDead(model.owner[one]!),
  );
  const found: Detour[] = [];
  let nRoutes = 0;
  for (const a of addresses) {
    for (const b of addresses) {
      if (b <= a) continue;
      if ((nRoutes += 4) > MOST_ROUTES) return { found: worstFirst(found), isWhole: false };
      const detour = detourOf(model, a, b);
      if (detour) found.push(detour);
    }
  }
  return { found: worstFirst(found), isWhole: true };
}

/** Returns a pair if its way is another one, or none. */
function detourOf({ trial, owner, written: { steps }, fabric }: Model, a: number, b: number) {
  const both = (tables: "before" | "after") =>
    [trial.route(owner[a]!, b, tables), trial.route(owner[b]!, a, tables)] as const;
  const [before, after] = [both("before"), both("after")];
  if (before.some(({ end }) => end !== "arrived")) return null;
  if (before.every((route, at) => linksOf(route) === linksOf(after[at]!))) return null;
  const isLost = after.some(({ end }) => end !== "arrived");
  const figures = (routes: readonly [Route, Route]) => pairFigures(routes, steps, fabric);
  const pair: [number, number] = [a, b];
  return { pair, before: figures(before), after: isLost ? null : figures(after) };
}

/** Returns rate and latency of the routes there and back. */
export function pairFigures(
  routes: readonly Route[],
  steps: Steps,
  fabric: Model["fabric"],
): Figures {
  const found = routes.map((route) => alongRoute(route, steps, fabric));
  const latency = found.reduce((sum, one) => sum + one.time, 0) / found.length;
  return {
    rate: Math.min(...found.map(({ rate }) => rate)),
    latency: steps.has_times ? latency : null,
  };
}

function alongRoute({ hops }: Route, steps: Steps, fabric: Model["fabric"]) {
  let [rate, time, isForwarded] = [Infinity, steps.base_s, false];
  hops.forEach(({ port, links }, hop) => {
    let device = fabric.deviceOf[port]!;
    links.forEach((link, at) => {
      const isOut = fabric.deviceOf[fabric.linkA[link]!] === device;
      const out = isOut ? fabric.linkA[link]! : fabric.linkB[link]!;
      device = fabric.deviceOf[otherEnd(fabric, link, out)]!;
      rate = Math.min(rate, steps.rate_bps[link]!);
      time += steps.delay_s[link]! + (steps.stores[device] ? steps.serial_s[link]! : 0);
      const isLast = hop === hops.length - 1 && at === links.length - 1;
      if (!isLast) time += steps.relay_s[device]!;
      isForwarded ||= !isLast && steps.forwards[device]!;
    });
  });
  return { rate, time: time + (isForwarded ? steps.first_forward_s : 0) };
}

function linksOf({ hops, end }: Route): string {
  return `${end} ${hops.map(({ links }) => links.join()).join(">")}`;
}

/** Puts the pairs in order: those that wait for help, then by the loss of rate, then of latency. */
function worstFirst(found: Detour[]): Detour[] {
  const harm = ({ before, after }: Detour): [number, number] =>
    after
      ? [before.rate / after.rate, (after.latency ?? 1) / (before.latency ?? 1)]
      : [Infinity, Infinity];
  const keyed = found.map((one) => ({ one, harm: harm(one) }));
  keyed.sort((a, b) => down(a.harm[0], b.harm[0]) || down(a.harm[1], b.harm[1]));
  return keyed.map(({ one }) => one);
}

function down(a: number, b: number): number {
  return a === b ? 0 : b > a ? 1 : -1;
}

/** Returns rate and latency of a pair in words. */
export function inWords({ rate, latency }: Figures): string {
  return latency === null ? formatRate(rate) : `${formatRate(rate)}, ${formatTime(latency)}`;
}

/** Returns a value before and after: once if both read alike, with one unit if it is the same. */
export function changed(before: string, after: string): string {
  if (before === after) return before;
  const [value, unit] = before.split(" ");
  return `${unit === after.split(" ")[1] ? value : before} → ${after}`;
}

