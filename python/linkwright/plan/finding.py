"""A finding: a fact about a valid design that its owner should know. Mistakes in a file are errors
instead.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


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
