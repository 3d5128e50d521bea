"""IS: a sort of integers by buckets; every pass exchanges all keys [NPB-3.3.1].

A key is the mean of four uniform random numbers. Ranks own runs of whole buckets, of which those in
the middle hold most keys, so that the blocks of an exchange differ by a few per cent: enough to
fall on both sides of a limit of the MPI library. No barrier aligns the ranks before the timer
starts.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

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
    start_send,
    wait_all,
)

__all__ = ["IntegerSort"]

_KEY_BYTES = 4

_COUNTING = 0.5
"""Estimate: fraction of a pass that counts keys and moves them into buckets; the rest ranks
them."""


_SEED = 314159265
"""Seed of the keys, that of the original. Its generator is another one with the same distribution.
"""


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
            *self._exchange(n_ranks),
            compute(self.seconds(work * (1.0 - _COUNTING))),
        ]

    def _exchange(self, n_ranks: int) -> list[Steps]:
        """Return an exchange in which every rank sends its keys to their owners, from rank 0 on,
        itself included [MPICH-1.1].
        """
        ranks = np.arange(n_ranks)
        sizes = _KEY_BYTES * self.keys_by_pair(n_ranks)
        posted = (
            [start_receive(ranks, owner), start_send(ranks, owner, sizes[:, owner])]
            for owner in ranks
        )
        return [*(step for steps in posted for step in steps), wait_all(ranks)]

    def keys_by_pair(self, n_ranks: int) -> NDArray[np.int64]:
        """Return the keys that each rank (row) sends to each (column) in a pass.

        A rank owns buckets until the ranks up to it own their share of all keys.
        """
        problem = IS_CLASSES[self.problem_class]
        edges = np.linspace(0.0, 4.0, problem.buckets + 1)
        generator = np.random.default_rng(_SEED)
        by_bucket = generator.multinomial(
            problem.keys // n_ranks, np.diff(_share_of_sums_below(edges)), n_ranks
        )
        keys_up_to = by_bucket.sum(axis=0).cumsum()
        shares = problem.keys // n_ranks * np.arange(1, n_ranks)
        firsts = np.searchsorted(keys_up_to, shares) + 1
        cumulated = by_bucket.cumsum(axis=1)[:, firsts - 1]
        return np.diff(cumulated, axis=1, prepend=0, append=problem.keys // n_ranks)

    def after(self, n_ranks: int) -> list[Steps]:
        """Return the longest time, and the check that the ranks' keys are in order."""
        ranks = np.arange(n_ranks - 1)
        chain = [
            start_receive(ranks + 1, ranks),
            send(ranks, ranks + 1, _KEY_BYTES),
            wait_all(ranks + 1),
        ]
        return [reduce(8), *chain, reduce(_KEY_BYTES)]


def _share_of_sums_below(bounds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that four uniform numbers in [0, 1] add up to less than each bound
    in [0, 4] (Irwin and Hall).
    """
    signs, shifts = np.array([1, -4, 6, -4]), np.arange(4)
    share: NDArray[np.float64] = (
        signs * np.clip(bounds[:, np.newaxis] - shifts, 0.0, None) ** 4
    ).sum(axis=1)
    return share / 24.0
