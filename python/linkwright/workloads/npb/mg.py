"""MG: V-cycles of a multigrid method on a cube that is cut along three axes [NPB-3.3.1].

Every pass goes down from the finest grid to two points a side and up again; at each level the ranks
exchange the surfaces of their parts, axis by axis. On coarse grids some ranks have no points and
are idle; on the way up their neighbours send them data. Rank is ix + px (iy + py iz), all axes are
periodic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.npb.benchmark import NpbBenchmark, power_of_two_below, small_broadcasts
from linkwright.workloads.npb.classes import SIDES
from linkwright.workloads.steps import (
    Steps,
    all_reduce,
    barrier,
    compute,
    join,
    reduce,
    repeat,
    send,
    start_receive,
    wait_all,
)

__all__ = ["Mg"]

_AXES = range(3)

_RESTRICT, _SMOOTH, _RESIDUAL, _PROLONG = 20.0, 15.0, 16.0, 4.0
"""Estimate: operations per point of a level, up to a factor; the count gives only their sum."""


@dataclass(frozen=True)
class _Level:
    """A cube of 2^level points a side on `n_ranks` ranks, a power of two."""

    level: int
    n_ranks: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """Ranks along x, y and z."""
        log = self.n_ranks.bit_length() - 1
        x = log // 3
        y = (log - x) // 2
        return 1 << x, 1 << y, 1 << (log - x - y)

    def index(self, axis: int) -> NDArray[np.int64]:
        """Return the index of each rank along an axis."""
        px, py, _ = self.shape
        ranks = np.arange(self.n_ranks)
        return (ranks % px, ranks // px % py, ranks // (px * py))[axis]

    def points(self, axis: int) -> NDArray[np.int64]:
        """Return the points of each rank along an axis, without ghosts."""
        index, parts = self.index(axis), self.shape[axis]
        return ((index + 1) << self.level) // parts - (index << self.level) // parts

    def stride(self, axis: int) -> int:
        """Return the distance to the next rank with points along an axis."""
        return max(1, self.shape[axis] >> self.level)

    @property
    def live(self) -> NDArray[np.bool_]:
        """Whether each rank has points."""
        return self.volume > 0

    @property
    def volume(self) -> NDArray[np.int64]:
        """Points of each rank."""
        sides = np.stack([self.points(axis) for axis in _AXES])
        return np.asarray(sides.prod(axis=0), dtype=np.int64)

    def neighbour(self, axis: int, direction: int) -> NDArray[np.int64]:
        """Return the next rank with points along an axis, for those that have points themselves."""
        px, py, _ = self.shape
        index = self.index(axis)
        there = (index + direction * self.stride(axis)) % self.shape[axis]
        return np.arange(self.n_ranks) + (there - index) * (1, px, px * py)[axis]

    def face_bytes(self, axis: int) -> NDArray[np.int64]:
        """Return the bytes of a surface; axes that were exchanged before include their ghosts."""
        sides = [
            self.points(other) + (2 if other < axis else 0) for other in _AXES if other != axis
        ]
        return 8 * sides[0] * sides[1]


class Mg(NpbBenchmark):
    """NAS parallel benchmark MG: multigrid V-cycles."""

    name: ClassVar[str] = "npb.mg"
    kernel: ClassVar[str] = "mg"
    # Two hierarchies of grids and the right-hand side.
    bytes_per_point: ClassVar[float] = 26.3

    @classmethod
    def most_ranks(cls, n_nodes: int) -> int:
        """Return the largest power of two."""
        return power_of_two_below(n_nodes)

    @property
    def ranks_limit(self) -> int:
        """One rank per two points a side of the finest grid."""
        return self.n_points // 8

    @property
    def n_points(self) -> int:
        """Points of the finest grid."""
        return SIDES[self.kernel][self.problem_class] ** 3

    @property
    def _finest(self) -> int:
        return SIDES[self.kernel][self.problem_class].bit_length() - 1

    def setup(self, n_ranks: int) -> list[Steps]:
        """Return parameters, two searches for the largest values, and an untimed cycle."""
        finest = _Level(self._finest, n_ranks)
        search = join(all_reduce(8), all_reduce(16), all_reduce(8), all_reduce(16))
        start = [*self._exchange(finest), repeat(10, search)]
        return [
            *small_broadcasts(4, 4, 4, 4, 4, 32, 4),
            *start,
            barrier(),
            *self._exchange(finest),
            *_norms(),
            *self.iteration(n_ranks),
            *start,
            *(barrier() for _ in range(5)),
            *_norms(),
        ]

    def opening(self, n_ranks: int) -> list[Steps]:
        """Return the first residual."""
        return [*self._exchange(_Level(self._finest, n_ranks)), *_norms()]

    def iteration(self, n_ranks: int) -> list[Steps]:
        """Return one V-cycle and the residual."""
        levels = {k: _Level(k, n_ranks) for k in range(1, self._finest + 1)}
        steps = []
        for k in range(self._finest, 1, -1):
            steps += [self._work(levels[k - 1], _RESTRICT), *self._exchange(levels[k - 1])]
        steps += [self._work(levels[1], _SMOOTH), *self._exchange(levels[1])]
        for k in range(2, self._finest + 1):
            steps += [
                self._work(levels[k], _PROLONG),
                *_wake(levels[k], levels[k - 1]),
                self._work(levels[k], _RESIDUAL),
                *self._exchange(levels[k]),
                self._work(levels[k], _SMOOTH),
                *self._exchange(levels[k]),
            ]
        finest = levels[self._finest]
        return [*steps, self._work(finest, _RESIDUAL), *self._exchange(finest)]

    def closing(self, n_ranks: int) -> list[Steps]:
        """Return the norms of the result."""
        del n_ranks
        return _norms()

    def after(self, n_ranks: int) -> list[Steps]:
        """Return the longest time."""
        del n_ranks
        return [reduce(8)]

    def _exchange(self, level: _Level) -> list[Steps]:
        """Return the exchange of surfaces among the ranks that have points."""
        ranks = np.flatnonzero(level.live)
        steps = []
        for axis in _AXES:
            size_bytes = level.face_bytes(axis)[ranks]
            after, before = (level.neighbour(axis, way)[ranks] for way in (1, -1))
            copy = self.copying(2 * size_bytes, ranks)
            steps += [
                start_receive(ranks, before, tag=0),
                start_receive(ranks, after, tag=1),
                copy,
                send(ranks, after, size_bytes, tag=0),
                send(ranks, before, size_bytes, tag=1),
                wait_all(ranks),
                copy,
            ]
        return steps

    def _work(self, level: _Level, weight: float) -> Steps:
        """Return the computation of one operation on a level, as its share of a pass."""
        scale = self.operations_per_pass() / self._weight()
        return compute(self.seconds(level.volume * weight * scale), np.arange(level.n_ranks))

    def _weight(self) -> float:
        """Return the sum over a pass of all weights times their points."""
        points = [8.0**k for k in range(1, self._finest + 1)]
        down = _RESTRICT * sum(points[:-1]) + _SMOOTH * points[0]
        up = (_PROLONG + _RESIDUAL + _SMOOTH) * sum(points[1:])
        return down + up + _RESIDUAL * points[-1]


def _norms() -> list[Steps]:
    return [all_reduce(8), all_reduce(8)]


def _wake(level: _Level, coarse: _Level) -> list[Steps]:
    """Return messages from ranks with points on the coarse level to those without any there."""
    steps = []
    for axis in _AXES:
        if level.stride(axis) == coarse.stride(axis):
            continue
        givers = np.flatnonzero(coarse.points(axis) > 0)
        others = [level.points(other) + 2 for other in _AXES if other != axis]
        size_bytes = (8 * others[0] * others[1])[givers]
        after, before = (level.neighbour(axis, way)[givers] for way in (1, -1))
        steps += [
            start_receive(after, givers, tag=2),
            start_receive(before, givers, tag=3),
            send(givers, after, 2 * size_bytes, tag=2),
            send(givers, before, size_bytes, tag=3),
            wait_all(np.union1d(after, before)),
        ]
    return steps
