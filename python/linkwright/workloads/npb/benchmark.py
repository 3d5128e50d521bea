"""The common parts of the NAS parallel benchmarks: class and ranks, the timed loop, extrapolation.

Each file in this folder writes the messages of one benchmark, in the order of its MPI version
[NPB-3.3.1], and the distribution of its computation over that order. A long loop runs until its
passes take equal time, and the time of the remaining passes is added; ``exact`` runs them all.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import ConfigDict, Field

from linkwright.errors import UsageError
from linkwright.workloads.libraries import ByLibrary
from linkwright.workloads.npb.classes import ITERATIONS, ProblemClass, operations
from linkwright.workloads.steps import Steps, broadcast, compute, join, mark, repeat
from linkwright.workloads.workload import (
    Marks,
    Measurement,
    MemoryBytes,
    NodeSpeed,
    OperationsPerS,
    RankCount,
    SpeedFactor,
)

__all__ = ["NpbBenchmark", "power_of_two_below", "small_broadcasts", "square_below"]

_BEGIN, _ITERATION, _END = range(3)
"""Marks of every rank: start of the timer, end of a pass, stop of the timer."""

_SETTLED = 0.004
"""Half of the 95 % confidence interval of a pass, relative to it, at which it has settled."""


class NpbBenchmark(ByLibrary):
    """One of the NAS parallel benchmarks."""

    model_config = ConfigDict(populate_by_name=True)

    # Not every calibration has the speed of its nodes in these.
    examples = ({"class": "S", "rate": 1e8, "iterations": 1},)

    kernel: ClassVar[str]
    """Its name in two letters."""
    bytes_per_point: ClassVar[float]
    """Memory that a rank works on, for each of its points, keys or rows."""
    ranks_rule: ClassVar[str] = "a power of two"
    """Requirement for the number of ranks."""

    problem_class: ProblemClass = Field("A", alias="class")
    """Size of the problem: S, W, A, B, C or D."""
    ranks: RankCount | None = None
    """Number of ranks. Default: as many as the benchmark allows on the cluster."""
    rate: OperationsPerS | None = None
    """Operations per second of one node. Default: the calibration's."""
    node_speed: SpeedFactor = 1.0
    """Factor on the rate of every node, for nodes that differ from the calibrated ones."""
    copy_us_per_byte: float | None = Field(None, ge=0, le=1e3)
    """Time to copy a byte between the program's arrays and the buffer of a message, which no count
    of operations includes. Default: the calibration's."""
    memory_bytes: MemoryBytes | None = None
    """Memory of a node that a program can use. Default: the calibration's."""
    exact: bool = False
    """Whether every pass of the timed loop is run."""
    iterations: int | None = Field(None, ge=1, le=10**9)
    """Number of passes to run. Default: as many as needed until they have settled."""
    at_first: int = Field(8, ge=1, le=10**9)
    """Number of passes before the first test whether they have settled; doubled until they have."""

    @property
    def n_seeds(self) -> int:
        """Number of runs where chance matters.

        An even number, because connections of Linux 2.0 behave by the time of day at which they
        were made, and seeds alternate between the two halves of it (docs/design/tcp.md); more for
        class S, whose short computation gives this effect and collisions the largest weight.
        """
        return 4 if self.problem_class == "S" else 2

    # Each benchmark defines these.

    @classmethod
    @abstractmethod
    def most_ranks(cls, n_nodes: int) -> int:
        """Return the largest number of ranks it allows on `n_nodes`."""

    @property
    @abstractmethod
    def ranks_limit(self) -> int:
        """Largest number of ranks that the size of the problem allows."""

    @property
    @abstractmethod
    def n_points(self) -> int:
        """Points of the grid, keys or rows of the whole problem."""

    @abstractmethod
    def setup(self, n_ranks: int) -> list[Steps]:
        """Return the steps before the timer starts."""

    def opening(self, n_ranks: int) -> list[Steps]:
        """Return the timed steps before the loop."""
        del n_ranks
        return []

    @abstractmethod
    def iteration(self, n_ranks: int) -> list[Steps]:
        """Return one pass of the loop."""

    def closing(self, n_ranks: int) -> list[Steps]:
        """Return the timed steps after the loop."""
        del n_ranks
        return []

    def after(self, n_ranks: int) -> list[Steps]:
        """Return the steps after the timer has stopped."""
        del n_ranks
        return []

    # All benchmarks share these.

    @property
    def n_iterations(self) -> int:
        """Passes of the timed loop of this class."""
        return ITERATIONS[self.kernel][self.problem_class]

    @property
    def n_played(self) -> int:
        """Number of passes of the timed loop that are run."""
        if self.exact:
            return self.n_iterations
        return min(self.iterations or self.at_first, self.n_iterations)

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of ranks on a cluster of `n_nodes`."""
        n_nodes = min(super().n_ranks(n_nodes), self.ranks_limit)
        if self.ranks is None:
            return self.most_ranks(n_nodes)
        if self.ranks > n_nodes:
            raise UsageError(
                f"workload {self.name} of class {self.problem_class}: {self.ranks} ranks, at most "
                f"{n_nodes} are possible",
                "one rank runs on a node, and each needs its points: choose "
                f"{self.most_ranks(n_nodes)} or fewer",
            )
        if self.most_ranks(self.ranks) != self.ranks:
            raise UsageError(
                f"workload {self.name} of class {self.problem_class} does not run on "
                f"{self.ranks} ranks",
                f"choose {self.most_ranks(self.ranks)}",
            )
        return self.ranks

    def why_fewer_ranks(self, n_nodes: int) -> str:
        """Return the setting, the rule or the size of the problem that allows no more ranks."""
        if self.ranks is not None:
            return f"ranks={self.ranks}"
        if self.n_ranks(n_nodes) == self.most_ranks(n_nodes):
            return f"it needs {self.ranks_rule}"
        return f"class {self.problem_class} is too small for more"

    def at_speed(self, speed: NodeSpeed, n_nodes: int) -> Self:
        """Return the benchmark with the calibration's values for settings that are not given."""
        rate = self.rate or speed.rate(self.kernel, self.working_set_bytes(self.n_ranks(n_nodes)))
        if rate is None:
            raise UsageError(
                f"the calibration has no speed of {self.name}",
                "set the operations per second of one node, for example --set rate=25e6",
            )
        found = {"rate": rate, "memory_bytes": self.memory_bytes or speed.memory_bytes}
        if self.copy_us_per_byte is None:
            found["copy_us_per_byte"] = speed.copy_us_per_byte
        return self.model_copy(update=found)

    def working_set_bytes(self, n_ranks: int) -> float:
        """Return the memory that one rank works on."""
        return self.n_points / n_ranks * self.bytes_per_point

    def steps(self, n_ranks: int) -> Steps:
        """Return set-up, the timed loop between marks of all ranks, and the steps after it."""
        loop = repeat(self.n_played, *self.iteration(n_ranks), mark(_ITERATION))
        return join(
            *self.setup(n_ranks),
            mark(_BEGIN),
            *self.opening(n_ranks),
            loop,
            *self.closing(n_ranks),
            mark(_END),
            *self.after(n_ranks),
        )

    def longer(self, marks: Marks) -> Self | None:
        """Return the benchmark with twice the passes, if they have not settled."""
        is_given = self.iterations is not None or self.n_played == self.n_iterations
        if is_given or _has_settled(marks.passes_s(_BEGIN, _ITERATION)):
            return None
        return self.model_copy(update={"at_first": 2 * self.n_played})

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time of the slowest rank, and the total rate."""
        left = self.n_iterations - self.n_played
        time_s = marks.longest_s(_BEGIN, _END)
        if left:
            time_s += left * marks.late_pass_s(_BEGIN, _ITERATION)
        noted = {"n_played": self.n_played}
        if self.memory_bytes and self.working_set_bytes(marks.n_ranks(_END)) > self.memory_bytes:
            noted["exceeds_memory"] = True
        rate = operations(self.kernel, self.problem_class) / time_s
        return [
            self._measurement("time", time_s, "s", **noted),
            self._measurement("rate", rate, "op/s", **noted),
        ]

    def seconds(self, n_operations: ArrayLike) -> NDArray[np.float64]:
        """Return the time of one node for some operations."""
        if self.rate is None:
            raise UsageError(
                f"workload {self.name} has no rate", "set the operations per second of one node"
            )
        return np.asarray(n_operations, dtype=np.float64) / (self.rate * self.node_speed)

    def copying(self, size_bytes: ArrayLike, ranks: ArrayLike) -> Steps:
        """Return the copies of message data by each of some ranks."""
        per_byte_s = (self.copy_us_per_byte or 0.0) * 1e-6 / self.node_speed
        return compute(np.asarray(size_bytes, dtype=np.float64) * per_byte_s, ranks)

    def operations_per_pass(self) -> float:
        """Return the operations of one pass of the loop, of all ranks together."""
        return operations(self.kernel, self.problem_class) / self.n_iterations


def square_below(n: int) -> int:
    """Return the largest square number up to `n`."""
    return math.isqrt(n) ** 2


def power_of_two_below(n: int) -> int:
    """Return the largest power of two up to `n`."""
    return 1 << (n.bit_length() - 1)


def small_broadcasts(*sizes_bytes: int) -> list[Steps]:
    """Return the broadcasts by which rank 0 distributes the parameters of the problem."""
    return [broadcast(size_bytes) for size_bytes in sizes_bytes]


def _has_settled(passes_s: NDArray[np.float64]) -> bool:
    """Return whether the mean of the last half of the passes is known well enough.

    Its confidence interval must be narrow, and its two halves must agree, so that a drift shows.
    """
    last = passes_s[len(passes_s) // 2 :]
    if len(last) < 4:
        return False
    mean, spread = float(last.mean()), float(last.std(ddof=1))
    # Student's factor for 95 %: 3.2 for four passes, 2 for many.
    half_width = (2.0 + 3.6 / (len(last) - 1)) * spread / math.sqrt(len(last))
    early, late = np.array_split(last, 2)
    drift = abs(float(late.mean() - early.mean())) / 2
    return max(half_width, drift) <= _SETTLED * mean
