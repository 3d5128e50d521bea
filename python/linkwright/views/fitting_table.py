"""The table of the terminal: it fits any width, and cuts no word.

If the columns do not fit side by side, headings wrap between their words, and text between its
words or after a `-`, `_`, `/` or `:` in one. If that is not enough the table is transposed:
headings become rows, and groups of records are placed side by side as far as they fit. Text from
files is never read as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

__all__ = ["Cell", "FittingTable", "Heading"]

EDGES = 2
"""Columns of the terminal for the two edges of a table."""
GAP = 3
"""Columns of the terminal between two columns of a table."""
NARROW_GAP = 2
"""Columns of the terminal between two columns if cells have to wrap."""
NARROWEST = 12
"""Least width of text that wraps, so that it stays readable."""

_PIECES = re.compile(r"\s+|(?<=\w[-_/:])(?=\w)")
"""The gaps between the pieces of a text that are never cut."""

Cell = str | Text
"""Plain text, or text with a style."""


@dataclass(frozen=True)
class Heading:
    r"""The heading of a column, and the form of its cells.

    Parameters
    ----------
    text : str
        The heading; a unit may follow after a `\n`.
    justify : {"left", "right"}
        Alignment of the cells.
    wraps : bool
        Whether cells may wrap.
    """

    text: str
    justify: Literal["left", "right"] = "left"
    wraps: bool = False


class FittingTable:
    """A table for `rich` consoles that adapts to the available width.

    Parameters
    ----------
    headings : sequence of Heading
        By column.
    rows : sequence of sequences of str or Text
        The cells of each record.
    lines : bool
        Whether a line separates the records.
    """

    def __init__(
        self, headings: Sequence[Heading], rows: Sequence[Sequence[Cell]], *, lines: bool = False
    ) -> None:
        self._headings = tuple(headings)
        self._rows = [[Text(one) if isinstance(one, str) else one for one in row] for row in rows]
        self._lines = lines

    @property
    def headings(self) -> tuple[Heading, ...]:
        """The headings, by column."""
        return self._headings

    @property
    def rows(self) -> Sequence[Sequence[Text]]:
        """The cells of each record."""
        return self._rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = list(zip(*self._rows, strict=True)) or [()] * len(self._headings)
        room = options.max_width - EDGES
        for gap, may_wrap in ((GAP, False), (NARROW_GAP, True)):
            extents = [
                _extent(heading, cells, may_wrap=may_wrap and heading.wraps)
                for heading, cells in zip(self._headings, columns, strict=True)
            ]
            widths = _widths(extents, room - gap * (len(extents) - 1))
            if widths is not None:
                yield self._upright(widths, gap)
                return
        yield from self._on_its_side(room)

    def _upright(self, widths: Sequence[int], gap: int) -> Table:
        table = _table(gap, lines=self._lines)
        for heading, width in zip(self._headings, widths, strict=True):
            table.add_column(
                Text(heading.text), justify=heading.justify, width=width, overflow="fold"
            )
        for row in self._rows:
            table.add_row(*(_wrapped(cell, n) for cell, n in zip(row, widths, strict=True)))
        return table

    def _on_its_side(self, room: int) -> Iterator[Table]:
        """Yield the records in groups that fit beside the headings."""
        labels = [heading.text.replace("\n", ", ") for heading in self._headings]
        longest = max(_longest_word(label) for label in labels)
        first = min(max(map(cell_len, labels)), max(longest, room // 3))
        is_figures = all(heading.justify == "right" for heading in self._headings[1:])
        for group, widths in self._groups(max(room - first - GAP, 1)):
            table = _table(GAP, lines=False)
            table.add_column(Text(labels[0]), width=first, overflow="fold")
            for record, width in zip(group, widths, strict=True):
                justify: Literal["left", "right"] = "right" if is_figures else "left"
                table.add_column(record[0], justify=justify, width=width, overflow="fold")
            for index, label in enumerate(labels[1:], start=1):
                pairs = zip(group, widths, strict=True)
                table.add_row(Text(label), *(_wrapped(one[index], n) for one, n in pairs))
            yield table

    def _groups(self, room: int) -> Iterator[tuple[list[list[Text]], list[int]]]:
        """Yield records that fit side by side into some width, and their widths."""
        group: list[list[Text]] = []
        widths: list[int] = []
        for record in self._rows:
            width = min(max(map(_width, record)), room)
            if group and sum(widths) + width + GAP * len(widths) > room:
                yield group, widths
                group, widths = [], []
            group.append(record)
            widths.append(width)
        yield group, widths


def _table(gap: int, *, lines: bool) -> Table:
    return Table(
        box=box.SIMPLE_HEAD,
        show_lines=lines,
        pad_edge=False,
        padding=(0, 1) if gap == GAP else (0, 1, 0, 0),
        header_style="bold",
    )


def _extent(heading: Heading, cells: Sequence[Text], *, may_wrap: bool) -> tuple[int, int]:
    """Return the smallest and the largest useful width of a column."""
    widest = max(map(_width, cells), default=0)
    least = widest
    if may_wrap:
        pieces = (piece for cell in cells for piece in _PIECES.split(cell.plain))
        least = max(max(map(cell_len, pieces), default=0), min(NARROWEST, widest))
    title = max(map(cell_len, heading.text.splitlines()), default=0)
    return max(least, _longest_word(heading.text)), max(widest, title)


def _widths(extents: Sequence[tuple[int, int]], room: int) -> list[int] | None:
    """Return widths of columns that fit, narrowing the widest first; None if none fit."""
    for most in range(max(wanted for _, wanted in extents), -1, -1):
        widths = [max(least, min(wanted, most)) for least, wanted in extents]
        if sum(widths) <= room:
            return widths
    return None


def _wrapped(cell: Text, width: int) -> Text:
    """Return a cell with line ends between its pieces, where a line would be too long."""
    if _width(cell) <= width:
        return cell
    ends, line, start = [], 0, 0
    for stop in (*(gap.end() for gap in _PIECES.finditer(cell.plain)), len(cell.plain)):
        piece = cell.plain[start:stop]
        if line and line + cell_len(piece.rstrip()) > width:
            ends.append(start)
            line = 0
        line = 0 if piece.endswith("\n") else line + cell_len(piece)
        start = stop
    lines = cell.divide(ends)
    for one in lines:
        one.rstrip()
    return Text("\n").join(lines)


def _width(cell: Text) -> int:
    return max(map(cell_len, cell.plain.splitlines()), default=0)


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)
