"""The common parts of workloads of one collective: sizes, repeats, and marks around each size.

Operations of one size follow each other without waiting, so that they overlap as far as the
collective allows. Before each size all ranks meet in a barrier; after it, mark 2i + 1.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from pydantic import Field

from linkwright.workloads.libraries import ByAlgorithm
from linkwright.workloads.sizes import SizesBytes
from linkwright.workloads.steps import Steps, barrier, join, mark, repeat
from linkwright.workloads.workload import Marks, Measurement, RanksTakingPart, taking_part

__all__ = ["SizedCollective"]


class SizedCollective(ByAlgorithm):
    """One collective, timed for each of some sizes."""

    ranks: RanksTakingPart = None
    """Number of ranks that take part. Default: all nodes."""
    size_bytes: SizesBytes = (4096,)
    """Sizes of the message."""
    repeats: int = Field(20, ge=1, le=10**9)
    """Operations per size, back to back."""
    warm_up: int = Field(4, ge=0, le=10**9)
    """Operations of the largest size before the measured ones, each with the barrier that separates
    sizes: the barrier's own connections need open windows too."""

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

    @abstractmethod
    def operation(self, size_bytes: int) -> Steps:
        """Return the collective, once."""

    def closing(self) -> Sequence[Steps]:
        """Return the steps that end each size inside the measured time."""
        return ()

    def steps(self, n_ranks: int) -> Steps:
        """Return the warm-up, then per size a barrier and marks 2i, 2i + 1 of all ranks."""
        largest = self.in_manner(self.operation(max(self.size_bytes)))
        warm_up = [repeat(self.warm_up, largest, barrier())] if self.warm_up else []
        timed = [
            part
            for index, size_bytes in enumerate(self.size_bytes)
            for part in (
                barrier(),
                mark(2 * index),
                repeat(self.repeats, self.in_manner(self.operation(size_bytes))),
                *self.closing(),
                mark(2 * index + 1),
            )
        ]
        return join(*warm_up, *timed)

    def mean_time_s(self, marks: Marks, index: int) -> float:
        """Return the seconds per operation of size `index`: the mean over the ranks on their own
        clocks, so that it can be measured on nodes whose clocks differ.
        """
        return (marks.mean_s(2 * index + 1) - marks.mean_s(2 * index)) / self.repeats

    def of_blocks(self, marks: Marks) -> list[Measurement]:
        """Return per size the time per operation, and the aggregate throughput of collectives in
        which every rank gets a block from each other.
        """
        measurements = []
        for index, size_bytes in enumerate(self.size_bytes):
            time_s = self.mean_time_s(marks, index)
            n_ranks = marks.n_ranks(2 * index)
            throughput = n_ranks * (n_ranks - 1) * size_bytes / time_s
            measurements += [
                self._measurement("time", time_s, "s", size_bytes=size_bytes),
                self._measurement("aggregate_throughput", throughput, "B/s", size_bytes=size_bytes),
            ]
        return measurements
