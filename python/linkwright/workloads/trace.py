"""The common parts of workloads that replay a program: its ranks, its end, and the speed of the
processors relative to those of the trace.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from pydantic import Field

from linkwright.errors import UsageError
from linkwright.files import MEBIBYTE
from linkwright.workloads.steps import Steps, join, mark
from linkwright.workloads.workload import Marks, Measurement, Workload

__all__ = ["MOST_BYTES", "Trace"]

MOST_BYTES = 1024 * MEBIBYTE
"""Largest size of a file."""

_BEGIN, _END = 0, 1


class Trace(Workload):
    """Completion time of a recorded or written program."""

    compute_factor: float = Field(1.0, ge=0, le=1e6)
    """Factor on the length of every computation, for processors that differ from the recorded."""

    @property
    def is_collective(self) -> bool:
        """Whether the libraries of GPUs have its operations too."""
        return True

    @abstractmethod
    def recorded_ranks(self) -> int:
        """Return the number of recorded ranks."""

    @abstractmethod
    def recorded_steps(self) -> Steps:
        """Return the recorded steps."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of recorded ranks."""
        n_nodes = super().n_ranks(n_nodes)
        n_ranks = self.recorded_ranks()
        if n_ranks > n_nodes:
            raise UsageError(
                f"workload {self.name}: {n_ranks} ranks were recorded, the cluster has "
                f"{n_nodes} nodes",
                f"choose a cluster of {n_ranks} nodes or more, or put several ranks on each "
                f"(placement row:{-(-n_ranks // n_nodes)})",
            )
        return n_ranks

    def why_fewer_ranks(self, n_nodes: int) -> str:
        """Return that there are no more ranks in the trace."""
        del n_nodes
        return "no more were recorded"

    def steps(self, n_ranks: int) -> Steps:
        """Return the recorded steps between marks 0 and 1 of every rank."""
        del n_ranks
        steps = self.recorded_steps()
        steps = replace(steps, compute_s=steps.compute_s * self.compute_factor)
        return join(*self.first_steps(), mark(_BEGIN), steps, mark(_END))

    def first_steps(self) -> tuple[Steps, ...]:
        """Return steps before the first mark, which take no time."""
        return ()

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the times at which the last rank, and the ranks on average, finished."""
        return [
            self._measurement("time", marks.last_s(_END), "s"),
            self._measurement("time_mean", marks.mean_s(_END), "s"),
        ]
