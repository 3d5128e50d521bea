"""The changes that a plan makes to machines, as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwright.views.fitting_table import Cell, FittingTable, Heading

if TYPE_CHECKING:
    from linkwright.apply import Proposal

__all__ = ["changes_table"]


def changes_table(proposals: Sequence[Proposal]) -> FittingTable:
    """Return a table with a row per change, and the reasons of machines that are refused."""
    rows: list[list[Cell]] = []
    for one in proposals:
        lines = [f"refused: {reason}; {fix}" for reason, fix in one.refusals]
        lines += one.changes
        rows += [
            [one.machine if index == 0 else "", line]
            for index, line in enumerate(lines or ["has the plan already"])
        ]
    return FittingTable([Heading("machine"), Heading("change")], rows)
