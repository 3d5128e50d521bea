"""A table of any columns as the answer of a command, in every format.

Cells have any type of SQL. What a format cannot hold is named, and not left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any

from linkwright.cli.formats import Format, json_text
from linkwright.errors import UsageError
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["forms_of"]


def forms_of(
    names: Sequence[str], rows: Sequence[Sequence[Any]], table: Any = None
) -> Mapping[Format, Callable[[], RenderableType | str | bytes]]:
    """Return functions that make each format of a table; Parquet needs the table of PyArrow."""
    return {
        Format.TABLE: lambda: _table(names, _plain(rows)),
        Format.CSV: lambda: csv_text(names, _plain(rows)),
        Format.JSON: lambda: json_text(_objects(names, rows)),
        Format.PARQUET: lambda: _parquet(table),
    }


def _objects(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """Return rows as objects of JSON, which has no infinite numbers: they are null.

    Raises
    ------
    UsageError
        If two columns have one name, of which an object has one.
    """
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise UsageError(
            f"{len(names)} columns have {len(set(names))} names: '{twice[0]}' is not the only one",
            "name each with AS, or choose another format",
        )
    return [dict(zip(names, map(_finite, row), strict=True)) for row in _plain(rows)]


def _plain(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return cells of any type of SQL as numbers, texts, lists and mappings."""
    return [[_plain_cell(cell) for cell in row] for row in rows]


def _plain_cell(cell: Any) -> Any:
    if cell is None or isinstance(cell, str | int | float):
        return cell
    if isinstance(cell, Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    if isinstance(cell, list | tuple):
        return list(map(_plain_cell, cell))
    if isinstance(cell, dict):
        return {str(key): _plain_cell(value) for key, value in cell.items()}
    if isinstance(cell, bytes):
        return cell.decode(errors="backslashreplace")
    return str(cell)


def _finite(cell: Any) -> Any:
    if isinstance(cell, float):
        return cell if isfinite(cell) else None
    if isinstance(cell, list):
        return list(map(_finite, cell))
    if isinstance(cell, dict):
        return {key: _finite(value) for key, value in cell.items()}
    return cell


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
    from pyarrow import ArrowException  # type: ignore[import-untyped]

    from linkwright.results.parquet import table_bytes

    try:
        return table_bytes(table)
    except ArrowException as error:
        raise UsageError(
            f"Parquet has no form for a column of the answer: {error}",
            "convert it in the question, as cast(... as text), or choose .csv",
        ) from None
