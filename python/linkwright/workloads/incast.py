"""Incast: all ranks send to one of them at the same time, as in storage and reductions.

All messages share the last wire to that rank; the rest of the network decides how soon queues
overflow.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwright.errors import UsageError
from linkwright.workloads.pattern import Pairs, Pattern, without_self
from linkwright.workloads.workload import RankNumber

__all__ = ["Incast"]


class Incast(Pattern):
    """Completion time of one message from every other node to one node."""

    name: ClassVar[str] = "incast"

    root: RankNumber = 0
    """Rank that receives all messages."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        if self.root >= n_nodes:
            raise UsageError(
                f"workload {self.name}: root is {self.root}, the cluster has {n_nodes} nodes",
                f"nodes count from 0: choose root below {n_nodes}",
            )
        return super().n_ranks(n_nodes)

    def pairs(self, n_ranks: int) -> Pairs:
        """Return every other rank with the root."""
        rank = np.arange(n_ranks)
        return without_self(rank, np.full(n_ranks, self.root))
