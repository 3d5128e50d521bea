"""Uniform traffic: every rank sends to every other, beginning with the next, so that first messages
have different receivers.

Unlike in the all-to-all of a message library, ranks are not synchronised. Its loads are known
without a list of pairs; its messages can be simulated for some hundred ranks only.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwright.errors import UsageError
from linkwright.workloads.pattern import Pairs, Pattern
from linkwright.workloads.sizes import SizeBytes
from linkwright.workloads.steps import Steps

__all__ = ["Uniform"]

_MOST_SIMULATED = 1024


class Uniform(Pattern):
    """Completion time of one message from every node to every other."""

    name: ClassVar[str] = "uniform"

    size_bytes: SizeBytes = 16_384
    """Size of the message."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        return super(Pattern, self).n_ranks(n_nodes)

    def pairs(self, n_ranks: int) -> Pairs:
        """Return every rank with the next, the one after it, and so on."""
        rank, distance = np.arange(n_ranks), np.arange(1, n_ranks)
        source = np.tile(rank, n_ranks - 1)
        return source, (source + np.repeat(distance, n_ranks)) % n_ranks

    def steps(self, n_ranks: int) -> Steps:
        """Return one exchange between marks 0 and 1."""
        if n_ranks > _MOST_SIMULATED:
            raise UsageError(
                f"workload {self.name}: {n_ranks} nodes have {n_ranks * (n_ranks - 1):,} pairs,"
                f" which are simulated for at most {_MOST_SIMULATED} nodes",
                "use `linkwright saturate`, which needs only the routes",
            )
        return super().steps(n_ranks)
