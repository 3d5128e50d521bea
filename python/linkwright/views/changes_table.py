"""The changes that a plan makes to machines, as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from linkwright.apply import Proposal

__all__ = ["changes_table"]


def changes_table(proposals: Sequence[Proposal]) -> Table:
    """Return a table with a row per change, and the reasons of machines that are refused."""
    table = Table("machine", "change")
    for one in proposals:
        lines = [Text(f"refused: {reason}; {fix}", "red") for reason, fix in one.refusals]
        lines += [Text(line) for line in one.changes] or [Text("as planned", "dim")] * (not lines)
        for index, line in enumerate(lines):
            table.add_row("" if index else Text(one.machine), line, end_section=line is lines[-1])
    return table
