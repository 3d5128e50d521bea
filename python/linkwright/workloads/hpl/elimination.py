"""Gaussian elimination on a grid of ranks: panels are factored, broadcast, and applied.

Per panel: its column of ranks factors it, comparing candidates for the pivot of each column; the
panel is broadcast along every row of ranks; each column of ranks swaps rows and distributes the
pivot rows; every rank updates its part of the matrix, which is nearly all of the work [HPL].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.hpl.grid import BlockGrid
from linkwright.workloads.hpl.lines import (
    BroadcastVariant,
    along,
    binary_exchange,
    broadcast,
    spread_and_roll,
)
from linkwright.workloads.steps import Steps, compute, receive, repeat, send

__all__ = ["Elimination", "RowSwap"]

RowSwap = Literal["binary-exchange", "spread-roll"]
"""Exchange of pivot rows along the columns of ranks."""

_DOUBLE = 8

_CANDIDATE = 4
"""Numbers sent with two rows of the panel when candidates for a pivot are compared."""

Seconds = NDArray[np.float64]


@dataclass(frozen=True)
class Elimination:
    """The work of the ranks of a grid, panel by panel."""

    grid: BlockGrid
    update_rate: float
    """Operations per second of one node in products of matrices."""
    panel_rate: float
    """Operations per second of one node on columns and vectors."""
    panel_broadcast: BroadcastVariant
    row_swap: RowSwap

    def in_turn(self) -> list[Steps]:
        """Return the factorisation without look-ahead: every panel waits for the last update."""
        return [
            part
            for panel in range(self.grid.n_panels)
            for part in (
                *self._factor(panel),
                *self._broadcast(panel),
                *self._swap(panel),
                compute(self._update_s(panel).ravel(), self.grid.ranks.ravel()),
            )
        ]

    def ahead(self) -> list[Steps]:
        """Return the factorisation in which the next panel is updated, factored and sent first.

        In the benchmark, the other ranks poll for it between pieces of their update; here they poll
        when it is about to be sent, as happens if all ranks began the update together.
        """
        parts = [*self._factor(0), *self._broadcast(0)]
        for panel in range(self.grid.n_panels):
            update_s = self._update_s(panel)
            parts += self._swap(panel)
            if panel + 1 < self.grid.n_panels:
                first_s = self._before_next_s(panel, update_s)
                parts += [
                    compute(first_s.ravel(), self.grid.ranks.ravel()),
                    *self._factor(panel + 1),
                    *self._broadcast(panel + 1),
                ]
                update_s = update_s - first_s
            parts.append(compute(update_s.ravel(), self.grid.ranks.ravel()))
        return parts

    def substitution(self) -> list[Steps]:
        """Return the solution of the triangular system, block after block from the last.

        The solved part is sent down its column of ranks; the remaining right-hand side is sent to
        the next column.
        """
        parts: list[Steps] = []
        grid = self.grid
        for panel in reversed(range(grid.n_panels)):
            width, ranks = grid.width(panel), grid.ranks
            row, column = panel % grid.rows, panel % grid.columns
            line = grid.column_lines(row, column)
            size = np.array([width * _DOUBLE])
            parts.append(compute(width**2 / self.panel_rate, ranks[row, column]))
            parts += along(line, [(place, place + 1) for place in range(grid.rows - 1)], size)
            work = 2.0 * width * grid.rows_before(panel)
            parts.append(compute(work / self.panel_rate, ranks[:, column]))
            if panel and grid.columns > 1:
                near, far = ranks[(panel - 1) % grid.rows, [column, (panel - 1) % grid.columns]]
                parts += [send(near, far, grid.width(panel - 1) * _DOUBLE), receive(far, near)]
        return parts

    def _factor(self, panel: int) -> list[Steps]:
        """Return the factorisation of a panel by its column of ranks, column after column."""
        grid = self.grid
        line = grid.column_lines(panel, panel)
        width = grid.width(panel)
        size = np.array([(_CANDIDATE + 2 * width) * _DOUBLE])
        work_s = compute(self._factor_s(panel) / width, grid.ranks[:, panel % grid.columns])
        return [repeat(width, work_s, *binary_exchange(line, size), rank=line.ravel())]

    def _factor_s(self, panel: int) -> Seconds:
        """Return the time of each row of ranks for the factorisation."""
        grid, width = self.grid, self.grid.width(panel)
        work = 1.0 * width**2 * grid.rows_from(panel)
        # The triangle on top is in the row of ranks that holds the diagonal.
        work[panel % grid.rows] -= width**3 / 3
        return np.asarray(work / self.panel_rate, dtype=np.float64)

    def _broadcast(self, panel: int) -> list[Steps]:
        """Return the broadcast of a panel along all rows: its rows, the triangle, and the
        pivots.
        """
        grid, width = self.grid, self.grid.width(panel)
        numbers = grid.rows_from(panel + 1) * width + width**2 + width + 1
        return broadcast(self.panel_broadcast, grid.row_lines(panel), numbers * _DOUBLE)

    def _swap(self, panel: int) -> list[Steps]:
        """Return the exchange of pivot rows along all columns of ranks."""
        grid = self.grid
        if grid.rows == 1:
            return []
        numbers = grid.width(panel) * grid.columns_from(panel + 1)
        chosen = binary_exchange if self.row_swap == "binary-exchange" else spread_and_roll
        return chosen(grid.column_lines(panel), numbers * _DOUBLE)

    def _update_s(self, panel: int) -> Seconds:
        """Return the time of the update by each rank, shape (rows, columns)."""
        grid, width = self.grid, self.grid.width(panel)
        rows, columns = grid.rows_from(panel + 1), grid.columns_from(panel + 1)
        triangle = 1.0 * width**2 * columns
        product = 2.0 * width * rows[:, None] * columns[None, :]
        return (triangle + product) / self.update_rate

    def _before_next_s(self, panel: int, update_s: Seconds) -> Seconds:
        """Return the part of the update that is done before the next panel is sent."""
        grid = self.grid
        column = (panel + 1) % grid.columns
        share = grid.width(panel + 1) / grid.columns_from(panel + 1)[column]
        of_panel_s = update_s[:, column] * share
        ready_s = float((of_panel_s + self._factor_s(panel + 1)).max())
        first_s = np.minimum(update_s, ready_s)
        first_s[:, column] = of_panel_s
        return first_s
