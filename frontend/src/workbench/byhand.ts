// A design of any kind as one that is drawn by hand: the server gives the changes of the text, and
// all are made in one step.
import { type Changes } from "./answers";
import { type Change, type Value } from "./patch";
import { Refused, listen } from "./server";

/** Returns the changes that draw a design by hand, or why it cannot be. */
export async function drawnByHand(text: string, name: string): Promise<Change[] | string> {
  let found: Change[] | string = "The computation ended unexpectedly.";
  const take = (event: string, data: unknown) => {
    if (event === "changes") {
      const { changes, gone } = data as Changes;
      const made = changes.map(({ path, value }): Change => ({ path, value: value as Value }));
      found = [...gone.map((path): Change => ({ path, value: undefined })), ...made];
    } else if (event === "refused") {
      const [{ message, hint }] = data as [{ message: string; hint: string }];
      found = hint ? `${message}: ${hint}.` : `${message}.`;
    }
  };
  try {
    await listen("/api/by-hand", { text, name }, new AbortController().signal, take);
  } catch (trouble) {
    if (!(trouble instanceof Refused)) throw trouble;
    found = trouble.message;
  }
  return found;
}
