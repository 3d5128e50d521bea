// Elements in one expression. Children are nodes or text, never markup: a name from a design stays
// text, whatever it contains.

export type Child = Node | string | number | null | false;

/** Returns an element with attributes and children; a function listens to the event of its name. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== false).map(asNode));
  return made;
}

/** Returns a button of the page. */
export function button(text: string, press: () => void, name = "", style = ""): HTMLButtonElement {
  const attributes = { type: "button", class: style, click: press };
  return element("button", name ? { ...attributes, "aria-label": name } : attributes, text);
}

/** Returns the element of an id that the template is known to hold. */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page lacks #${id}`);
  return found as T;
}

/** Returns a count with its noun. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

function asNode(child: Child): Node | string {
  return child instanceof Node ? child : String(child);
}
