// One packet followed hop by hop through the nodes' tables, with the reason where it ends.
import { type Hop } from "./components";
import { type Fabric } from "./fabric";
import { type Remains } from "./remains";
import { ARRIVED, LOOP, type Tables, portOf, successor, takenRoute, viaOf } from "./tables";

export interface Route {
  hops: Hop[];
  /** ARRIVED, NO_ROUTE, UNSEEN or LOOP. */
  end: number;
  /** The node where it ends; of a circle, the node that it comes back to. */
  at: number;
  /** Of a packet that is sent where it cannot arrive: out of this port, to nobody or this one. */
  attempt: Hop | null;
}

/** Returns the way of a packet from a node to an address. */
export function routeByTables(
  fabric: Fabric,
  tables: Tables,
  left: Remains,
  from: number,
  address: number,
): Route {
  const hops: Hop[] = [];
  const isSeen = new Set<number>();
  for (let node = from; ; ) {
    if (isSeen.has(node)) return { hops, end: LOOP, at: node, attempt: null };
    isSeen.add(node);
    const place = address * tables.nNodes + node;
    const route = takenRoute(tables, left, place);
    const next = successor(fabric, tables, left, place, route);
    const hop = route < 0 ? null : hopOf(tables, place, route);
    if (next < 0) return { hops, end: next, at: node, attempt: next === ARRIVED ? null : hop };
    hops.push(hop!);
    node = next;
  }
}

function hopOf(tables: Tables, place: number, route: number): Hop {
  return { port: portOf(tables, place, route), via: viaOf(tables, place, route) };
}
