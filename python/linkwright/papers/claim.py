"""A claim: one statement of a paper, in its place, and its comparison with ours.

A claim is a row of the `claims.toml` of a paper's folder. A printed number has a tolerance; a
qualitative claim has the metric `words`, and bounds for a number of ours within which it holds.
Ours is read from experiments (reading.py) or counted in built networks (counted.py).
"""

from __future__ import annotations

from enum import StrEnum

from linkwright.papers.claim_row import ClaimRow

__all__ = ["WORDS", "Basis", "Claim", "Verdict"]

HALF_A_DIGIT = 0.5 + 1e-6
"""Rounding to the last printed digit, with room for binary fractions."""

WORDS = "words"
"""Metric of qualitative claims."""


class Verdict(StrEnum):
    """Result of the comparison of a claim with ours."""

    AGREES = "agrees"
    """Ours is the printed number."""
    CORRECTED = "corrected"
    """The printed number is wrong; ours is the right one."""
    LEFT_OUT = "left out"
    """The printed value depended on effects that are not modelled; it does not count."""
    DIFFERS = "differs"
    """Ours is another number, without any of these reasons."""
    HOLDS = "holds"
    """The qualitative claim is confirmed."""
    FAILS = "does not hold"
    """The qualitative claim is not confirmed."""


class Basis(StrEnum):
    """The basis of ours."""

    FORMULA = "formula"
    """The built network: counts, prices, closed forms."""
    CALIBRATED = "calibrated"
    """A run whose hosts were fitted to this very number."""
    PREDICTED = "predicted"
    """A run whose hosts were not fitted to it."""


class Claim(ClaimRow):
    """A row with its place; values in base units."""

    paper: str
    table: str
    row: str
    metric: str
    """Printed quantity; `words` for a qualitative claim."""
    unit: str = "1"
    digit: float = 0.0
    """Worth of one step of the last printed digit."""

    @property
    def place(self) -> str:
        """Paper, table, row and metric."""
        return f"{self.paper}/{self.table}: {self.row}.{self.metric}"

    @property
    def basis(self) -> Basis:
        """The basis of ours."""
        if not self.experiment:
            return Basis.FORMULA
        return Basis.CALIBRATED if self.fitted else Basis.PREDICTED

    @property
    def expected(self) -> float:
        """The right value: the printed one, unless that is an erratum."""
        assert self.printed is not None, "a qualitative claim has no value"
        return self.printed if self.corrected is None else self.corrected

    @property
    def bounds(self) -> str:
        """The bounds of a qualitative claim as text, such as "at least 1.05" or "0.85 to 1"."""
        if self.at_least is not None and self.at_most is not None:
            return f"{self.at_least:g} to {self.at_most:g}"
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return f"at most {self.at_most:g}"

    def verdict(self, ours: float) -> Verdict:
        """Return the verdict on ours, by numbers alone."""
        if self.is_qualitative:
            holds = (self.at_least is None or ours >= self.at_least) and (
                self.at_most is None or ours <= self.at_most
            )
            return Verdict.HOLDS if holds else Verdict.FAILS
        allowed = max(HALF_A_DIGIT * self.digit, self.tolerance * abs(self.expected))
        if abs(ours - self.expected) > allowed:
            return Verdict.DIFFERS
        return Verdict.AGREES if self.corrected is None else Verdict.CORRECTED
