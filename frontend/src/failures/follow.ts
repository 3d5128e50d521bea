// All ways to one address: each node is followed until a known end is met, so that each is visited
// once and a circle is found for what it is. As crates/network/src/metrics/towards.rs.
import { type Fabric } from "./fabric";
import { type Remains } from "./remains";
import { ARRIVED, LOOP, type Tables, successor, takenRoute } from "./tables";

const UNKNOWN = -9;

export class Follower {
  /** Hops from each node to the address, or why its packets are lost. */
  readonly ends: Int32Array;
  /** Whether some node on the way takes a route that stands by. */
  readonly isDetour: Uint8Array;
  /** The next node; meaningful where packets arrive. */
  readonly next: Int32Array;
  private readonly isOnTrail: Uint8Array;
  private readonly trail: number[] = [];

  constructor(
    private readonly fabric: Fabric,
    private readonly tables: Tables,
  ) {
    const n = tables.nNodes;
    this.ends = new Int32Array(n);
    this.next = new Int32Array(n);
    this.isDetour = new Uint8Array(n);
    this.isOnTrail = new Uint8Array(n);
  }

  /** Follows the packets of all nodes to an address over what is left. */
  follow(address: number, left: Remains): void {
    this.ends.fill(UNKNOWN);
    this.isOnTrail.fill(0);
    for (let node = 0; node < this.ends.length; node++) this.followFrom(node, address, left);
  }

  private followFrom(first: number, address: number, left: Remains): void {
    const { ends, isDetour, next, trail } = this;
    let node = first;
    let end = ends[node]!;
    while (end === UNKNOWN) {
      if (this.isOnTrail[node]) {
        end = LOOP;
        break;
      }
      this.isOnTrail[node] = 1;
      const place = address * this.tables.nNodes + node;
      const route = takenRoute(this.tables, left, place);
      const found = successor(this.fabric, this.tables, left, place, route);
      isDetour[node] = Number(route > 0);
      next[node] = found;
      if (found < 0) {
        end = ends[node] = found === ARRIVED ? 0 : found;
        break;
      }
      trail.push(node);
      node = found;
      end = ends[node]!;
    }
    while (trail.length > 0) {
      const back = trail.pop()!;
      end = ends[back] = end < 0 ? end : end + 1;
      if (isDetour[next[back]!]) isDetour[back] = 1;
    }
  }
}
