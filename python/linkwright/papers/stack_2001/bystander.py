"""A workload of one table: two nodes exchange messages while a third computes.

If the third forwards for the two, its kernel takes the time from its program. No other table uses
this, so it is not a workload of the package.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwright.workloads import Measurement, Workload
from linkwright.workloads.pairs import exchanges
from linkwright.workloads.steps import Steps, compute, join, mark
from linkwright.workloads.workload import Marks

__all__ = ["Bystander"]

_COMPUTES = 2


class Bystander(Workload):
    """Time of a computation on rank 2 while ranks 0 and 1 send each other messages."""

    name: ClassVar[str] = "bystander"

    size_bytes: int = 8192
    """Size of the messages."""
    exchanges: int = 1000
    """Number of exchanges, which outlast the computation."""
    compute_s: float = 0.5
    """Duration of the computation alone."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return three."""
        super().n_ranks(n_nodes)
        return 3

    def steps(self, n_ranks: int) -> Steps:
        """Return the exchanges, and marks 0 and 1 around the computation."""
        del n_ranks
        return join(
            *exchanges(self.exchanges, self.size_bytes, np.array([0])),
            mark(0, _COMPUTES),
            compute(self.compute_s, _COMPUTES),
            mark(1, _COMPUTES),
        )

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the duration of the computation."""
        return [self._measurement("time", marks.span_s(0, 1, _COMPUTES), "s")]
