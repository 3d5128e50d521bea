r"""CSV that a spreadsheet shows and does not execute, and the reading of such files.

Spreadsheets execute a text cell that begins with `=`, `+`, `-`, `@`, a tab or the end of a line,
also after blanks, and names come from unknown files. Such a cell gets an apostrophe in front, which
marks text in spreadsheets [OWASP, page on CSV injection]; reading removes it. Numbers stay as they
are. Lines end with `\n`; quotes are written only if they are needed.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

__all__ = [
    "CsvError",
    "csv_cell",
    "csv_lines",
    "csv_of_cells",
    "csv_records",
    "csv_rows",
    "csv_text",
]

_FORMULA = r"(?:[\t\r\n]|\s*[=+\-@＝＋－＠])"
_IS_RUN = re.compile(f"'*{_FORMULA}")
"""Such a cell; one that already has an apostrophe gets another, so that reading restores it."""
_IS_MARKED = re.compile(f"'+{_FORMULA}")
_IS_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NEEDS_QUOTES = re.compile(r'[",\r\n]')


def csv_text(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    r"""Return a table as CSV text.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : iterable of iterables
        Cells by row: text, numbers, or None for an empty cell.

    Examples
    --------
    >>> csv_text(["node", "part"], [["n0", "=1+1"], ["n1", -1.5]])
    "node,part\nn0,'=1+1\nn1,-1.5\n"
    """
    return csv_of_cells(map(csv_cell, row) for row in itertools.chain([header], rows))


def csv_of_cells(rows: Iterable[Iterable[str]]) -> str:
    r"""Return the lines of rows whose cells `csv_cell` has written: for long tables in which few
    texts fill many cells.

    Examples
    --------
    >>> csv_of_cells([["n0", csv_cell("a,b")], ["n1", "2"]])
    'n0,"a,b"\nn1,2\n'
    """
    # Readers skip a line without any character, so a lone empty cell has quotes.
    lines = (",".join(row) or '""' for row in rows)
    return "".join(f"{line}\n" for line in lines)


def csv_cell(value: object) -> str:
    """Return a cell as it stands in CSV text, for `csv_of_cells`."""
    text = "" if value is None else str(value)
    if _IS_RUN.match(text) and not _IS_NUMBER.fullmatch(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


class CsvError(ValueError):
    """A text that is not CSV; its message begins with the line."""


def csv_rows(text: str) -> Iterator[list[str]]:
    """Yield the lines of a CSV text, including the header, with the cells that were written.

    Raises
    ------
    CsvError
        If a cell is longer than 131,072 characters, usually because a quote is not closed.
    """
    return (cells for _, cells in csv_lines(text))


def csv_lines(text: str, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV text as `csv_rows`, each with the number of its first line.

    Raises
    ------
    CsvError
        As for `csv_rows`.
    """
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    number = 1
    try:
        for cells in lines:
            yield number, [_unmarked(cell) for cell in cells]
            number = lines.line_num + 1
    except csv.Error as error:
        raise CsvError(f"line {lines.line_num} is not CSV: {error}") from None


def csv_records(text: str) -> list[dict[str, str]]:
    """Return the lines below the header by column, with None for the missing cells of short lines.

    Raises
    ------
    CsvError
        As for `csv_rows`.
    """
    rows = csv_rows(text)
    names = next(rows, [])
    missing: list[Any] = [None] * len(names)
    return [dict(zip(names, [*cells, *missing], strict=False)) for cells in rows if cells]


def _unmarked(cell: str) -> str:
    return cell[1:] if _IS_MARKED.match(cell) else cell
