// The colours of the canvases, read from the style sheet whenever the page turns light or dark.
// They can be told apart by readers who do not see all colours, and each kind of frame has a shape
// of its own as well.
import { themeValue } from "../theme";

/** The kinds of work on a processor, in the order of the recording. */
export const WORKS = ["compute", "send", "receive", "forward", "acknowledge", "other"] as const;
/** The states of a rank, in the order of the recording. */
export const STATES = ["compute", "send", "wait", "sleep"] as const;
/** The kinds of frames, in the order of the recording. */
export const KINDS = ["data", "ack", "control", "datagram", "pause"] as const;

export interface Palette {
  frames: string[];
  works: string[];
  states: string[];
  ink: string;
  quiet: string;
  faint: string;
  line: string;
  grid: string;
  paper: string;
  raised: string;
  accent: string;
  trouble: string;
  busy: string;
  queue: string;
}

/** Returns the colours of the present theme. */
export function paletteOf(): Palette {
  const named = (names: readonly string[]) => names.map((name) => themeValue(`--${name}`));
  return {
    frames: named(KINDS.map((kind) => `frame-${kind}`)),
    works: named(WORKS.map((work) => `work-${work}`)),
    states: named(STATES.map((state) => `state-${state}`)),
    ink: themeValue("--ink"),
    quiet: themeValue("--quiet"),
    faint: themeValue("--faint"),
    line: themeValue("--line"),
    grid: themeValue("--grid"),
    paper: themeValue("--paper"),
    raised: themeValue("--raised"),
    accent: themeValue("--accent"),
    trouble: themeValue("--trouble"),
    busy: themeValue("--busy"),
    queue: themeValue("--queue"),
  };
}
