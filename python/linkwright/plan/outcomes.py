"""Outcomes of single failures, for comparisons of networks: a failure heals by itself, needs new
tables, or cuts nodes off.

Whether a failure cuts nodes off is known for networks of any size (`resilience.connectivity`);
whether it heals needs the routes of all pairs. The terms are those of docs/glossary.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.errors import CapabilityError
from linkwright.plan.resilience import Connectivity, n_healing, why_not_proved

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["Outcomes", "outcomes"]

MOST_WALKS = 1e10
"""Product of failures and pairs up to which healing is counted; a torus of 32x32 nodes has 6.4e9
and takes 4 s of one processor.
"""


@dataclass(frozen=True)
class Outcomes:
    """Single failures of a cable, NIC, hub or switch by their outcome.

    Attributes
    ----------
    n_failures : int
        All failures.
    n_healing : int or None
        Failures after which every connection lasts with the installed tables; None for networks too
        large to follow all pairs.
    n_cutting : int
        Failures that disconnect a pair of nodes. The others need new tables: recomputed ones, or
        those of a routing daemon.
    """

    n_failures: int
    n_healing: int | None
    n_cutting: int

    @property
    def heals(self) -> float | None:
        """The fraction that heals by itself; 1 without any failure."""
        if self.n_healing is None:
            return None
        return self._part(self.n_healing) if self.n_failures else 1.0

    @property
    def survives(self) -> float:
        """The fraction that cuts no node off: that heals, or that new tables mend."""
        return self._part(self.n_failures - self.n_cutting) if self.n_failures else 1.0

    @property
    def n_needing_tables(self) -> int | None:
        """Failures that need new tables."""
        if self.n_healing is None:
            return None
        return self.n_failures - self.n_healing - self.n_cutting

    @property
    def shares(self) -> tuple[float | None, float | None, float]:
        """The fractions that heal by themselves, need new tables and cut nodes off."""
        needing = self.n_needing_tables
        tables = None if needing is None else self._part(needing)
        return self.heals, tables, self._part(self.n_cutting)

    def to_json(self) -> dict[str, Any]:
        """Return the counts as JSON values; unknown ones are null."""
        return {
            "tried": self.n_failures,
            "heal": self.n_healing,
            "need_new_tables": self.n_needing_tables,
            "cut_off": self.n_cutting,
        }

    def _part(self, n: int) -> float:
        return n / max(self.n_failures, 1)


def outcomes(network: Network, found: Connectivity) -> Outcomes:
    """Return the outcomes of the single failures of a network.

    Parameters
    ----------
    network : Network
        The compiled network.
    found : Connectivity
        Its connectivity.
    """
    total = found.total
    healing = None
    n_walks = total.n_failures * network.n_nodes**2
    if n_walks <= MOST_WALKS and not why_not_proved(network):
        try:
            healing = n_healing(network)
        except CapabilityError:  # no memory for the pairs: as for a network that is too large
            healing = None
    return Outcomes(total.n_failures, healing, total.n_failures - total.n_survived)
