"""The distribution of a cube in BT and SP: p^2 ranks, each with p cells on a diagonal.

Every rank has a cell in every plane across every axis, so that all of them work at every stage of a
sweep [NPB-3.3.1]. Arrays have one entry per rank, shape (p^2,).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Multipartition"]

_SUCCESSOR = ((1, 0), (0, 1), (-1, 1))
"""Difference of a rank's two indices to those of the next cell along x, y and z."""


@dataclass(frozen=True)
class Multipartition:
    """A cube of `side` points along each axis, on `n_ranks` ranks, a square number."""

    side: int
    n_ranks: int

    @property
    def p(self) -> int:
        """Number of cells of a rank, and of planes of cells across an axis."""
        return math.isqrt(self.n_ranks)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """All ranks."""
        return np.arange(self.n_ranks)

    def neighbour(self, axis: int, direction: int) -> NDArray[np.int64]:
        """Return the rank with the next cell along an axis; direction is 1 or -1."""
        i, j = self.ranks % self.p, self.ranks // self.p
        step_i, step_j = _SUCCESSOR[axis]
        return (i + direction * step_i) % self.p + self.p * ((j + direction * step_j) % self.p)

    def cell(self, axis: int, plane: int) -> NDArray[np.int64]:
        """Return the coordinates of each rank's cell in a plane, shape (p^2, 3)."""
        i, j = self.ranks % self.p, self.ranks // self.p
        c = (plane - i, j - plane, np.full_like(i, plane))[axis] % self.p
        return np.stack([(i + c) % self.p, (j - c) % self.p, c], axis=1)

    def sides(self, cell: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the points along the three sides of cells, shape (p^2, 3)."""
        return np.asarray(self.side // self.p + (cell < self.side % self.p), dtype=np.int64)

    def inner_sides(self, cell: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the points along the sides of cells, without the surface of the cube."""
        surface = (cell == 0).astype(np.int64) + (cell == self.p - 1)
        return np.asarray(self.sides(cell) - surface, dtype=np.int64)

    def volume(self, axis: int, plane: int) -> NDArray[np.int64]:
        """Return the points of each rank's cell in a plane."""
        return np.asarray(self.sides(self.cell(axis, plane)).prod(axis=1), dtype=np.int64)

    def points(self) -> NDArray[np.int64]:
        """Return the points of each rank."""
        volumes = np.stack([self.volume(2, plane) for plane in range(self.p)])
        return np.asarray(volumes.sum(axis=0), dtype=np.int64)

    def face_points(self, axis: int, direction: int) -> NDArray[np.int64]:
        """Return the points on those faces of a rank's cells that have a neighbour."""
        last = self.p - 1 if direction > 0 else 0
        planes = [plane for plane in range(self.p) if plane != last]
        cells = [self.sides(self.cell(axis, plane)) for plane in planes]
        others = [other for other in range(3) if other != axis]
        faces = [sides[:, others].prod(axis=1) for sides in cells]
        return np.asarray(np.sum(faces, axis=0), dtype=np.int64)

    def faces(self) -> Iterator[tuple[int, int]]:
        """Return axis and direction of the six neighbours, in the order of the messages."""
        return ((axis, direction) for axis in range(3) for direction in (1, -1))
