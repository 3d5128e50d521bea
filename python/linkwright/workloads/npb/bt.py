"""BT: block tridiagonal systems along three axes of a cube, on a multi-partition [NPB-3.3.1].

A cell sends 30 doubles for each point of a face of padded size, a 5x5 block and a right-hand side,
and five back. It sets up its blocks inside its solve, so that nothing overlaps a message.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.npb.benchmark import small_broadcasts
from linkwright.workloads.npb.line_solver import LineSolver, Shares
from linkwright.workloads.npb.multipartition import Multipartition
from linkwright.workloads.steps import Steps, barrier

__all__ = ["Bt"]


class Bt(LineSolver):
    """NAS parallel benchmark BT: block tridiagonal solver of a flow problem."""

    name: ClassVar[str] = "npb.bt"
    kernel: ClassVar[str] = "bt"
    # Estimate: 75 doubles of blocks for a padded point [NPB-2.2], 45 of fields.
    bytes_per_point: ClassVar[float] = 960.0
    # Estimate from the arithmetic of a point: a block elimination per axis is one inversion and two
    # products of 5x5 matrices with their Jacobians, about 950 of 3479 operations; its back
    # substitution is one product with a vector, 50; fluxes and dissipation are the rest.
    shares: ClassVar[Shares] = Shares(
        right_hand_side=0.17, left_hand_side=0.0, forward=0.26, backward=0.014, add=0.008
    )

    def setup(self, n_ranks: int) -> list[Steps]:
        """Return parameters, one untimed step, and a barrier."""
        return [*small_broadcasts(4, 4, 8, 12, 4, 4), *self.iteration(n_ranks), barrier()]

    def forward_bytes(self, grid: Multipartition, axis: int, plane: int) -> NDArray[np.int64]:
        """Return 30 doubles for each point of a padded face."""
        del axis, plane
        return np.full(grid.n_ranks, 240 * (grid.side // grid.p + 1) ** 2)

    def backward_bytes(self, grid: Multipartition, axis: int, plane: int) -> NDArray[np.int64]:
        """Return 5 doubles for each point of a padded face."""
        del axis, plane
        return np.full(grid.n_ranks, 40 * (grid.side // grid.p + 1) ** 2)
