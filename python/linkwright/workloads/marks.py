"""The times at which ranks passed the marks of a workload, beside the datagrams of a run.

A workload computes its figures from them. Those that compute with methods of `Marks` that return
one number have `readings`: formulas by which a page computes the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from linkwright.records.read_only import ReadOnly
from linkwright.workloads.arrivals import Datagrams

__all__ = ["Marks"]


@dataclass(frozen=True, eq=False)
class Marks(ReadOnly):
    """The marks that ranks passed in one run, in order of time."""

    mark: NDArray[np.uint32]
    """shape (m,): number of the mark."""
    rank: NDArray[np.uint32]
    """shape (m,): rank that passed it."""
    time_s: NDArray[np.float64]
    """shape (m,): time, in seconds from the start of the run."""
    datagrams: Datagrams | None = None
    """The datagrams, if the engine moves any."""

    def times_s(self, mark: int, rank: int | None = None) -> NDArray[np.float64]:
        """Return the times at which a mark was passed, by one rank or by all.

        Raises
        ------
        KeyError
            If it was not passed: a program that finished has passed all its marks.
        """
        chosen = self.mark == mark
        if rank is not None:
            chosen &= self.rank == rank
        if not chosen.any():
            raise KeyError(f"rank {'any' if rank is None else rank} passed no mark {mark}")
        passed: NDArray[np.float64] = self.time_s[chosen]
        return passed

    def span_s(self, begin: int, end: int, rank: int | None = None) -> float:
        """Return the seconds from the first pass of `begin` to the last pass of `end`."""
        return self.last_s(end, rank) - self.first_s(begin, rank)

    def first_s(self, mark: int, rank: int | None = None) -> float:
        """Return the time at which a mark was first passed, by one rank or by any."""
        return float(self.times_s(mark, rank).min())

    def last_s(self, mark: int, rank: int | None = None) -> float:
        """Return the time at which a mark was last passed, by one rank or by any."""
        return float(self.times_s(mark, rank).max())

    def mean_s(self, mark: int) -> float:
        """Return the mean of the times at which ranks passed a mark."""
        return float(np.mean(self.times_s(mark)))

    def least(self, values: Sequence[float]) -> float:
        """Return the least of some values computed from marks."""
        return min(values)

    def greatest(self, values: Sequence[float]) -> float:
        """Return the greatest of some values computed from marks."""
        return max(values)

    def longest_s(self, begin: int, end: int) -> float:
        """Return the longest span of a rank between two marks that each rank passes once."""
        spans_s = self._by_rank(end)[:, 0] - self._by_rank(begin)[:, 0]
        return float(spans_s.max())

    def totals_s(self, begin: int, end: int) -> NDArray[np.float64]:
        """Return the time of each rank that passes them between all its pairs of two marks."""
        is_begin, is_end = self.mark == begin, self.mark == end
        chosen = is_begin | is_end
        signed_s = np.where(is_begin, -self.time_s, self.time_s)[chosen]
        ranks, place = np.unique(self.rank[chosen], return_inverse=True)
        totals_s: NDArray[np.float64] = np.zeros(len(ranks))
        np.add.at(totals_s, place, signed_s)
        return totals_s

    def passes_s(self, begin: int, end: int) -> NDArray[np.float64]:
        """Return the length of each pass of a loop, as a mean over the ranks.

        Every rank passes `begin` before the loop and `end` after each pass.
        """
        ends_s = np.concatenate([self._by_rank(begin), self._by_rank(end)], axis=1)
        return np.diff(ends_s.mean(axis=0))

    def late_pass_s(self, begin: int, end: int) -> float:
        """Return the mean length of the last half of `passes_s`."""
        passes_s = self.passes_s(begin, end)
        return float(passes_s[len(passes_s) // 2 :].mean())

    def linear_from(self, points: Sequence[tuple[float, float]], power: float) -> float | None:
        """Return the size from which on the time grows with this power of the size, or faster.

        Parameters
        ----------
        points : sequence of (float, float)
            Sizes, growing, and a time computed from marks for each.
        power : float
            The power.
        """
        found = None
        for (small, small_s), (large, large_s) in reversed(list(pairwise(points))):
            if large_s / small_s < (large / small) ** power:
                break
            found = small
        return found

    def n_ranks(self, mark: int) -> int:
        """Return the number of ranks that passed a mark."""
        return len(np.unique(self.rank[self.mark == mark]))

    def _by_rank(self, mark: int) -> NDArray[np.float64]:
        """Return the times of a mark, shape (n_ranks, passes of the mark)."""
        chosen = self.mark == mark
        rank, time_s = self.rank[chosen], self.time_s[chosen]
        order = np.lexsort((time_s, rank))
        return np.asarray(time_s[order], dtype=np.float64).reshape(int(rank.max()) + 1, -1)
