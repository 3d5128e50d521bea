// Buttons and keys of the time: play, step, speed, and the zoom of the time line. Fields keep their
// own keys, and a button that is pressed by Space does what the button says.
import { byId } from "../check/dom";
import { type Clock } from "./clock";
import { type Run, type Stop } from "./run";
import { type View } from "./view";

/** A press of an arrow goes so far through the view; with Shift, ten times as far. */
const ARROW = 0.01;
/** Frame by frame: the reader's seconds for a typical frame. */
const FRAME_S = 0.8;

/** Wires the controls. */
export function wireControls(
  clock: Clock,
  view: View,
  run: () => Run | null,
  signal: AbortSignal,
): void {
  const step = (isBack: boolean) => {
    const kind = byId<HTMLSelectElement>("step-to").value as Stop;
    const time = run()?.stop(kind, clock.time, isBack) ?? (isBack ? 0 : clock.end);
    if (clock.isPlaying) clock.play(false);
    clock.seek(time);
  };
  const actions: Record<string, () => void> = {
    play: () => clock.play(!clock.isPlaying),
    "step-back": () => step(true),
    "step-on": () => step(false),
    "to-start": () => clock.seek(0),
    slower: () => clock.hasten(-1),
    faster: () => clock.hasten(1),
    "speed-whole": () => clock.whole(),
    "speed-frames": () => clock.show(run()?.usual || clock.end / 100, FRAME_S),
    "view-in": () => view.zoom(0.5),
    "view-out": () => view.zoom(2),
    "view-whole": () => view.whole(),
  };
  for (const [id, act] of Object.entries(actions)) byId(id).addEventListener("click", act);
  const skip = byId<HTMLInputElement>("skip");
  skip.addEventListener("change", () => clock.skip(skip.checked));
  clock.onChange(() => showState(clock));
  addEventListener("keydown", (event) => key(event, clock, view, step), { signal });
}

function showState({ isPlaying }: Clock): void {
  const button = byId("play");
  if (button.dataset.playing === String(isPlaying)) return;
  button.dataset.playing = String(isPlaying);
  button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
}

function key(
  event: KeyboardEvent,
  clock: Clock,
  view: View,
  step: (isBack: boolean) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { tagName, id } = event.target as HTMLElement;
  const isField = (tagName === "INPUT" && id !== "seek" && id !== "skip") || tagName === "SELECT";
  const isPressed = event.key === " " && (["BUTTON", "A"].includes(tagName) || id === "skip");
  const far = view.span * ARROW * (event.shiftKey ? 10 : 1);
  const actions: Record<string, () => void> = {
    " ": () => clock.play(!clock.isPlaying),
    ArrowLeft: () => clock.seek(clock.time - far),
    ArrowRight: () => clock.seek(clock.time + far),
    Home: () => clock.seek(0),
    End: () => clock.seek(clock.end),
    "+": () => clock.hasten(1),
    "-": () => clock.hasten(-1),
    n: () => step(false),
    p: () => step(true),
  };
  const act = actions[event.key];
  if (!act || isField || isPressed) return;
  event.preventDefault();
  act();
}
