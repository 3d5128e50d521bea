"""A finding: a fact about a valid design that its owner should know. What is wrong with a file is
an error instead.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters; only errors make a design fail its check."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True)
class Finding:
    """One fact found by a check.

    Attributes
    ----------
    severity : Severity
        How much it matters.
    place : str
        The device, port, address or prefix it is about.
    rule : str
        The rule it concerns, as a short stable key.
    reason : str
        What was found, in one sentence.
    fix : str
        What to do about it; empty where nothing needs doing.
    """

    severity: Severity
    place: str
    rule: str
    reason: str
    fix: str

    def to_json(self) -> dict[str, str]:
        """Return the finding as JSON values."""
        return {name: str(value) for name, value in asdict(self).items()}
