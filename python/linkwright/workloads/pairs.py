"""The common parts of workloads of pairs: a producer and a consumer each, independent of the
others.

Ranks 2i and 2i + 1 are a pair. The placement chooses their nodes, on a shared medium or not
(``local-pairs`` and ``remote-pairs``, see ``linkwright.placement``); a workload knows no network.
Nodes without a rank are idle.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import UsageError
from linkwright.workloads.steps import Steps, join, receive, repeat, send
from linkwright.workloads.workload import RankCount, Workload

__all__ = ["PairedWorkload", "exchanges", "producers"]

_USUAL_PAIRS = 7


class PairedWorkload(Workload):
    """Producers and consumers in disjoint pairs."""

    pairs: RankCount | None = None
    """Number of pairs. Default: as many as the nodes allow, but at most seven, as in
    [BEOWULF-1996]."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return two ranks for each pair."""
        n_nodes = super().n_ranks(n_nodes)
        pairs = self.pairs or min(n_nodes // 2, _USUAL_PAIRS)
        if 2 * pairs > n_nodes:
            raise UsageError(
                f"workload {self.name}: {pairs} pairs need {2 * pairs} nodes, the cluster has "
                f"{n_nodes}",
                f"choose {n_nodes // 2} pairs or fewer, or a larger cluster",
            )
        return 2 * pairs

    def why_fewer_ranks(self, n_nodes: int) -> str:
        """Return the reason for fewer ranks: the setting, the default, or an odd number of
        nodes.
        """
        if self.pairs is not None:
            return f"pairs={self.pairs}"
        if n_nodes // 2 > _USUAL_PAIRS:
            return f"the default is {_USUAL_PAIRS} pairs"
        return "each pair needs two"


def producers(n_ranks: int) -> NDArray[np.intp]:
    """Return the rank of each pair's producer; its consumer is the next rank."""
    return np.arange(0, n_ranks, 2)


def exchanges(count: int, size_bytes: int, producer: NDArray[np.intp]) -> list[Steps]:
    """Return messages back and forth between some producers and their consumers, one by one."""
    if not count or not producer.size:
        return []
    consumer = producer + 1
    there_and_back = join(send(producer, consumer, size_bytes), receive(producer, consumer))
    back_again = join(receive(consumer, producer), send(consumer, producer, size_bytes))
    return [
        repeat(count, there_and_back, rank=producer),
        repeat(count, back_again, rank=consumer),
    ]
