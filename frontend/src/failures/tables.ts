// The nodes' tables: for each address and node the best route and those that stand by. What a node
// does after a failure is the rule of `successor` in crates/network/src/metrics/survival/trial.rs:
// it takes the best route whose own port has carrier, and sees nothing beyond that port.
import { type Fabric } from "./fabric";
import { type Remains, hasCarrier, joins } from "./remains";

export interface Tables {
  nNodes: number;
  /** The node that each address belongs to. */
  owner: Int32Array;
  /** The best route of node n for address i, at i * nNodes + n: out of a port, -1 none, -2 own. */
  port: Int32Array;
  /** The port it is handed to. */
  via: Int32Array;
  /** The routes that stand by, the best first: standbyStart[i * nNodes + n] and on. */
  standbyStart: Int32Array;
  standbyPort: Int32Array;
  /** -1 where the address is taken to be on the segment, but is not. */
  standbyVia: Int32Array;
}

export const OWN = -2;

// How the way of a packet ends; what is not negative is a number: a next node, or hops.
export const ARRIVED = -1;
export const NO_ROUTE = -2;
export const UNSEEN = -3;
export const LOOP = -4;

/** The route with carrier that a node takes: 0 its best, k the k-th that stands by, -1 none. */
export function takenRoute(tables: Tables, left: Remains, place: number): number {
  const port = tables.port[place]!;
  if (port < 0) return -1;
  if (hasCarrier(left, port)) return 0;
  const [first, end] = [tables.standbyStart[place]!, tables.standbyStart[place + 1]!];
  for (let at = first; at < end; at++) {
    if (hasCarrier(left, tables.standbyPort[at]!)) return at - first + 1;
  }
  return -1;
}

/** Returns the port by which a route leaves. */
export function portOf(tables: Tables, place: number, route: number): number {
  if (route === 0) return tables.port[place]!;
  return tables.standbyPort[tables.standbyStart[place]! + route - 1]!;
}

/** Returns the port that a route hands to, -1 where nobody is there. */
export function viaOf(tables: Tables, place: number, route: number): number {
  if (route === 0) return tables.via[place]!;
  return tables.standbyVia[tables.standbyStart[place]! + route - 1]!;
}

/** Returns the node that a route hands to, or why the packet ends here. */
export function successor(
  fabric: Fabric,
  tables: Tables,
  left: Remains,
  place: number,
  route: number,
): number {
  if (route < 0) return tables.port[place] === OWN ? ARRIVED : NO_ROUTE;
  const via = viaOf(tables, place, route);
  if (via < 0 || !joins(left, portOf(tables, place, route), via)) return UNSEEN;
  return fabric.deviceOf[via]!;
}
