"""Patterns of traffic: senders and receivers, one message for each pair, all at the same time.

A pattern is its pairs. Its loads on a network, and the saturation throughput, follow from the
routes alone and need no message (see `linkwright.engines.saturate`).
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import UsageError
from linkwright.workloads.sizes import SizeBytes
from linkwright.workloads.steps import Steps, join, mark, start_receive, start_send, wait_all
from linkwright.workloads.workload import Marks, Measurement, Workload

__all__ = ["Pairs", "Pattern"]

Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Sending ranks and receiving ranks, message by message."""

_BEGIN, _END = 0, 1


class Pattern(Workload):
    """Completion time of one message of each pair.

    Nothing is warmed up or awaited before: the time includes the opening of connections and
    windows, as in the bulk transfers of other network simulators.
    """

    size_bytes: SizeBytes = 1_000_000
    """Size of the message."""

    @abstractmethod
    def pairs(self, n_ranks: int) -> Pairs:
        """Return the senders and receivers; no rank sends to itself.

        Returns
        -------
        source, destination : ndarray, shape (n_messages,)
            Ranks, in the order in which each rank sends.
        """

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        n_ranks = super().n_ranks(n_nodes)
        if self.pairs(n_ranks)[0].size == 0:
            raise UsageError(
                f"workload {self.name} with {self.parameters} leaves each of {n_ranks} nodes in"
                " place",
                "choose other settings or a larger cluster",
            )
        return n_ranks

    def steps(self, n_ranks: int) -> Steps:
        """Return one exchange between marks 0 and 1; a rank in no pair only passes the marks."""
        source, destination = self.pairs(n_ranks)
        return join(
            mark(_BEGIN),
            start_receive(destination, source),
            start_send(source, destination, self.size_bytes),
            wait_all(),
            mark(_END),
        )

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time until all ranks are done, and their total throughput."""
        time_s = marks.span_s(_BEGIN, _END)
        n_messages = self.pairs(marks.n_ranks(_BEGIN))[0].size
        return [
            self._measurement("time", time_s, "s"),
            self._measurement("aggregate_throughput", n_messages * self.size_bytes / time_s, "B/s"),
        ]


def without_self(source: NDArray[np.intp], destination: NDArray[np.intp]) -> Pairs:
    """Return the pairs of two different ranks."""
    moves = source != destination
    return source[moves], destination[moves]
