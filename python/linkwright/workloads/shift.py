"""Shift: every rank i sends one message to rank i + k, all at the same time.

Special cases are the neighbour in a ring (k = 1), and the tornado (k = half of the nodes).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwright.errors import UsageError
from linkwright.workloads.pattern import Pairs, Pattern
from linkwright.workloads.workload import Distance

__all__ = ["Shift"]


class Shift(Pattern):
    """Completion time of one message from every node i to node i + k."""

    name: ClassVar[str] = "shift"

    k: Distance = 1
    """Distance between sender and receiver, modulo the number of nodes; may be negative."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        if n_nodes > 1 and self.k % n_nodes == 0:
            raise UsageError(
                f"workload {self.name}: a shift of {n_nodes} nodes by {self.k} leaves every"
                " message where it is",
                f"choose k that is not a multiple of {n_nodes}",
            )
        return super().n_ranks(n_nodes)

    def pairs(self, n_ranks: int) -> Pairs:
        """Return every rank with the one `k` further."""
        rank = np.arange(n_ranks)
        return rank, (rank + self.k) % n_ranks
