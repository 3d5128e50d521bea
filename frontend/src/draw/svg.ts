// Elements of a drawing in one expression.
const SVG = "http://www.w3.org/2000/svg";

/** Returns an element of SVG with attributes. */
export function shape(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
