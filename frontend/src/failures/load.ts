// Forwarding load: packets that each node relays while every living node sends one to every other.
import { type Fabric } from "./fabric";
import { Follower } from "./follow";
import { type Remains } from "./remains";
import { type Tables } from "./tables";

/** Returns the packets that each node relays; those that are lost count nowhere. */
export function forwardingLoad(fabric: Fabric, tables: Tables, left: Remains): Float64Array {
  const load = new Float64Array(tables.nNodes);
  const follower = new Follower(fabric, tables);
  const sent = new Float64Array(tables.nNodes);
  const passed = new Float64Array(tables.nNodes);
  for (const node of tables.owner) sent[node]!++;
  for (let to = 0; to < tables.owner.length; to++) {
    const target = tables.owner[to]!;
    if (left.isDeadDevice[target]) continue;
    follower.follow(to, left);
    passed.set(sent);
    for (const node of farthestFirst(follower.ends)) {
      if (left.isDeadDevice[node]) continue;
      const next = follower.next[node]!;
      passed[next]! += passed[node]!;
      load[node]! += passed[node]! - sent[node]!;
    }
  }
  return load;
}

/** Returns the nodes whose packets arrive, the owner left out, by their hops, most first. */
function farthestFirst(ends: Int32Array): number[] {
  const atHops: number[][] = [];
  for (let node = 0; node < ends.length; node++) {
    if (ends[node]! > 0) (atHops[ends[node]!] ??= []).push(node);
  }
  return atHops.reverse().flat();
}
