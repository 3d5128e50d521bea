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
    LEFT_OUT = "left out"
    """The printed value depended on what is not modelled; it counts nowhere."""
    DIFFERS = "differs"
    """None of these."""
    HOLDS = "holds"
    """What is said in words is found."""
    FAILS = "does not hold"
    """It is not."""


class Basis(StrEnum):
    """What ours rests on."""

    FORMULA = "formula"
    """The built network: counts, prices, closed forms."""
    CALIBRATED = "calibrated"
    """A run whose hosts were fitted to this very number."""
    PREDICTED = "predicted"
    """A run whose hosts never saw it."""


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
    basis : Basis
        Whether ours is a formula, a calibrated figure or a prediction.
    group, network : str
        Entries of one group differ in their network alone.
    left_out : str
        Why its error counts nowhere; empty where it counts.
    seeds : int
        How many runs ours is the mean of, each with a seed of its own.
    spread : float
        Their standard deviation.
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
    basis: Basis = Basis.FORMULA
    group: str = ""
    network: str = ""
    left_out: str = ""
    seeds: int = 1
    spread: float = 0.0

    @property
    def expected(self) -> float:
        """The right value: what is printed, unless that is an erratum."""
        return self.printed if self.corrected is None else self.corrected

    @property
    def error(self) -> float:
        """How much ours is above what is expected, as a part of that."""
        return self.ours / self.expected - 1.0

    @property
    def verdict(self) -> Verdict:
        """Whether ours is the printed value, the right one, or neither."""
        if self.left_out:
            return Verdict.LEFT_OUT
        if not self._is_close_to(self.expected):
            return Verdict.DIFFERS
        return Verdict.AGREES if self.corrected is None else Verdict.CORRECTED

    def _is_close_to(self, expected: float) -> bool:
        allowed = max(HALF_A_DIGIT * self.digit, self.tolerance * abs(expected))
        return abs(self.ours - expected) <= allowed
