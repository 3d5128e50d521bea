"""Shift: every rank i sends one message to rank i + k, all at the same time.

No connection is warmed up and nothing is waited for before: the time includes the opening of the
windows, as in the bulk transfers of other network simulators.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwright.errors import UsageError
from linkwright.workloads.pattern import completion, exchange
from linkwright.workloads.sizes import SizeBytes
from linkwright.workloads.steps import Steps
from linkwright.workloads.workload import Marks, Measurement, Workload

__all__ = ["Shift"]


class Shift(Workload):
    """Completion time of one message from every node i to node i + k."""

    name: ClassVar[str] = "shift"

    k: int = 1
    """Distance between sender and receiver, modulo the number of nodes; may be negative."""
    size_bytes: SizeBytes = 1_000_000
    """Size of the message."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        n_ranks = super().n_ranks(n_nodes)
        if self.k % n_ranks == 0:
            raise UsageError(
                f"workload {self.name}: a shift of {n_ranks} nodes by {self.k} leaves every"
                " message where it is",
                f"choose k that is no multiple of {n_ranks}",
            )
        return n_ranks

    def steps(self, n_ranks: int) -> Steps:
        """Return one exchange of all ranks between marks 0 and 1."""
        rank = np.arange(n_ranks)
        return exchange(rank, (rank + self.k) % n_ranks, self.size_bytes)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time until everybody is done, and the throughput of all together."""
        time_s = completion(marks)
        throughput = marks.n_ranks(0) * self.size_bytes / time_s
        return [
            self._measurement("time", time_s, "s"),
            self._measurement("aggregate_throughput", throughput, "B/s"),
        ]
