"""All to all: every rank sends a separate block to every other, repeatedly.

The heaviest traffic in practice, limited by the bisection of the network: matrix transposes, FT and
IS of the NAS benchmarks, mixtures of experts.
"""

from __future__ import annotations

from typing import ClassVar

from linkwright.workloads.collective import SizedCollective
from linkwright.workloads.libraries import AllToAllAlgorithm
from linkwright.workloads.steps import StepKind, Steps, all_to_all
from linkwright.workloads.workload import Marks, Measurement

__all__ = ["AllToAll"]


class AllToAll(SizedCollective):
    """Time of an exchange of all with all and its aggregate throughput, for each block size."""

    name: ClassVar[str] = "all-to-all"
    collective: ClassVar[StepKind] = StepKind.ALL_TO_ALL

    algorithm: AllToAllAlgorithm | None = None
    """Algorithm of the collective. Default: the library\'s, by ranks and bytes."""

    def operation(self, size_bytes: int) -> Steps:
        """Return one exchange."""
        return all_to_all(size_bytes)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size the time per exchange and the throughput of all receivers together; the
        block that a rank keeps for itself does not count.
        """
        return self.of_blocks(marks)
