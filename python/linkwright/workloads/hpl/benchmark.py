"""The workload: settings of the benchmark, its grid of ranks, and the rate as it is printed.

The work of the ranks is in ``elimination.py``.
"""

from __future__ import annotations

import math
from typing import ClassVar, Self

from pydantic import Field, model_validator

from linkwright.errors import UsageError
from linkwright.workloads.hpl.elimination import Elimination, RowSwap
from linkwright.workloads.hpl.grid import BlockGrid
from linkwright.workloads.hpl.lines import BroadcastVariant
from linkwright.workloads.steps import Steps, barrier, join, mark
from linkwright.workloads.workload import (
    Marks,
    Measurement,
    MemoryBytes,
    NodeSpeed,
    OperationsPerS,
    RankCount,
    SpeedFactor,
    Workload,
)

__all__ = ["Hpl"]

_BEGIN, _END = 0, 1

_DOUBLE = 8


class Hpl(Workload):
    """Time and rate of the High-Performance Linpack benchmark: a dense system of equations."""

    name: ClassVar[str] = "hpl"
    examples = ({"n": 48, "nb": 16, "rate": 1e8},)

    n: int = Field(10_000, ge=1, le=1_000_000)
    """Number of equations: N."""
    nb: int = Field(64, ge=1, le=4096)
    """Columns of a panel and sides of a block: NB."""
    p: RankCount | None = None
    """Rows of ranks: P. Default: the most square grid with P up to Q."""
    q: RankCount | None = None
    """Columns of ranks: Q."""
    panel_broadcast: BroadcastVariant = "1ring-m"
    """Broadcast of a panel along the rows."""
    row_swap: RowSwap = "spread-roll"
    """Exchange of pivot rows along the columns."""
    look_ahead: int = Field(1, ge=0, le=1)
    """Panels that are factored before the update with the last one is done: 0 or 1."""
    rate: OperationsPerS | None = None
    """Operations per second of one node in the update. Default: the calibration's."""
    panel_speed: float = Field(0.5, gt=0, le=1)
    """Fraction of that rate at which panels are factored and triangles solved: an estimate."""
    node_speed: SpeedFactor = 1.0
    """Factor on the rate of every node."""
    memory_bytes: MemoryBytes | None = None
    """Memory of a node that a program can use. Default: the calibration's."""

    @model_validator(mode="after")
    def _fits(self) -> Hpl:
        if self.n < self.nb:
            msg = f"nb of {self.nb} is more than n of {self.n}; choose a smaller nb"
            raise ValueError(msg)
        return self

    def n_ranks(self, n_nodes: int) -> int:
        """Return P times Q."""
        rows, columns = self._shape(super().n_ranks(n_nodes))
        if rows * columns > n_nodes:
            raise UsageError(
                f"workload {self.name}: a grid of {rows} x {columns} ranks, the cluster has "
                f"{n_nodes} nodes",
                "choose smaller p and q, or put several ranks on each node (placement row:2)",
            )
        return rows * columns

    def why_fewer_ranks(self, n_nodes: int) -> str:
        """Return the grid of ranks as the reason."""
        rows, columns = self._shape(n_nodes)
        return f"its grid has {rows} x {columns} ranks"

    def at_speed(self, speed: NodeSpeed, n_nodes: int) -> Self:
        """Return the benchmark with the calibration's values for settings that are not given."""
        rate = self.rate or speed.rate(self.name, self.working_set_bytes(self.n_ranks(n_nodes)))
        if rate is None:
            raise UsageError(
                f"the calibration has no speed of {self.name}",
                "set the operations per second of one node, for example --set rate=200e6",
            )
        memory_bytes = self.memory_bytes or speed.memory_bytes
        return self.model_copy(update={"rate": rate, "memory_bytes": memory_bytes})

    def working_set_bytes(self, n_ranks: int) -> float:
        """Return the memory that one rank works on: its part of the matrix."""
        return _DOUBLE * float(self.n) ** 2 / n_ranks

    @property
    def n_operations(self) -> float:
        """Operations as the benchmark counts them, regardless of the algorithm."""
        return 2 / 3 * self.n**3 + 3 / 2 * self.n**2

    def steps(self, n_ranks: int) -> Steps:
        """Return factorisation and back substitution between marks of all ranks."""
        if self.rate is None:
            raise UsageError(
                f"workload {self.name} has no rate", "set the operations per second of one node"
            )
        rate = self.rate * self.node_speed
        elimination = Elimination(
            BlockGrid(self.n, self.nb, *self._shape(n_ranks)),
            update_rate=rate,
            panel_rate=rate * self.panel_speed,
            panel_broadcast=self.panel_broadcast,
            row_swap=self.row_swap,
        )
        parts = elimination.ahead() if self.look_ahead else elimination.in_turn()
        return join(barrier(), mark(_BEGIN), *parts, *elimination.substitution(), mark(_END))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time until every rank has the solution, and the total rate."""
        time_s = marks.span_s(_BEGIN, _END)
        noted = {}
        if self.memory_bytes and self.working_set_bytes(marks.n_ranks(_END)) > self.memory_bytes:
            noted["exceeds_memory"] = True
        return [
            self._measurement("time", time_s, "s", **noted),
            self._measurement("rate", self.n_operations / time_s, "op/s", **noted),
        ]

    def _shape(self, n_ranks: int) -> tuple[int, int]:
        """Return rows and columns of ranks."""
        if self.p and self.q:
            return self.p, self.q
        if self.p or self.q:
            given = self.p or self.q or 1
            other = max(n_ranks // given, 1)
            return (given, other) if self.p else (other, given)
        rows = max(side for side in range(1, math.isqrt(n_ranks) + 1) if n_ranks % side == 0)
        return rows, n_ranks // rows
