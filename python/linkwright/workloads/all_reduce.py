"""All-reduce: the vectors of all ranks are combined, and every rank gets the result, repeatedly.

The collective of data-parallel training. Its throughput is given as *bus throughput*, 2 (N - 1) / N
times the vector per second: the least that each rank must send and receive, so that figures of
different N can be compared with the rate of a link.
"""

from __future__ import annotations

from typing import ClassVar

from linkwright.workloads.collective import SizedCollective
from linkwright.workloads.libraries import AllReduceAlgorithm
from linkwright.workloads.steps import StepKind, Steps, all_reduce
from linkwright.workloads.workload import Marks, Measurement

__all__ = ["AllReduce"]


class AllReduce(SizedCollective):
    """Time of an all-reduce and its bus throughput, for each vector size."""

    name: ClassVar[str] = "all-reduce"
    collective: ClassVar[StepKind] = StepKind.ALL_REDUCE

    algorithm: AllReduceAlgorithm | None = None
    """Algorithm of the collective. Default: the library\'s, by ranks and bytes."""

    def operation(self, size_bytes: int) -> Steps:
        """Return one all-reduce."""
        return all_reduce(size_bytes)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size the time per all-reduce and the bus throughput."""
        measurements = []
        for index, size_bytes in enumerate(self.size_bytes):
            time_s = self.mean_time_s(marks, index)
            n_ranks = marks.n_ranks(2 * index)
            throughput = 2 * (n_ranks - 1) / n_ranks * size_bytes / time_s
            measurements += [
                self._measurement("time", time_s, "s", size_bytes=size_bytes),
                self._measurement("bus_throughput", throughput, "B/s", size_bytes=size_bytes),
            ]
        return measurements
