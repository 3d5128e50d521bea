"""A claim beside ours: the unit of every reproduction.

run_table.py finds ours in runs, counted.py in built networks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from linkwright.network import Network
from linkwright.papers.claim import HALF_A_DIGIT, Claim, Verdict
from linkwright.results import Interval

__all__ = ["Entry"]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A claim beside ours.

    Attributes
    ----------
    claim : Claim
        The statement of the paper.
    ours : float
        Our value, in base units; the mean over the seeds.
    spread : float
        Its standard deviation over the seeds.
    seeds : int
        Number of runs with different seeds whose mean is ours.
    interval : Interval, optional
        Interval of ours over the seeds or, if constants were drawn, over seeds and draws; None for
        a single run without either.
    draws : int
        Number of draws of the hosts' constants behind the interval; 0 if seeds alone made it.
    network : Network, optional
        The first network in which it was found; None for arithmetic on printed numbers.
    calibration : str
        Calibration behind ours; empty if there is none.
    numbers : mapping of str to float
        Numbers from which ours was computed, by label, in base units; means over the seeds.
    numbers_unit : str
        Unit of these numbers.
    """

    claim: Claim
    ours: float
    spread: float = 0.0
    seeds: int = 1
    interval: Interval | None = None
    draws: int = 0
    network: Network | None = None
    calibration: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    numbers_unit: str = "1"

    @classmethod
    def of(cls, claim: Claim, network: Network, ours: float, calibration: str = "") -> Entry:
        """Return a claim with a value that was found in a network without a run."""
        return cls(claim=claim, ours=ours, network=network, calibration=calibration)

    @property
    def left_out(self) -> str:
        """Reason why a printed number does not count; empty if it counts."""
        return self.claim.left_out

    @property
    def error(self) -> float:
        """Relative difference of ours from the right value."""
        return self.ours / self.claim.expected - 1.0

    @property
    def is_inside(self) -> bool | None:
        """Whether the right value, as it is rounded, is in our interval; None without one."""
        if self.interval is None:
            return None
        return self.interval.holds(self.claim.expected, HALF_A_DIGIT * self.claim.digit)

    @property
    def verdict(self) -> Verdict:
        """Result of the comparison."""
        return Verdict.LEFT_OUT if self.left_out else self.claim.verdict(self.ours)
