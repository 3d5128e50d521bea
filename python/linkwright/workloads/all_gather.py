"""All-gather: every rank gets the blocks of all, repeatedly.

The second half of a large all-reduce, and the step in which sharded models collect their weights.
"""

from __future__ import annotations

from typing import ClassVar

from linkwright.workloads.collective import SizedCollective
from linkwright.workloads.libraries import AllGatherAlgorithm
from linkwright.workloads.steps import StepKind, Steps, all_gather
from linkwright.workloads.workload import Marks, Measurement

__all__ = ["AllGather"]


class AllGather(SizedCollective):
    """Time of an all-gather and its aggregate throughput, for each size of a rank's block."""

    name: ClassVar[str] = "all-gather"
    collective: ClassVar[StepKind] = StepKind.ALL_GATHER

    algorithm: AllGatherAlgorithm | None = None
    """Algorithm of the collective. Default: the library's, by ranks and bytes."""

    def operation(self, size_bytes: int) -> Steps:
        """Return one all-gather."""
        return all_gather(size_bytes)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size the time per operation and the throughput of all receivers together; the
        block that a rank has itself does not count.
        """
        return self.of_blocks(marks)
