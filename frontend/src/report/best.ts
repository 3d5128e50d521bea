// The best value of each column among the networks that are shown, where one network alone has it:
// values that read alike are alike. Networks with fewer nodes do not compete.

/** Marks the best value of each column of a table. */
export function markBest(table: HTMLTableElement): void {
  const rows = [...table.querySelectorAll<HTMLTableRowElement>("tr[data-network]")];
  const competing = rows.filter((row) => !row.hidden && row.dataset.smaller === undefined);
  for (const heading of table.querySelectorAll<HTMLTableCellElement>("th[data-better]")) {
    const at = heading.cellIndex;
    const values = competing.map((row) => numberIn(row.cells[at]));
    const known = values.filter((value) => value !== null);
    const isLow = heading.dataset.better === "low";
    const best = isLow ? Math.min(...known) : Math.max(...known);
    const winners = competing.filter((_, index) => values[index] === best);
    const isAlone = winners.length === 1 && known.length > 1;
    for (const row of rows) row.cells[at]?.classList.remove("best");
    if (isAlone) winners[0]!.cells[at]?.classList.add("best");
  }
}

function numberIn(cell: HTMLTableCellElement | undefined): number | null {
  const value = cell?.dataset.value;
  return value ? Number(Number(value).toPrecision(3)) : null;
}
