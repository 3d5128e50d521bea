"""A matrix cut into square blocks, which are dealt to a grid of ranks in turn.

Block row i belongs to row i modulo P of the ranks, block column j to column j modulo Q. The numbers
of rows and columns follow from arithmetic; no block is stored.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.hpl.lines import Ranks

__all__ = ["BlockGrid"]

Extents = NDArray[np.int64]


@dataclass(frozen=True)
class BlockGrid:
    """A matrix of `n` rows and `n` + 1 columns, including the right-hand side; ranks row-major."""

    n: int
    block: int
    rows: int
    columns: int

    @property
    def n_panels(self) -> int:
        """Number of panels to factor: blocks along a side."""
        return -(-self.n // self.block)

    @property
    def ranks(self) -> Ranks:
        """Ranks of the grid, shape (rows, columns)."""
        return np.arange(self.rows * self.columns).reshape(self.rows, self.columns)

    def width(self, panel: int) -> int:
        """Return the columns of a panel."""
        return min(self.block, self.n - panel * self.block)

    def rows_from(self, panel: int) -> Extents:
        """Return the number of matrix rows of each row of ranks from that block on, shape
        (rows,).
        """
        return self._dealt(self.n, self.rows, panel, self.n_panels)

    def rows_before(self, panel: int) -> Extents:
        """Return the number of matrix rows of each row of ranks before that block."""
        return self._dealt(self.n, self.rows, 0, panel)

    def columns_from(self, panel: int) -> Extents:
        """Return the number of matrix columns of each column of ranks from that block on."""
        return self._dealt(self.n + 1, self.columns, panel, self.n // self.block + 1)

    def _dealt(self, total: int, parts: int, begin: int, end: int) -> Extents:
        blocks = np.arange(begin, end)
        widths = np.clip(total - blocks * self.block, 0, self.block)
        return np.bincount(blocks % parts, weights=widths, minlength=parts).astype(np.int64)

    def row_lines(self, column: int) -> Ranks:
        """Return every row of ranks, beginning with the one in `column`."""
        return np.roll(self.ranks, -(column % self.columns), axis=1)

    def column_lines(self, row: int, column: int | None = None) -> Ranks:
        """Return every column of ranks, or a single one, beginning with the one in `row`."""
        lines = np.roll(self.ranks, -(row % self.rows), axis=0).T
        return lines if column is None else lines[[column % self.columns]]
