"""The fragment of HTML that shows one object: its facts, a drawing, tables and remarks.

Tables are made for the terminal (views/tables.py) and are only written differently here. Jinja
escapes every name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.views import frame
from linkwright.views.fitting_table import FittingTable, Heading
from linkwright.views.notebook.style import style

__all__ = ["MOST_ROWS", "fragment"]

MOST_ROWS = 40
"""Rows of a table; a notebook keeps every output in its file."""
_SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True)
class _Heading:
    text: str
    is_number: bool


@dataclass(frozen=True)
class _Cell:
    text: str
    style: str


@dataclass(frozen=True)
class _Table:
    headings: Sequence[_Heading]
    rows: Sequence[Sequence[_Cell]]


def fragment(
    name: str,
    title: str,
    facts: Iterable[tuple[str, str]] = (),
    *parts: RenderableType,
    drawing: str = "",
    whole: str = "",
) -> str:
    """Return the HTML of one object.

    Parameters
    ----------
    name : str
        Kind of the object.
    title : str
        Name or size of the object.
    facts : iterable of pairs
        Terms with their texts; those without a text are left out.
    *parts : Rich renderables
        Tables and remarks, as the terminal shows them.
    drawing : str
        An SVG element.
    whole : str
        The expression for all rows of a table that is too long to be shown.
    """
    found = [one for part in parts for one in _parts(part, whole)]
    return frame.fragment(
        "fragment.html.j2",
        style=style(has_drawing=bool(drawing)),
        name=name,
        title=title,
        facts=[fact for fact in facts if fact[1]],
        drawing=Markup(drawing),
        parts=found,
    )


def _parts(part: RenderableType, whole: str) -> Iterator[_Table | str]:
    """Yield the tables and paragraphs of what the terminal shows."""
    if isinstance(part, Group):
        for one in part.renderables:
            yield from _parts(one, whole)
    elif isinstance(part, FittingTable):
        yield _table(part)
        n_left = len(part.rows) - MOST_ROWS
        if n_left > 0:
            yield f"and {n_left:,} more rows" + (f": {whole} has all" if whole else "")
    elif str(part):
        yield str(part)


def _table(table: FittingTable) -> _Table:
    headings = [_Heading(one.text, one.justify == "right") for one in table.headings]
    rows = [
        [_cell(cell, heading) for cell, heading in zip(row, table.headings, strict=True)]
        for row in table.rows[:MOST_ROWS]
    ]
    return _Table(headings, rows)


def _cell(cell: Text, heading: Heading) -> _Cell:
    """Return a cell; a severity has the colour of its name, as in the terminal."""
    styles = {
        "number": heading.justify == "right",
        "wraps": heading.wraps,
        cell.plain: bool(cell.style) and cell.plain in _SEVERITIES,
    }
    return _Cell(cell.plain, " ".join(name for name, is_on in styles.items() if is_on))
