"""EP: random numbers; it sends only three small reductions [NPB-3.3.1]."""

from __future__ import annotations

from typing import ClassVar

from linkwright.workloads.npb.benchmark import NpbBenchmark, small_broadcasts
from linkwright.workloads.npb.classes import EP_PAIRS
from linkwright.workloads.steps import Steps, all_reduce, barrier, compute

__all__ = ["Ep"]


class Ep(NpbBenchmark):
    """NAS parallel benchmark EP: embarrassingly parallel random numbers."""

    name: ClassVar[str] = "npb.ep"
    kernel: ClassVar[str] = "ep"
    # Pairs are made in batches that fit a cache.
    bytes_per_point: ClassVar[float] = 0.0

    @classmethod
    def most_ranks(cls, n_nodes: int) -> int:
        """Return the number of nodes."""
        return n_nodes

    @property
    def ranks_limit(self) -> int:
        """One batch of 2^16 pairs per rank."""
        return EP_PAIRS[self.problem_class] >> 16

    @property
    def n_points(self) -> int:
        """Pairs of random numbers."""
        return EP_PAIRS[self.problem_class]

    def setup(self, n_ranks: int) -> list[Steps]:
        """Return a parameter and a barrier."""
        del n_ranks
        return [*small_broadcasts(4), barrier()]

    def iteration(self, n_ranks: int) -> list[Steps]:
        """Return the whole computation and its sums."""
        work = compute(self.seconds(self.operations_per_pass() / n_ranks))
        return [work, all_reduce(8), all_reduce(8), all_reduce(80)]

    def after(self, n_ranks: int) -> list[Steps]:
        """Return the longest time."""
        del n_ranks
        return [all_reduce(8)]
