// The keys of a drawing that is edited, with their meanings for the help below it. A step on chosen
// devices takes the one with the focus while none is chosen.
import { type Board } from "./board";
import { askName } from "./inspector";
import { GRID } from "./layout";

/** Keys with their meaning, for the help below the drawing. */
export const KEYS: [keys: string, meaning: string][] = [
  ["arrows", "walk"],
  ["Space", "choose"],
  ["Shift+arrows", "move"],
  ["N, S, H", "add a node, switch, hub"],
  ["C", "cable"],
  ["E", "next cable"],
  ["F2", "rename"],
  ["Del", "delete"],
  ["Ctrl+A C X V D", "all, copy, cut, paste, duplicate"],
  ["Ctrl+Z Y", "undo, redo"],
  ["Esc", "leave"],
];

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Lets keys work on a board. */
export function listenToKeys(board: Board): void {
  board.svg.addEventListener("keydown", (event) => {
    const key = event as KeyboardEvent;
    const isDone = key.ctrlKey || key.metaKey ? withControl(board, key) : alone(board, key);
    if (!isDone) return;
    key.preventDefault();
    key.stopPropagation();
  });
}

/** Chooses what has the focus, for a step on what is chosen while nothing is. */
function chooseFocus({ editing, focus }: Board): void {
  if (editing.chosen.size + editing.chosenCables.size === 0) editing.choose(focus);
}

function withControl(board: Board, event: KeyboardEvent): boolean {
  const { editing } = board;
  if (/^[cxd]$/i.test(event.key)) chooseFocus(board);
  const steps: Record<string, () => void> = {
    a: () => editing.chooseOnly(editing.graph?.devices.keys() ?? []),
    c: () => editing.copy(),
    x: () => editing.cut(),
    v: () => editing.paste(),
    d: () => editing.duplicate(),
    y: () => editing.redo(),
    z: () => (event.shiftKey ? editing.redo() : editing.undo()),
  };
  const step = steps[event.key.toLowerCase()];
  step?.();
  return step !== undefined;
}

function alone(board: Board, event: KeyboardEvent): boolean {
  const { editing } = board;
  const by = STEPS[event.key];
  if (event.shiftKey && by) {
    chooseFocus(board);
    editing.moveBy(GRID * by[0], GRID * by[1]);
    return true;
  }
  if (board.walk(event.key)) return true;
  if (/^(?:Delete|Backspace)$/.test(event.key)) chooseFocus(board);
  const steps: Record<string, () => void> = {
    " ": () => (editing.cabling ? editing.end(board.focus) : editing.choose(board.focus, true)),
    Enter: () => (editing.cabling ? editing.end(board.focus) : editing.choose(board.focus)),
    n: () => void add(board, "node"),
    s: () => void add(board, "switch"),
    h: () => void add(board, "hub"),
    c: () => beginCable(board),
    e: () => board.nextCable(),
    Delete: () => editing.remove(),
    Backspace: () => editing.remove(),
    F2: () => rename(board),
    Escape: () => editing.escape(),
    "+": () => board.zoom(1),
    "-": () => board.zoom(-1),
    "0": () => board.fit(),
  };
  const step = steps[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  step?.();
  return step !== undefined;
}

async function add(board: Board, kind: "node" | "switch" | "hub"): Promise<void> {
  const name = await board.editing.add(kind);
  if (name) board.focusOn(name);
}

function beginCable({ editing, focus }: Board): void {
  if (editing.chosen.size !== 2) editing.choose(focus);
  void editing.cable();
}

function rename({ editing, focus }: Board): void {
  editing.chooseOnly([focus]);
  askName();
}
