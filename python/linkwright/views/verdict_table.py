"""The comparison of real machines with their plan in a terminal: the answer, findings, moves.

Texts of machines are shown as they are, and never read as markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.as_built.deviation import COLUMNS
from linkwright.text.csv_text import csv_text
from linkwright.views.fitting_table import Cell, FittingTable, Heading
from linkwright.views.tables import SEVERITY_STYLE

if TYPE_CHECKING:
    from linkwright.as_built import Verdict

__all__ = ["verdict_csv", "verdict_table"]


def verdict_table(verdict: Verdict) -> RenderableType:
    """Return the answer in one sentence, then findings, worst first, and moves in their order."""
    return Group(*_parts(verdict))


def _parts(verdict: Verdict) -> Iterator[RenderableType]:
    yield Text(verdict.answer)
    if verdict.findings:
        headings = [
            Heading("severity"),
            Heading("kind"),
            Heading("place"),
            Heading("reason", wraps=True),
            Heading("fix", wraps=True),
        ]
        rows: list[list[Cell]] = [
            [
                Text(str(one.severity), SEVERITY_STYLE[one.severity]),
                one.kind,
                one.place,
                one.reason,
                one.fix,
            ]
            for one in verdict.statements
        ]
        yield FittingTable(headings, rows, lines=True)
    if verdict.cabling.moves:
        yield Text("Moves of plugs, in this order:")
        numbered = [
            [str(number), one.cable, one.leaves.text, one.enters.text, one.other.text]
            for number, one in enumerate(verdict.cabling.moves, 1)
        ]
        names = ("move", "cable", "from", "to", "other end")
        yield FittingTable([Heading(name) for name in names], numbered)
    for sentence in verdict.not_checked:
        yield Text(f"Not compared: {sentence}")


def verdict_csv(verdict: Verdict) -> str:
    """Return the findings as CSV, one a line."""
    rows = [["" if value is None else value for value in one.values()] for one in _records(verdict)]
    return csv_text(COLUMNS, rows)


def _records(verdict: Verdict) -> Iterator[dict[str, str | None]]:
    return (one.to_json() for one in verdict.findings)
