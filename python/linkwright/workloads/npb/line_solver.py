"""The common parts of BT and SP: exchange of faces, then a sweep forth and back along each axis.

All sends and receives of a step are non-blocking. A rank waits for its next data and, at the same
time, for its own previous send [NPB-3.3.1].
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.npb.benchmark import NpbBenchmark, square_below
from linkwright.workloads.npb.classes import SIDES
from linkwright.workloads.npb.multipartition import Multipartition
from linkwright.workloads.steps import (
    Steps,
    all_reduce,
    barrier,
    compute,
    reduce,
    start_receive,
    start_send,
    wait_all,
)

__all__ = ["LineSolver", "Shares"]

_FEWEST_POINTS = 3
"""Points that a cell needs along a side: two on the surface of the cube and one within."""

_FACE_BYTES = 80
"""Two planes of five variables, for each point of a face."""


@dataclass(frozen=True)
class Shares:
    """Distribution of the operations of a step; with the parts of all axes the sum is one."""

    right_hand_side: float
    left_hand_side: float
    """Per axis: the computation of a rank while the message to its next cell is under way."""
    forward: float
    """Per axis: the forward sweep."""
    backward: float
    """Per axis: the backward sweep."""
    add: float


class LineSolver(NpbBenchmark):
    """A benchmark on a multi-partition."""

    ranks_rule: ClassVar[str] = "a square number"
    shares: ClassVar[Shares]

    @classmethod
    def most_ranks(cls, n_nodes: int) -> int:
        """Return the largest square."""
        return square_below(n_nodes)

    @property
    def ranks_limit(self) -> int:
        """Largest square number of ranks that leaves every cell three points a side."""
        return (SIDES[self.kernel][self.problem_class] // _FEWEST_POINTS) ** 2

    @property
    def n_points(self) -> int:
        """Points of the cube."""
        return SIDES[self.kernel][self.problem_class] ** 3

    @abstractmethod
    def forward_bytes(self, grid: Multipartition, axis: int, plane: int) -> NDArray[np.int64]:
        """Return the bytes that each rank's cell in a plane sends forward, shape (n_ranks,)."""

    @abstractmethod
    def backward_bytes(self, grid: Multipartition, axis: int, plane: int) -> NDArray[np.int64]:
        """Return the bytes that each rank's cell in a plane sends backward, shape (n_ranks,)."""

    def iteration(self, n_ranks: int) -> list[Steps]:
        """Return one time step."""
        grid = self._grid(n_ranks)
        return [
            *self._faces(grid),
            self._work(grid.points(), self.shares.right_hand_side),
            *(step for axis in range(3) for step in self._solve(grid, axis)),
            self._work(grid.points(), self.shares.add),
        ]

    def after(self, n_ranks: int) -> list[Steps]:
        """Return the verification."""
        faces = self._faces(self._grid(n_ranks))
        return [reduce(8), *faces, all_reduce(40), all_reduce(40), barrier()]

    def _faces(self, grid: Multipartition) -> list[Steps]:
        """Return the exchange of the faces of all cells: six messages, one wait."""
        if grid.n_ranks == 1:
            return []
        sizes = {face: _FACE_BYTES * grid.face_points(*face) for face in grid.faces()}
        receives, sends = [], []
        for tag, ((axis, direction), size_bytes) in enumerate(sizes.items()):
            # Data for the successor come from the predecessor of its receiver.
            receives.append(start_receive(grid.ranks, grid.neighbour(axis, -direction), tag))
            sends.append(start_send(grid.ranks, grid.neighbour(axis, direction), size_bytes, tag))
        # Received and sent bytes are equal, except for a plane that divides unevenly.
        copy = self.copying(np.sum(list(sizes.values()), axis=0), grid.ranks)
        return [*receives, copy, *sends, wait_all(), copy]

    def _grid(self, n_ranks: int) -> Multipartition:
        return Multipartition(SIDES[self.kernel][self.problem_class], n_ranks)

    def _work(self, points: NDArray[np.int64], share: float) -> Steps:
        """Return a share of a step's operations on the points of each rank."""
        per_point = self.operations_per_pass() / self.n_points
        return compute(self.seconds(points * per_point * share), np.arange(len(points)))

    def _solve(self, grid: Multipartition, axis: int) -> list[Steps]:
        planes = range(grid.p)
        forward = [step for plane in planes for step in self._forward(grid, axis, plane)]
        backward = [
            step for plane in reversed(planes) for step in self._backward(grid, axis, plane)
        ]
        return forward + backward

    def _forward(self, grid: Multipartition, axis: int, plane: int) -> list[Steps]:
        volume, tag = grid.volume(axis, plane), 6 + axis
        steps = [self._work(volume, self.shares.left_hand_side)]
        if plane > 0:
            before = start_receive(grid.ranks, grid.neighbour(axis, -1), tag)
            arrived = self.forward_bytes(grid, axis, plane - 1)[grid.neighbour(axis, -1)]
            steps = [before, *steps, wait_all(), self.copying(arrived, grid.ranks)]
        steps.append(self._work(volume, self.shares.forward))
        if plane < grid.p - 1:
            size_bytes = self.forward_bytes(grid, axis, plane)
            steps.append(self.copying(size_bytes, grid.ranks))
            steps.append(start_send(grid.ranks, grid.neighbour(axis, 1), size_bytes, tag))
        return steps

    def _backward(self, grid: Multipartition, axis: int, plane: int) -> list[Steps]:
        tag = 9 + axis
        steps = []
        if plane < grid.p - 1:
            after = grid.neighbour(axis, 1)
            arrived = self.backward_bytes(grid, axis, plane + 1)[after]
            steps = [start_receive(grid.ranks, after, tag), wait_all()]
            steps.append(self.copying(arrived, grid.ranks))
        steps.append(self._work(grid.volume(axis, plane), self.shares.backward))
        if plane > 0:
            size_bytes = self.backward_bytes(grid, axis, plane)
            steps.append(self.copying(size_bytes, grid.ranks))
            steps.append(start_send(grid.ranks, grid.neighbour(axis, -1), size_bytes, tag))
        return steps
