// How strongly nodes are coloured: by their lost or rerouted connections, or by what they forward.
// Each scale ends at the node with the most, and the key says its number.
import { type Impact } from "../failures/core";
import { type Tint } from "./drawing";
import { type Model } from "./model";
import { type State } from "./state";

const PLAIN: Tint = { style: "", share: 0 };

export interface Tints {
  of(node: number): Tint;
  /** The ends of the scales, in words for the key. */
  rerouted: string;
  lost: string;
  loaded: string;
}

/** Returns the colours of all nodes. */
export function tintsOf(model: Model, state: State, impact: Impact): Tints {
  const { lost, rerouted, relayed } = impact.nodes;
  const isDead = (node: number) => state.has({ kind: "node", id: node });
  const most = (counts: Uint32Array) =>
    counts.reduce((best, count, node) => (isDead(node) ? best : Math.max(best, count)), 0);
  const [mostLost, mostRerouted, mostLoad] = [most(lost), most(rerouted), most(relayed)];
  const of = (node: number): Tint => {
    if (isDead(node) || state.colouring === "none") return PLAIN;
    if (state.colouring === "load") return tint("is-loaded", relayed[node]!, mostLoad);
    const isLost = lost[node]! > 0;
    return isLost
      ? tint("is-lost", lost[node]!, mostLost)
      : tint("is-rerouted", rerouted[node]!, mostRerouted);
  };
  const all = (2 * (model.owner.length - 1)).toLocaleString("en");
  return {
    of,
    rerouted: inWords("rerouted connections of a node", mostRerouted, ` of ${all}`),
    lost: inWords("lost connections of a node", mostLost, ` of ${all}`),
    loaded: inWords("packets that a node forwards", mostLoad, ""),
  };
}

function tint(style: Tint["style"], count: number, most: number): Tint {
  return count > 0 ? { style, share: count / most } : PLAIN;
}

function inWords(what: string, most: number, of: string): string {
  return most > 0 ? `${what}: 1 to ${most.toLocaleString("en")}${of}` : `${what}: none`;
}
