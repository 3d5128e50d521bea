"""What a paper says in words, an order, a shape or a tendency, and whether our runs show it.

The words are a paraphrase. Each stands with a figure, a pure number read from our runs, and with
bounds of that figure within which the words hold; the bounds and their reason are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from linkwright.papers.entry import Basis, Verdict

__all__ = ["WordEntry", "Words"]


@dataclass(frozen=True, kw_only=True)
class Words:
    """One thing said, and when it counts as true.

    Attributes
    ----------
    paper, table, row : str
        Where it belongs; the row is our name for it.
    says : str
        What is said, in our words.
    figure : str
        What the judged number is.
    at_least, at_most : float or None
        Bounds of the figure; None where there is none.
    reason : str
        Why the bounds are these.
    """

    paper: str
    table: str
    row: str
    says: str
    figure: str
    reason: str
    at_least: float | None = None
    at_most: float | None = None

    def allow(self, figure: float) -> bool:
        """Return whether the words hold for this figure."""
        return (self.at_least is None or figure >= self.at_least) and (
            self.at_most is None or figure <= self.at_most
        )

    @property
    def bounds(self) -> str:
        """The bounds as text.

        Examples
        --------
        >>> about = dict(paper="", table="", row="", says="", figure="", reason="")
        >>> Words(**about, at_least=1.05).bounds, Words(**about, at_least=0.85, at_most=1).bounds
        ('at least 1.05', '0.85 to 1')
        """
        if self.at_least is not None and self.at_most is not None:
            return f"{self.at_least:g} to {self.at_most:g}"
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return f"at most {self.at_most:g}"


@dataclass(frozen=True, kw_only=True)
class WordEntry:
    """Words beside what we find.

    Attributes
    ----------
    words : Words
        What is said.
    design, design_hash, calibration : str
        The first network it was read from, and its hosts.
    ours : float
        The judged figure, the mean over the seeds.
    spread : float
        Its standard deviation over the seeds.
    seeds : int
        How many runs ours is the mean of.
    numbers : mapping of str to float
        What the figure was read from, in base units, means over the seeds.
    unit : str
        Unit of the numbers.
    basis : Basis
        What ours rests on.
    """

    words: Words
    design: str
    design_hash: str
    calibration: str
    ours: float
    spread: float
    seeds: int
    numbers: Mapping[str, float]
    unit: str
    basis: Basis

    @property
    def verdict(self) -> Verdict:
        """Whether the words hold."""
        return Verdict.HOLDS if self.words.allow(self.ours) else Verdict.FAILS
