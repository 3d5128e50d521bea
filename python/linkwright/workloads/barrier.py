"""Barrier: all ranks wait for each other, many times [NAS-97-017].

The figure is the mean over the ranks of the time on each rank's own clock, so that it can be
measured on real nodes whose clocks differ.
"""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from linkwright.workloads.libraries import BarrierAlgorithm, ByAlgorithm
from linkwright.workloads.steps import StepKind, Steps, barrier, join, mark, repeat
from linkwright.workloads.workload import (
    Marks,
    Measurement,
    RanksTakingPart,
    taking_part,
)

__all__ = ["Barrier"]


class Barrier(ByAlgorithm):
    """Time of a barrier of all nodes."""

    name: ClassVar[str] = "barrier"
    collective: ClassVar[StepKind] = StepKind.BARRIER

    algorithm: BarrierAlgorithm | None = None
    """Algorithm of the barrier. Default: the library's, by ranks."""

    ranks: RanksTakingPart = None
    """Number of ranks that take part. Default: all nodes."""
    repeats: int = Field(20, ge=1, le=10**9)
    """Barriers, one after the other."""
    warm_up: int = Field(8, ge=1, le=10**9)
    """Barriers before the measured ones; at least one, so that all ranks begin together. After
    about four the windows of all connections are open."""

    @property
    def is_collective(self) -> bool:
        """Whether the libraries of GPUs have its operations too."""
        return True

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of ranks that take part."""
        return taking_part(self, self.ranks, super().n_ranks(n_nodes))

    def why_fewer_ranks(self, n_nodes: int) -> str:
        """Return the setting that limits the ranks."""
        del n_nodes
        return f"ranks={self.ranks}"

    def steps(self, n_ranks: int) -> Steps:
        """Return the warm-up, then the barriers between marks 0 and 1 of all ranks."""
        one = self.in_manner(barrier())
        warm_up, timed = repeat(self.warm_up, one), repeat(self.repeats, one)
        return join(warm_up, mark(0), timed, mark(1))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time per barrier."""
        mean_span_s = marks.mean_s(1) - marks.mean_s(0)
        return [self._measurement("time", mean_span_s / self.repeats, "s")]
