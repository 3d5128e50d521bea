"""One printed number beside ours: the unit of every reproduction, and its verdict.

Values are in base units. A verdict is decided by numbers alone: ours must round to what is expected
at the last printed digit, or lie within the tolerance that the paper's folder gives with a reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

HALF_A_DIGIT = 0.5 + 1e-6
"""Rounding to the last printed digit, with room for binary fractions."""


class Verdict(StrEnum):
    """How a printed number and ours compare."""

    AGREES = "agrees"
    """Ours is the printed number."""
    CORRECTED = "corrected"
    """The printed number is wrong; ours is the right one."""
    DIFFERS = "differs"
    """Neither."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One printed number beside ours.

    Attributes
    ----------
    paper, table, row, metric : str
        Where it is printed and what it is.
    design, design_hash : str
        The network that was built for it.
    printed : float
        The paper's value.
    ours : float
        The value of the built network.
    corrected : float or None
        The right value where the printed one is wrong.
    digit : float
        What one step of the last printed digit is worth.
    tolerance : float
        Relative deviation allowed instead of rounding; 0 for none.
    unit : str
        Unit of all values.
    reason : str
        Why values differ, or how they are to be read.
    erratum : str
        Key of the entry in docs/errata.md, or empty.
    calibration : str
        Whose constants ours rests on; empty where it rests on none.
    """

    paper: str
    table: str
    row: str
    metric: str
    design: str
    design_hash: str
    printed: float
    ours: float
    unit: str
    digit: float
    corrected: float | None = None
    tolerance: float = 0.0
    reason: str = ""
    erratum: str = ""
    calibration: str = ""

    @property
    def verdict(self) -> Verdict:
        """Whether ours is the printed value, the right one, or neither."""
        if self.corrected is None:
            return Verdict.AGREES if self._is_close_to(self.printed) else Verdict.DIFFERS
        return Verdict.CORRECTED if self._is_close_to(self.corrected) else Verdict.DIFFERS

    def _is_close_to(self, expected: float) -> bool:
        allowed = max(HALF_A_DIGIT * self.digit, self.tolerance * abs(expected))
        return abs(self.ours - expected) <= allowed
