"""A table from the rows of a study: one column's values downwards, another's across.

Each cell is a statistic of all rows with these values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from linkwright.study.database import Database

__all__ = ["Pivot", "pivot"]


@dataclass(frozen=True)
class Pivot:
    """A statistic of a metric, by two groups of columns.

    Attributes
    ----------
    names : tuple of str
        Names of the columns whose values are downwards.
    rows, columns : sequence of tuple
        Their values, and the values across, in order.
    cells : mapping
        Value by row and column; a combination without runs has none.
    unit : str
    """

    names: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    columns: Sequence[tuple[Any, ...]]
    cells: dict[tuple[tuple[Any, ...], tuple[Any, ...]], float]
    unit: str

    def headings(self) -> list[str]:
        """Return the headings of all columns; without columns across, there is one of values."""
        across = [" ".join(map(str, one)) or "value" for one in self.columns]
        return [*self.names, *across]

    def table(self) -> list[list[Any]]:
        """Return the rows: the values downwards, then the cells, None where there are none."""
        return [[*row, *(self.cells.get((row, one)) for one in self.columns)] for row in self.rows]


def pivot(
    database: Database,
    metric: str,
    rows: Sequence[str],
    columns: Sequence[str] = (),
    *,
    of: str = "mean",
    where: str = "true",
) -> Pivot:
    """Return a statistic of a metric by the values of some columns.

    Parameters
    ----------
    database : Database
        The study.
    metric : str
    rows, columns : sequence of str
        Columns whose values are downwards and across.
    of, where : str
        As for `Database.statistic`.

    Raises
    ------
    UsageError
        If a name is unknown.
    """
    answer = database.statistic(metric, [*rows, *columns], of=of, where=where)
    cells: dict[tuple[tuple[Any, ...], tuple[Any, ...]], float] = {}
    units: dict[str, None] = {}
    n = len(rows)
    for line in answer.rows():
        *names, value, _, _, unit = line
        cells[tuple(names[:n]), tuple(names[n:])] = value
        units[unit] = None
    return Pivot(
        tuple(rows),
        _sorted({row for row, _ in cells}),
        _sorted({column for _, column in cells}),
        cells,
        "count" if of == "count" else " or ".join(units),
    )


def _sorted(values: set[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return values in order, those without one last."""
    return sorted(
        values, key=lambda one: [(cell is None, 0 if cell is None else cell) for cell in one]
    )
