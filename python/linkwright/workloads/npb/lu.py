"""LU: two wavefronts per pass through a cube that is cut into columns [NPB-3.3.1].

The lower sweep runs plane by plane from the north-west rank to the south-east one, the upper one
back; every plane waits for a small blocking message from two neighbours, so latency governs. Rank r
of a grid of X times Y has row r mod X (north to south) and column r div X (west to east).

From release 3 on, LU starts twice, the first time for an untimed pass. That pass is left out, as in
2.2; the second start is kept, after the timer, where it costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwright.workloads.npb.benchmark import NpbBenchmark, power_of_two_below, small_broadcasts
from linkwright.workloads.npb.classes import SIDES
from linkwright.workloads.steps import (
    Steps,
    all_reduce,
    barrier,
    compute,
    receive,
    repeat,
    send,
    start_receive,
    wait_all,
)

__all__ = ["Lu"]

_RIGHT_HAND_SIDE = 0.2
"""Estimate: fraction of the operations for fluxes and dissipation; each sweep takes half the rest,
for its 5x5 blocks."""

_FEWEST_POINTS = 3
"""Points that a rank needs along a side."""

_WEST, _NORTH = -1, -1
_EAST, _SOUTH = 1, 1


@dataclass(frozen=True)
class _Columns:
    """A square of `side` points cut for `n_ranks` ranks, a power of two."""

    side: int
    n_ranks: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of ranks; twice as many rows if the number is no square."""
        log = self.n_ranks.bit_length() - 1
        columns = 1 << (log // 2)
        return self.n_ranks // columns, columns

    def index(self, axis: int) -> NDArray[np.int64]:
        """Return the row (axis 0) or column (axis 1) of each rank."""
        ranks = np.arange(self.n_ranks)
        return ranks % self.shape[0] if axis == 0 else ranks // self.shape[0]

    def points(self, axis: int) -> NDArray[np.int64]:
        """Return the points of each rank along an axis."""
        parts = self.shape[axis]
        return self.side // parts + (self.index(axis) < self.side % parts)

    def inner_points(self, axis: int) -> NDArray[np.int64]:
        """Return the points of each rank along an axis, without the surface of the cube."""
        index = self.index(axis)
        surface = (index == 0).astype(np.int64) + (index == self.shape[axis] - 1)
        return np.asarray(self.points(axis) - surface, dtype=np.int64)

    def with_neighbour(self, axis: int, direction: int) -> tuple[NDArray[np.int64], ...]:
        """Return the ranks that have a neighbour in a direction, and the neighbours."""
        index, stride = self.index(axis), (1, self.shape[0])[axis]
        there = index + direction
        ranks = np.flatnonzero((there >= 0) & (there < self.shape[axis]))
        return ranks, ranks + direction * stride


class Lu(NpbBenchmark):
    """NAS parallel benchmark LU: pipelined wavefronts of a flow problem."""

    name: ClassVar[str] = "npb.lu"
    kernel: ClassVar[str] = "lu"
    # Four fields of five doubles.
    bytes_per_point: ClassVar[float] = 160.0

    @classmethod
    def most_ranks(cls, n_nodes: int) -> int:
        """Return the largest power of two."""
        return power_of_two_below(n_nodes)

    @property
    def ranks_limit(self) -> int:
        """As many ranks as leave three points a side to each."""
        most_rows = power_of_two_below(self._side // _FEWEST_POINTS)
        return most_rows**2

    @property
    def n_points(self) -> int:
        """Points of the cube."""
        return self._side**3

    @property
    def _side(self) -> int:
        return SIDES[self.kernel][self.problem_class]

    def setup(self, n_ranks: int) -> list[Steps]:
        """Return parameters, the exchange of the forcing, and the start."""
        exchange = self._exchange(_Columns(self._side, n_ranks))
        return [*small_broadcasts(4, 4, 4, 8, 8, 40, 4, 4, 4, 4), *exchange, *self._start(n_ranks)]

    def iteration(self, n_ranks: int) -> list[Steps]:
        """Return the two sweeps and the right-hand side."""
        grid = _Columns(self._side, n_ranks)
        volume = grid.points(0) * grid.points(1) * self._side
        rest = self._work(volume * _RIGHT_HAND_SIDE)
        return [
            self._sweep(grid, _NORTH, _WEST),
            self._sweep(grid, _SOUTH, _EAST),
            *self._exchange(grid),
            rest,
        ]

    def closing(self, n_ranks: int) -> list[Steps]:
        """Return the norms of the last pass."""
        del n_ranks
        return [all_reduce(40), all_reduce(40)]

    def after(self, n_ranks: int) -> list[Steps]:
        """Return the second start, time, errors, and the surface integral with its edges."""
        edges = _edges(_Columns(self._side, n_ranks))
        sums = [all_reduce(8) for _ in range(5)]
        return [*self._start(n_ranks), all_reduce(40), *edges, *sums]

    def _start(self, n_ranks: int) -> list[Steps]:
        """Return the exchange of the first residual, its norms, and a barrier."""
        return [*self._exchange(_Columns(self._side, n_ranks)), all_reduce(40), barrier()]

    def _work(self, points: ArrayLike) -> Steps:
        per_point = self.operations_per_pass() / self.n_points
        work = np.asarray(points, dtype=np.float64) * per_point
        return compute(self.seconds(work), np.arange(len(work)))

    def _sweep(self, grid: _Columns, from_row: int, from_column: int) -> Steps:
        """Return one wavefront, which arrives from a neighbour in each direction."""
        planes = self._side - 2
        volume = grid.points(0) * grid.points(1) * self._side
        plane = self._work(volume * (1.0 - _RIGHT_HAND_SIDE) / 2 / planes)
        before, after = [], []
        for axis, direction in ((0, from_row), (1, from_column)):
            ranks, source = grid.with_neighbour(axis, direction)
            before.append(receive(ranks, source))
            ranks, destination = grid.with_neighbour(axis, -direction)
            size_bytes = 40 * grid.inner_points(1 - axis)[ranks]
            after.append(send(ranks, destination, size_bytes))
        return repeat(planes, *before, plane, *after)

    def _exchange(self, grid: _Columns) -> list[Steps]:
        """Return the exchange of two planes with each neighbour, axis by axis."""
        steps = []
        for axis in range(2):
            size_bytes = 80 * grid.points(1 - axis) * self._side
            for direction in (-1, 1):
                ranks, source = grid.with_neighbour(axis, direction)
                senders, destination = grid.with_neighbour(axis, -direction)
                steps += [
                    start_receive(ranks, source),
                    self.copying(size_bytes[senders], senders),
                    send(senders, destination, size_bytes[senders]),
                    wait_all(ranks),
                    self.copying(size_bytes[source], ranks),
                ]
        return steps


def _edges(grid: _Columns) -> list[Steps]:
    """Return the messages to west and north for the integral over the surface of a box."""
    row, column = grid.index(0), grid.index(1)
    last_row, last_column = grid.shape[0] - 1, grid.shape[1] - 1
    everywhere = np.ones(grid.n_ranks, dtype=bool)
    nz = np.full(grid.n_ranks, 8 * grid.side)
    messages = (
        (1, 16 * grid.points(0), everywhere),
        (0, 16 * (grid.points(1) + 2), everywhere),
        (0, nz, column == 0),
        (0, nz, column == last_column),
        (1, nz, row == 0),
        (1, nz, row == last_row),
    )
    steps = []
    for axis, size_bytes, taking_part in messages:
        senders, destination = grid.with_neighbour(axis, -1)
        chosen = taking_part[senders]
        senders, destination = senders[chosen], destination[chosen]
        steps += [
            start_receive(destination, senders),
            send(senders, destination, size_bytes[senders]),
            wait_all(destination),
        ]
    return steps
