// The best values of each column among the networks that are shown. Networks with fewer nodes do
// not compete, and where all are alike none is best.

/** Marks the best values of a table. */
export function markBest(table: HTMLTableElement): void {
  const rows = [...table.querySelectorAll<HTMLTableRowElement>("tr[data-network]")];
  const competing = rows.filter((row) => !row.hidden && row.dataset.smaller === undefined);
  for (const heading of table.querySelectorAll<HTMLTableCellElement>("th[data-better]")) {
    const at = heading.cellIndex;
    const values = competing.map((row) => numberIn(row.cells[at]));
    const known = values.filter((value) => value !== null);
    const isLow = heading.dataset.better === "low";
    const best = isLow ? Math.min(...known) : Math.max(...known);
    const isTold = new Set(known).size > 1;
    for (const row of rows) row.cells[at]?.classList.remove("best");
    competing.forEach((row, index) => {
      row.cells[at]?.classList.toggle("best", isTold && values[index] === best);
    });
  }
}

function numberIn(cell: HTMLTableCellElement | undefined): number | null {
  const value = cell?.dataset.value;
  return value ? Number(value) : null;
}
