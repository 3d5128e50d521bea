"""A table of any columns as the answer of a command, in every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linkwright.cli.formats import Format, json_text
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["forms_of"]


def forms_of(
    names: Sequence[str], rows: Sequence[Sequence[Any]], table: Any = None
) -> Mapping[Format, Callable[[], RenderableType | str | bytes]]:
    """Return functions that make each format of a table; Parquet needs the table of PyArrow."""
    return {
        Format.TABLE: lambda: _table(names, rows),
        Format.CSV: lambda: csv_text(names, rows),
        Format.JSON: lambda: json_text([dict(zip(names, row, strict=True)) for row in rows]),
        Format.PARQUET: lambda: _parquet(table),
    }


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> RenderableType:
    from linkwright.views.fitting_table import FittingTable, Heading

    is_number = [
        all(isinstance(row[place], int | float | None) for row in rows)
        for place in range(len(names))
    ]
    headings = [
        Heading(name, "right" if right else "left")
        for name, right in zip(names, is_number, strict=True)
    ]
    return FittingTable(headings, [[_shown(cell) for cell in row] for row in rows])


def _shown(cell: Any) -> str:
    if cell is None:
        return "–"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def _parquet(table: Any) -> bytes:
    from linkwright.results.parquet import table_bytes

    return table_bytes(table)
