"""A finding: a fact about a valid design that its owner should know. Mistakes in a file are errors
instead.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, fields
from enum import StrEnum

from linkwright.frames import FrameColumn, Tabular
from linkwright.notebook import Shown


class Severity(StrEnum):
    """Importance of a finding; only errors make a design fail its check."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True)
class Finding:
    """One fact found by a check.

    Attributes
    ----------
    severity : Severity
        Importance.
    place : str
        The device, port, address or prefix concerned.
    rule : str
        The rule concerned, as a short stable key.
    reason : str
        The observation, in one sentence.
    fix : str
        The remedy; empty if none is needed.
    """

    severity: Severity
    place: str
    rule: str
    reason: str
    fix: str

    def to_json(self) -> dict[str, str]:
        """Return the finding as JSON values."""
        return {name: str(value) for name, value in asdict(self).items()}


class Findings(Shown, Tabular, list[Finding]):
    """The findings of a check, which a notebook shows as a table."""

    @property
    def summary(self) -> str:
        """The number of findings of each severity, with their rules."""
        if not self:
            return "nothing found"
        counts = Counter(one.severity for one in self)
        rules = ", ".join(dict.fromkeys(one.rule for one in self))
        return ", ".join(f"{n} {severity}" for severity, n in counts.items()) + f": {rules}"

    def frame_columns(self) -> list[FrameColumn]:
        """Return the columns of a row per finding."""
        return [
            FrameColumn(
                field.name,
                "text" if field.name in ("reason", "fix") else "category",
                [str(getattr(one, field.name)) for one in self],
            )
            for field in fields(Finding)
        ]
