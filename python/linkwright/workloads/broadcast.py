"""Broadcast: the root's message to all ranks, many times back to back.

Broadcasts follow each other without waiting, so that they overlap like in a pipeline: the printed
43 MB/s of 16 nodes for 4096 B [NAS-97-017] are out of reach of one broadcast at a time. The
papers do not say whether the root counts as a receiver, nor whether the barrier that ends the
measurement lies inside the time; both are settings here.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwright.errors import UsageError
from linkwright.workloads.collective import SizedCollective
from linkwright.workloads.libraries import BroadcastAlgorithm
from linkwright.workloads.steps import StepKind, Steps, barrier, broadcast
from linkwright.workloads.workload import Marks, Measurement, RankNumber

__all__ = ["Broadcast"]


class Broadcast(SizedCollective):
    """Time of a broadcast and aggregate throughput at its receivers, for each size."""

    name: ClassVar[str] = "broadcast"
    collective: ClassVar[StepKind] = StepKind.BROADCAST

    algorithm: BroadcastAlgorithm | None = None
    """Algorithm of the collective. Default: the library\'s, by ranks and bytes."""

    root: RankNumber = 0
    """Rank that has the data."""
    receivers: Literal["others", "all"] = "others"
    """Receivers that the aggregate throughput counts: N - 1 ranks, or N with the root."""
    closing_barrier: bool = True
    """Whether the time ends with a barrier, on the clock of the root; otherwise it ends when the
    last rank has the last message, which needs a common clock."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of ranks that take part, including the root."""
        n_ranks = super().n_ranks(n_nodes)
        if self.root >= n_ranks:
            raise UsageError(
                f"workload {self.name}: root is {self.root} of {n_ranks} ranks",
                f"ranks count from 0: choose root below {n_ranks}",
            )
        return n_ranks

    def operation(self, size_bytes: int) -> Steps:
        """Return one broadcast."""
        return broadcast(size_bytes, self.root)

    def closing(self) -> list[Steps]:
        """Return the barrier that ends each size, if there is one."""
        return [barrier()] if self.closing_barrier else []

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size the time per broadcast and the throughput of all receivers together."""
        measurements = []
        for index, size_bytes in enumerate(self.size_bytes):
            time_s = self._span_s(marks, 2 * index) / self.repeats
            n_ranks = marks.n_ranks(2 * index)
            n_receivers = n_ranks if self.receivers == "all" else n_ranks - 1
            throughput = n_receivers * size_bytes / time_s
            measurements += [
                self._measurement("time", time_s, "s", size_bytes=size_bytes),
                self._measurement("aggregate_throughput", throughput, "B/s", size_bytes=size_bytes),
            ]
        return measurements

    def _span_s(self, marks: Marks, begin: int) -> float:
        if self.closing_barrier:
            return marks.span_s(begin, begin + 1, self.root)
        return marks.last_s(begin + 1) - marks.first_s(begin, self.root)
