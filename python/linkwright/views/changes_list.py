"""The changes that a plan makes to machines, and the end of taking them back: a list for each
machine, and CSV.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from linkwright.apply import Outcome, Proposal

__all__ = ["changes_csv", "changes_list", "outcomes_csv", "outcomes_list"]

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
BACK = {False: "as before the first plan", True: "nothing to take back"}
"""Whether a machine had no plan -> the end of taking back."""


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
        parts += [Padding(Text(line), INDENT, expand=False) for line in lines]
        for place, text in one.files.items() if has_texts and one.changes else ():
            parts += [Padding(Text(f"{place}:", "bold"), INDENT, expand=False)]
            parts.append(Padding(Text(text), DEEP, expand=False))
    return Group(*parts)


def changes_csv(proposals: Sequence[Proposal]) -> str:
    """Return the same as CSV, a change or the reason of a refusal per row."""
    rows: list[tuple[str, str, str, str]] = []
    for one in proposals:
        rows += [(one.machine, one.via, "", f"{reason}; {fix}") for reason, fix in one.refusals]
        rows += [(one.machine, one.via, change, "") for change in one.changes]
    return csv_text(("machine", "via", "change", "refusal"), rows)


def outcomes_list(outcomes: Sequence[Outcome]) -> RenderableType:
    """Return a line for each machine whose plans are taken back, and what is left below it."""
    lines = []
    for one in outcomes:
        lines.append(Text(f"{one.machine}: {one.failure or BACK[one.is_clean]}"))
        lines += [Text(f"  not taken back: {each}") for each in one.left]
    return Group(*lines)


def outcomes_csv(outcomes: Sequence[Outcome]) -> str:
    """Return the same as CSV, a machine per row."""
    rows = [
        (one.machine, "yes" if one.is_clean else "no", one.failure or "", "; ".join(one.left))
        for one in outcomes
    ]
    return csv_text(("machine", "had_no_plan", "failure", "left"), rows)
