"""IS: a sort of integers by buckets; every pass exchanges all keys [NPB-3.3.1].

The original's buckets differ by a few per cent in size; here every pair of ranks exchanges the
mean, so that the total of a rank is exact. No barrier aligns the ranks before the timer starts.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwright.workloads.npb.benchmark import NpbBenchmark, power_of_two_below, small_broadcasts
from linkwright.workloads.npb.classes import IS_CLASSES
from linkwright.workloads.steps import (
    Steps,
    all_reduce,
    all_to_all,
    compute,
    reduce,
    send,
    start_receive,
    wait_all,
)

__all__ = ["IntegerSort"]

_KEY_BYTES = 4

_COUNTING = 0.5
"""Estimate: fraction of a pass that counts keys and moves them into buckets; the rest ranks
them."""


class IntegerSort(NpbBenchmark):
    """NAS parallel benchmark IS: integer sort."""

    name: ClassVar[str] = "npb.is"
    kernel: ClassVar[str] = "is"
    # Keys, keys by bucket, keys received.
    bytes_per_point: ClassVar[float] = 12.0

    @classmethod
    def most_ranks(cls, n_nodes: int) -> int:
        """Return the largest power of two."""
        return power_of_two_below(n_nodes)

    @property
    def ranks_limit(self) -> int:
        """One bucket per rank."""
        return IS_CLASSES[self.problem_class].buckets

    @property
    def n_points(self) -> int:
        """Keys."""
        return IS_CLASSES[self.problem_class].keys

    def setup(self, n_ranks: int) -> list[Steps]:
        """Return an untimed pass."""
        return [*self.iteration(n_ranks), *small_broadcasts(4)]

    def iteration(self, n_ranks: int) -> list[Steps]:
        """Return one ranking of all keys."""
        buckets = IS_CLASSES[self.problem_class].buckets
        work = self.operations_per_pass() / n_ranks
        return [
            compute(self.seconds(work * _COUNTING)),
            all_reduce(_KEY_BYTES * (buckets + 5)),
            all_to_all(_KEY_BYTES),
            all_to_all(_KEY_BYTES * self.n_points // n_ranks**2),
            compute(self.seconds(work * (1.0 - _COUNTING))),
        ]

    def after(self, n_ranks: int) -> list[Steps]:
        """Return the longest time, and the check that the ranks' keys are in order."""
        ranks = np.arange(n_ranks - 1)
        chain = [
            start_receive(ranks + 1, ranks),
            send(ranks, ranks + 1, _KEY_BYTES),
            wait_all(ranks + 1),
        ]
        return [reduce(8), *chain, reduce(_KEY_BYTES)]
