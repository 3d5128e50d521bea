// Which nodes some path of forwarding nodes still joins: what tables that are planned anew could
// reach, and the shortest such path.
import { type Fabric } from "./fabric";
import { type Remains } from "./remains";

/** One step of a route: out of a port, handed to a port of the next node. */
export interface Hop {
  port: number;
  via: number;
}

/** Returns for each node the lowest node that it is joined to. */
export function components(fabric: Fabric, left: Remains): Int32Array {
  const component = new Int32Array(fabric.nNodes).fill(-1);
  const stations = stationsOf(fabric, left);
  for (let first = 0; first < fabric.nNodes; first++) {
    if (component[first] !== -1) continue;
    component[first] = first;
    spread(fabric, left, stations, first, (_, hop) => {
      component[fabric.deviceOf[hop.via]!] = first;
      return false;
    });
  }
  return component;
}

/** Returns a shortest route over what is left; null where nothing joins the two nodes. */
export function shortestRoute(fabric: Fabric, left: Remains, from: number, to: number) {
  const cameBy = new Map<number, Hop>();
  spread(fabric, left, stationsOf(fabric, left), from, (_, hop) => {
    const next = fabric.deviceOf[hop.via]!;
    cameBy.set(next, hop);
    return next === to;
  });
  if (from !== to && !cameBy.has(to)) return null;
  const hops: Hop[] = [];
  for (let node = to; node !== from; ) {
    const hop = cameBy.get(node)!;
    hops.unshift(hop);
    node = fabric.deviceOf[hop.port]!;
  }
  return hops;
}

/** Returns the ports of nodes in each part. */
function stationsOf(fabric: Fabric, left: Remains): number[][] {
  const stations: number[][] = Array.from({ length: left.nParts }, () => []);
  for (let port = 0; port < fabric.portStart[fabric.nNodes]!; port++) {
    if (left.part[port]! >= 0) stations[left.part[port]!]!.push(port);
  }
  return stations;
}

/** Visits all nodes in reach, the nearest first and each once, until `visit` has seen enough. */
function spread(
  fabric: Fabric,
  left: Remains,
  stations: number[][],
  first: number,
  visit: (node: number, hop: Hop) => boolean,
): void {
  const isSeen = new Uint8Array(fabric.nNodes);
  const isSpent = new Uint8Array(stations.length);
  const queue = [first];
  isSeen[first] = 1;
  for (const node of queue) {
    for (let port = fabric.portStart[node]!; port < fabric.portStart[node + 1]!; port++) {
      const part = left.part[port]!;
      if (part < 0 || isSpent[part]) continue;
      isSpent[part] = 1;
      for (const via of stations[part]!) {
        const next = fabric.deviceOf[via]!;
        if (isSeen[next]) continue;
        isSeen[next] = 1;
        if (visit(next, { port, via })) return;
        queue.push(next);
      }
    }
  }
}
