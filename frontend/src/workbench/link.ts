// A link that opens the page as it is: the text of the design, the view, the failed parts, the
// route, the part of the drawing that is seen, and the choice of runs. All of it stands after the
// #, which no browser sends to a server.
import { type Chosen } from "./choice";

/** The page as a link holds it. */
export interface View {
  /** File of the design in the folder; empty for none. */
  name: string;
  text: string;
  /** The open tab. */
  tab: string;
  /** Failures, route and the part of the drawing that is seen. */
  bench: string;
  chosen: Chosen;
}

/** Letters of a link that programs for mail and chats leave whole. */
const MOST_LETTERS = 30_000;

/** Returns the address of a view; null if its text is too long for a link. */
export async function addressOf(view: View): Promise<string | null> {
  const words = new URLSearchParams(view.bench);
  words.set("design", view.name);
  words.set("tab", view.tab);
  words.set("runs", JSON.stringify(view.chosen));
  words.set("text", await packed(view.text));
  const address = new URL(location.href);
  address.hash = words.toString();
  return address.href.length > MOST_LETTERS ? null : address.href;
}

/** Returns the view that an address says; null if it says none. */
export async function viewIn(hash: string): Promise<View | null> {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const text = words.get("text");
  if (text === null) return null;
  try {
    const chosen = chosenIn(JSON.parse(words.get("runs") ?? "null"));
    const [name, tab] = [words.get("design") ?? "", words.get("tab") ?? "design"];
    for (const one of ["design", "tab", "runs", "text"]) words.delete(one);
    return { name, tab, chosen, text: await unpacked(text), bench: words.toString() };
  } catch {
    return null; // cut off on its way, or not of this page
  }
}

function chosenIn(value: Chosen): Chosen {
  const { workloads, engines, seed, placement, ranks_per_node } = value;
  const isWhole =
    workloads.every(({ name, settings }) => typeof name === "string" && isTexts(settings)) &&
    engines.every((name) => typeof name === "string");
  if (!isWhole) throw new TypeError("no choice of runs");
  return { workloads, engines, seed, placement: String(placement), ranks_per_node };
}

function isTexts(value: object): boolean {
  return Object.values(value).every((one) => typeof one === "string");
}

async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(letters: string): Promise<string> {
  const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}
