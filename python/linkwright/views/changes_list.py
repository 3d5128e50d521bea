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

INDENT, DEEP = (0, 0, 0, 2), (0, 0, 0, 4)
VIA = {
    "kernel": "until the next boot",
    "ip": "by a script at each boot",
    "networkd": "by systemd-networkd",
    "netplan": "by netplan",
    "networkmanager": "by NetworkManager",
    "ifupdown2": "by ifupdown2",
}
"""Target -> how a machine keeps the plan."""


def changes_list(proposals: Sequence[Proposal], *, has_texts: bool = False) -> RenderableType:
    """Return the name of each machine, and below it its changes, or the reasons of a refusal.

    Parameters
    ----------
    proposals : sequence of Proposal
    has_texts : bool
        Whether the texts of files follow.
    """
    parts: list[RenderableType] = []
    for one in proposals:
        refused = [f"refused: {reason}; {fix}" for reason, fix in one.refusals]
        parts.append(Text.assemble((one.machine, "bold"), f" {VIA.get(one.via, one.via)}".rstrip()))
        lines = [*refused, *one.changes] or ["has the plan already"]
        parts += [Padding(Text(line), INDENT) for line in lines]
        for place, text in one.files.items() if has_texts and one.changes else ():
            parts += [Padding(Text(f"{place}:", "bold"), INDENT), Padding(Text(text), DEEP)]
    return Group(*parts)
