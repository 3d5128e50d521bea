"""SP: scalar pentadiagonal systems along three axes of a cube, on a multi-partition [NPB-3.3.1].

A cell sends 22 doubles for each inner point of its face and ten back, and sets up its own left hand
side while the message to it is under way.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.npb.benchmark import small_broadcasts
from linkwright.workloads.npb.line_solver import LineSolver, Shares
from linkwright.workloads.npb.multipartition import Multipartition
from linkwright.workloads.steps import Steps, barrier

__all__ = ["Sp"]


class Sp(LineSolver):
    """NAS parallel benchmark SP: scalar pentadiagonal solver of a flow problem."""

    name: ClassVar[str] = "npb.sp"
    kernel: ClassVar[str] = "sp"
    # Estimate: 15 doubles of left hand side and about 25 of fields.
    bytes_per_point: ClassVar[float] = 320.0
    # Estimate from the arithmetic of a point: of 881 operations about 330 are fluxes, dissipation
    # and the change of variables; along an axis 30 set up the three systems, 110 eliminate, 40
    # substitute back and change the variables again.
    shares: ClassVar[Shares] = Shares(
        right_hand_side=0.378, left_hand_side=0.034, forward=0.125, backward=0.045, add=0.01
    )

    def setup(self, n_ranks: int) -> list[Steps]:
        """Return parameters, one untimed step, and a barrier."""
        return [*small_broadcasts(4, 8, 12, 4), *self.iteration(n_ranks), barrier()]

    def forward_bytes(self, grid: Multipartition, axis: int, plane: int) -> NDArray[np.int64]:
        """Return 22 doubles for each inner point of the face."""
        return 176 * _inner_face(grid, axis, plane)

    def backward_bytes(self, grid: Multipartition, axis: int, plane: int) -> NDArray[np.int64]:
        """Return 10 doubles for each inner point of the face."""
        return 80 * _inner_face(grid, axis, plane)


def _inner_face(grid: Multipartition, axis: int, plane: int) -> NDArray[np.int64]:
    inner = grid.inner_sides(grid.cell(axis, plane))
    points: NDArray[np.int64] = np.delete(inner, axis, axis=1).prod(axis=1)
    return points
