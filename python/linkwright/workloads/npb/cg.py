"""CG: conjugate gradients on a sparse matrix that is spread over rows and columns of ranks.

A product is summed within the rows of ranks by recursive halving, then sent to the transposed rank;
scalar products are summed in the same manner [NPB-3.3.1]. Each exchange posts a receive, sends, and
waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwright.workloads.npb.benchmark import NpbBenchmark, power_of_two_below, small_broadcasts
from linkwright.workloads.npb.classes import CG_CLASSES
from linkwright.workloads.steps import (
    Steps,
    barrier,
    compute,
    reduce,
    repeat,
    send,
    start_receive,
    wait_all,
)

__all__ = ["Cg"]

_INNER = 25
"""Steps of the solver for each outer pass."""


@dataclass(frozen=True)
class _Ranks:
    """Rows and columns of `n_ranks` ranks, a power of two; more columns if there is no square."""

    n_ranks: int

    @property
    def log_columns(self) -> int:
        """Binary logarithm of the number of columns."""
        return self.n_ranks.bit_length() // 2

    @property
    def n_columns(self) -> int:
        return 1 << self.log_columns

    @property
    def n_rows(self) -> int:
        return self.n_ranks // self.n_columns

    def all(self) -> NDArray[np.int64]:
        return np.arange(self.n_ranks)

    def partner(self, level: int) -> NDArray[np.int64]:
        """Return the partner of each rank in a sum; the farthest first."""
        return self.all() ^ (self.n_columns >> (level + 1))

    def transposed(self) -> NDArray[np.int64]:
        """Return the partner with which each rank exchanges its part of a product."""
        r, rows = self.all(), self.n_rows
        if self.n_columns == rows:
            return r % rows * rows + r // rows
        return 2 * (r // 2 % rows * rows + r // 2 // rows) + r % 2


class Cg(NpbBenchmark):
    """NAS parallel benchmark CG: conjugate gradients on a sparse matrix."""

    name: ClassVar[str] = "npb.cg"
    kernel: ClassVar[str] = "cg"

    @classmethod
    def most_ranks(cls, n_nodes: int) -> int:
        """Return the largest power of two."""
        return power_of_two_below(n_nodes)

    @property
    def ranks_limit(self) -> int:
        """One row of the matrix per rank."""
        return self.n_points

    @property
    def n_points(self) -> int:
        """Rows of the matrix."""
        return CG_CLASSES[self.problem_class].rows

    def working_set_bytes(self, n_ranks: int) -> float:
        """Return the memory of one rank: a double and an index for each element not zero."""
        fill = CG_CLASSES[self.problem_class].nonzeros
        return self.n_points / n_ranks * 12.0 * fill * (fill + 1)

    def setup(self, n_ranks: int) -> list[Steps]:
        """Return a parameter, an untimed pass, and a barrier."""
        return [*small_broadcasts(4), *self.iteration(n_ranks), barrier()]

    def iteration(self, n_ranks: int) -> list[Steps]:
        """Return one outer pass: the solver, its residual, and two norms."""
        grid = _Ranks(n_ranks)
        # Nearly all operations are those of the products, one for each inner step.
        work = self.operations_per_pass() / n_ranks / (_INNER + 1)
        product = [compute(self.seconds(work)), *self._product(grid)]
        return [
            *_sum(grid, 8),
            repeat(_INNER, *product, *_sum(grid, 8), *_sum(grid, 8)),
            *product,
            *_sum(grid, 8),
            *_sum(grid, 16),
        ]

    def after(self, n_ranks: int) -> list[Steps]:
        """Return the longest time."""
        del n_ranks
        return [reduce(8)]

    def _product(self, grid: _Ranks) -> list[Steps]:
        rows = np.full(grid.n_ranks, -(-self.n_points // grid.n_rows))
        # With twice as many columns as rows a rank sends half, the even one also the remainder.
        is_square = grid.n_columns == grid.n_rows
        length = rows if is_square else (rows + 1 - grid.all() % 2) // 2
        return [*_sum(grid, 8 * length), *_exchange(grid, grid.transposed(), 8 * length)]


def _sum(grid: _Ranks, size_bytes: ArrayLike) -> list[Steps]:
    """Return the sum within each row of ranks."""
    levels = range(grid.log_columns)
    return [step for level in levels for step in _exchange(grid, grid.partner(level), size_bytes)]


def _exchange(grid: _Ranks, partner: NDArray[np.int64], size_bytes: ArrayLike) -> list[Steps]:
    ranks = grid.all()
    return [start_receive(ranks, partner), send(ranks, partner, size_bytes), wait_all()]
