"""A deviation: a finding about a real machine, with both sides, the reason and the remedy.

Findings of `check` are about a design, and have a place instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from linkwright.as_built.kinds import KINDS
from linkwright.plan.finding import Severity

__all__ = ["COLUMNS", "Deviation", "worst_first"]

_RANK = {severity: rank for rank, severity in enumerate(Severity)}
_ORDER = {name: rank for rank, name in enumerate(KINDS)}


@dataclass(frozen=True, kw_only=True)
class Deviation:
    """One difference between real machines and their plan.

    Attributes
    ----------
    kind : str
        Name of its kind.
    node, nic, cable : str, optional
        The place: node of the design, interface on its machine, cable of the plan.
    planned, found : str, optional
        Text of both sides.
    reason : str
        The observation, in one sentence without a full stop.
    fix : str
        The remedy.
    certainty : str
        "sure", or "likely" where the evidence can have another cause; not a part of its JSON.
    """

    kind: str
    node: str | None = None
    nic: str | None = None
    cable: str | None = None
    planned: str | None = None
    found: str | None = None
    reason: str
    fix: str
    certainty: str = "sure"

    @property
    def place(self) -> str:
        """Node and interface, or the cable."""
        return ":".join(filter(None, (self.node, self.nic))) or self.cable or ""

    @property
    def severity(self) -> Severity:
        """Importance, that of its kind."""
        return KINDS[self.kind].severity

    def to_json(self) -> dict[str, str | None]:
        """Return the finding as a JSON value."""
        return {"severity": str(self.severity), **{name: getattr(self, name) for name in _FIELDS}}


_FIELDS = tuple(field.name for field in fields(Deviation) if field.name != "certainty")
COLUMNS = ("severity", *_FIELDS)
"""Columns of a table of deviations."""


def worst_first(deviations: Sequence[Deviation]) -> list[Deviation]:
    """Return deviations with errors first, then by kind; else in their order."""
    return sorted(deviations, key=lambda one: (_RANK[one.severity], _ORDER[one.kind]))
