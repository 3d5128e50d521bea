"""FT: a Fourier transform in three dimensions, on slabs: one transposition per pass [NPB-3.3.1].

A transposition is an all-to-all exchange of the whole grid. Unlike the others, FT times the
building of its data and the first transform.
"""

from __future__ import annotations

import math
from typing import ClassVar

from linkwright.workloads.npb.benchmark import NpbBenchmark, power_of_two_below, small_broadcasts
from linkwright.workloads.npb.classes import FT_GRIDS, operations
from linkwright.workloads.steps import EVERY_RANK, Steps, all_to_all, barrier, compute, reduce

__all__ = ["Ft"]

_POINT_BYTES = 16
"""A complex number of two doubles."""

_PLANE = 2.0 / 3.0
"""Fraction of a transform that stays within a slab: two dimensions of three."""


class Ft(NpbBenchmark):
    """NAS parallel benchmark FT: three-dimensional Fourier transform."""

    name: ClassVar[str] = "npb.ft"
    kernel: ClassVar[str] = "ft"
    # Three grids of complex numbers and one of exponents.
    bytes_per_point: ClassVar[float] = 56.0

    @classmethod
    def most_ranks(cls, n_nodes: int) -> int:
        """Return the largest power of two."""
        return power_of_two_below(n_nodes)

    @property
    def ranks_limit(self) -> int:
        """One slab per rank: the points along z."""
        return FT_GRIDS[self.problem_class][2]

    @property
    def n_points(self) -> int:
        """Points of the grid."""
        return math.prod(FT_GRIDS[self.problem_class])

    def setup(self, n_ranks: int) -> list[Steps]:
        """Return parameters, an untimed transform, and a barrier."""
        return [*small_broadcasts(4, 4, 4, 4, 4), *self._transform(n_ranks, _PLANE), barrier()]

    def opening(self, n_ranks: int) -> list[Steps]:
        """Return the initial data and their transform."""
        transform = self._transform_operations()
        data = operations(self.kernel, self.problem_class) - self._loop_operations() - transform
        return [self._work(data, n_ranks), *self._transform(n_ranks, _PLANE)]

    def iteration(self, n_ranks: int) -> list[Steps]:
        """Return one step in time, the inverse transform, and a checksum."""
        per_pass = self._loop_operations() / self.n_iterations
        rest = per_pass - self._transform_operations()
        return [
            self._work(rest, n_ranks),
            *self._transform(n_ranks, 1.0 - _PLANE),
            reduce(_POINT_BYTES),
        ]

    def _transform(self, n_ranks: int, before: float) -> list[Steps]:
        """Return a transform with the fraction `before` before its transposition."""
        total = self._transform_operations()
        block = _POINT_BYTES * self.n_points // n_ranks**2
        # The slab is reordered for the transposition and, after it, once more.
        copy = self.copying(block * n_ranks, EVERY_RANK)
        return [
            self._work(total * before, n_ranks),
            copy,
            all_to_all(block),
            copy,
            self._work(total * (1.0 - before), n_ranks),
        ]

    def _transform_operations(self) -> float:
        """Return the operations of one transform: the logarithmic part of the count."""
        return 7.19641 * self.n_points * math.log(self.n_points)

    def _loop_operations(self) -> float:
        log_n = math.log(self.n_points)
        return self.n_points * (5.23518 + 7.21113 * log_n) * self.n_iterations

    def _work(self, n_operations: float, n_ranks: int) -> Steps:
        return compute(self.seconds(n_operations / n_ranks))
