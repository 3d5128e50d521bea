"""Reduce-scatter: every rank gets its own block of the sum of all vectors, repeatedly.

The first half of a large all-reduce, and the step in which sharded models add up their gradients.
"""

from __future__ import annotations

from typing import ClassVar

from linkwright.workloads.collective import SizedCollective
from linkwright.workloads.libraries import ReduceScatterAlgorithm
from linkwright.workloads.steps import StepKind, Steps, reduce_scatter
from linkwright.workloads.workload import Marks, Measurement

__all__ = ["ReduceScatter"]


class ReduceScatter(SizedCollective):
    """Time of a reduce-scatter and its aggregate throughput, for each size of a rank's block."""

    name: ClassVar[str] = "reduce-scatter"
    collective: ClassVar[StepKind] = StepKind.REDUCE_SCATTER

    algorithm: ReduceScatterAlgorithm | None = None
    """Algorithm of the collective. Default: the library's, by ranks and bytes."""

    def operation(self, size_bytes: int) -> Steps:
        """Return one reduce-scatter."""
        return reduce_scatter(size_bytes)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size the time per operation and the throughput of all receivers together, of
        the blocks that each must get from the others.
        """
        return self.of_blocks(marks)
