// Tables whose rows are ordered by a click on a column's heading. Cells may carry the number they
// stand for in `data-value`; cells without a value stay last in either direction, and so do rows
// that compare with no other, of networks with fewer nodes.

/** Makes the headings of a table buttons that order its rows. */
export function makeSortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const headings = [...table.querySelectorAll<HTMLTableCellElement>("th[data-sort]")];
  if (!body) return;
  for (const heading of headings) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const isDescending = heading.ariaSort === "ascending";
      for (const other of headings) other.ariaSort = null;
      heading.ariaSort = isDescending ? "descending" : "ascending";
      const rows = [...body.rows];
      rows.sort((a, b) => compare(a, b, Number(heading.dataset.sort), isDescending ? -1 : 1));
      body.append(...rows);
    });
  }
}

function compare(
  a: HTMLTableRowElement,
  b: HTMLTableRowElement,
  column: number,
  direction: number,
): number {
  const [isLast, isOtherLast] = [a, b].map(({ dataset }) => dataset.smaller !== undefined);
  if (isLast !== isOtherLast) return Number(isLast) - Number(isOtherLast);
  const [x, y] = [valueOf(a.cells[column]), valueOf(b.cells[column])];
  if (x === "" || y === "") return Number(x === "") - Number(y === "");
  if (typeof x === "number" && typeof y === "number") return direction * (x - y);
  return direction * String(x).localeCompare(String(y));
}

function valueOf(cell: HTMLTableCellElement | undefined): number | string {
  const value = cell?.dataset.value;
  if (value === undefined) return cell?.textContent?.trim() ?? "";
  return value === "" ? "" : Number(value);
}
