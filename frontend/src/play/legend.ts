// The keys of the drawing and of the plots: those of what the run has, and no others.
import { ARRIVED, type Recording } from "./recording";
import { KINDS, STATES, WORKS } from "./palette";

/** Shows the keys of a run, each of which says in `data-key` what it is for. */
export function showLegend(recording: Recording): void {
  const found = keysOf(recording);
  for (const key of document.querySelectorAll<HTMLElement>("[data-key]")) {
    key.hidden = !found.has(key.dataset.key!);
  }
}

function keysOf({ frames, queues, collisions, work, ranks, timeouts }: Recording): Set<string> {
  const named = (kinds: Uint8Array, names: readonly string[], of: string) =>
    [...new Set(kinds)].map((kind) => `${of}-${names[kind]}`);
  return new Set([
    ...named(frames.kind, KINDS, "frame"),
    ...named(work.kind, WORKS, "work"),
    ...named(ranks.state, STATES, "state"),
    ...(frames.isResent.includes(1) ? ["again"] : []),
    ...(frames.fate.some((one) => one !== ARRIVED) ? ["lost"] : []),
    ...(queues.port.length > 0 ? ["queue"] : []),
    ...(collisions.time.length > 0 ? ["collision"] : []),
    ...(timeouts.time.length > 0 ? ["timeout"] : []),
  ]);
}
