// A computation that ended by a mistake of the product, or for lack of memory: what is known about
// it, for a report.
import { element } from "../check/dom";
import { type Died } from "./answers";
import { notice } from "./saving";

/** Says that a computation ended, with its last words on request. */
export function tellDied({ message, hint }: Died): void {
  const words = hint ? element("pre", { tabindex: 0 }, hint) : null;
  const details = element("details", {}, element("summary", {}, "Details"), words);
  notice("died", message, [], hint ? details : null);
}
