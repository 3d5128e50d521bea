"""A claim beside ours: the unit of every reproduction.

study.py finds ours in runs, counted.py in built networks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from linkwright.network import Network
from linkwright.papers.claim import Claim, Verdict

__all__ = ["Entry", "spread_of"]

_PAGES = "the ranks exceed a node's memory, and the printed run paged; paging is not modelled"


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
    design, design_hash : str
        The first network in which it was found; empty for arithmetic on printed numbers.
    calibration : str
        Calibration behind ours; empty if there is none.
    numbers : mapping of str to float
        Numbers from which ours was computed, by label, in base units; means over the seeds.
    numbers_unit : str
        Unit of these numbers.
    pages : bool
        Whether ranks of its runs exceed a node's memory.
    """

    claim: Claim
    ours: float
    spread: float = 0.0
    seeds: int = 1
    design: str = ""
    design_hash: str = ""
    calibration: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    numbers_unit: str = "1"
    pages: bool = False

    @classmethod
    def of(cls, claim: Claim, network: Network, ours: float, calibration: str = "") -> Entry:
        """Return a claim with a value that was found in a network without a run."""
        return cls(
            claim=claim,
            ours=ours,
            design=network.name,
            design_hash=network.design_hash,
            calibration=calibration,
        )

    @property
    def left_out(self) -> str:
        """Reason why a printed number does not count; empty if it counts."""
        has_paged = self.pages and not self.claim.is_qualitative
        return _PAGES if has_paged else self.claim.left_out

    @property
    def error(self) -> float:
        """Relative difference of ours from the right value."""
        return self.ours / self.claim.expected - 1.0

    @property
    def verdict(self) -> Verdict:
        """Result of the comparison."""
        return Verdict.LEFT_OUT if self.left_out else self.claim.verdict(self.ours)


def spread_of(values: Sequence[float]) -> float:
    """Return the standard deviation, 0 if all seeds agree except for rounding."""
    if np.allclose(values, values[0], rtol=1e-9, atol=0.0):
        return 0.0
    return float(np.std(values, ddof=1))
