"""The changes that a plan makes to machines, for the terminal: a list for each machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

if TYPE_CHECKING:
    from linkwright.apply import Proposal

__all__ = ["changes_list"]

INDENT = (0, 0, 0, 2)


def changes_list(proposals: Sequence[Proposal]) -> RenderableType:
    """Return the name of each machine, and below it its changes, or the reasons of a refusal."""
    parts: list[RenderableType] = []
    for one in proposals:
        refused = [f"refused: {reason}; {fix}" for reason, fix in one.refusals]
        parts.append(Text(one.machine, "bold"))
        lines = [*refused, *one.changes] or ["has the plan already"]
        parts += [Padding(Text(line), INDENT) for line in lines]
    return Group(*parts)
