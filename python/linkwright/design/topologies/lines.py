"""Lines of a grid: the nodes that share a box along each dimension, and their NICs.

P-Mesh and routed mesh use these. A node has one NIC per dimension, numbered from X (the last axis).
A line of one node has no box, and its node no NIC, because it would lead nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.design.topologies.grid import grid_coordinates
from linkwright.design.topologies.wiring import Cables

__all__ = ["Dimension", "dimensions", "mean_hops"]

_LETTERS = "xyzw"


@dataclass(frozen=True)
class Dimension:
    """The lines along one axis."""

    shape: tuple[int, ...]
    number: int
    """Number of the dimension; 0 is X, the last axis."""
    axis: int
    nic: int
    """Port of a node that leads to its line."""

    @property
    def side(self) -> int:
        """Number of nodes of each line."""
        return self.shape[self.axis]

    @property
    def n_lines(self) -> int:
        """Number of lines, which are numbered row-major over the other axes."""
        return math.prod(self.shape) // self.side

    @property
    def stem(self) -> str:
        """First part of the names of the boxes: x, y, z, w, then d4-, d5- ..."""
        return _LETTERS[self.number] if self.number < len(_LETTERS) else f"d{self.number}-"

    def coordinates(self) -> NDArray[np.int32]:
        """Return the coordinates of all lines, shape (n_lines, d): -1 along the axis."""
        others = tuple(side for other, side in enumerate(self.shape) if other != self.axis)
        places = grid_coordinates(others) if others else np.empty((1, 0), dtype=np.int32)
        return np.insert(places, self.axis, -1, axis=1).astype(np.int32)

    def cables(self, nodes: NDArray[np.int32], first_box: int) -> Cables:
        """Return a cable from each node to the box of its line, where device `first_box` is the
        first
        box.
        """
        line = np.zeros(len(nodes), dtype=np.int64)
        for other in range(len(self.shape)):
            if other != self.axis:
                line = line * self.shape[other] + nodes[:, other]
        return Cables(
            a=np.column_stack([np.arange(len(nodes)), np.full_like(line, self.nic)]),
            b=np.column_stack([first_box + line, nodes[:, self.axis]]),
        )


def dimensions(shape: tuple[int, ...]) -> Iterator[Dimension]:
    """Yield the dimensions that have lines, X first."""
    nic = 0
    for number, axis in enumerate(reversed(range(len(shape)))):
        if shape[axis] > 1:
            yield Dimension(shape, number, axis, nic)
            nic += 1


def mean_hops(shape: tuple[int, ...]) -> float:
    """Return the mean number of lines crossed between two different nodes: one per coordinate that
    differs.
    """
    n = math.prod(shape)
    return sum((side - 1) / side for side in shape) * n / (n - 1)
