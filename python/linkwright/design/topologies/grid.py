"""The common parts of torus and mesh: nodes on a grid, cables between neighbours, closed forms.
Groups of nodes on a grid have the same directions, and so the same NICs.

NICs of a node are numbered in the order X forward, X back, Y forward, Y back ..., leaving out
directions in which it has no cable. Dimension 0 (X) is the last axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwright.design.topologies.wiring import CROSSOVER, Cables, Wiring, assemble

__all__ = [
    "grid",
    "grid_bisection",
    "grid_cables",
    "grid_coordinates",
    "has_forward",
    "port_numbers",
]


def grid_coordinates(shape: tuple[int, ...]) -> NDArray[np.int32]:
    """Return the coordinates of all nodes in row-major order, shape (n, d)."""
    places = np.unravel_index(np.arange(math.prod(shape)), shape)
    return np.stack(places, axis=1).astype(np.int32)


def grid(shape: tuple[int, ...], *, wraps: bool, front_end: bool) -> Wiring:
    """Return a grid with a crossover cable between every two neighbours."""
    coordinates = grid_coordinates(shape)
    port = port_numbers(coordinates, shape, wraps=wraps)
    index = np.arange(len(coordinates)).reshape(shape)
    rows = []
    for dimension, axis in enumerate(reversed(range(len(shape)))):
        start = has_forward(coordinates[:, axis], shape[axis], wraps=wraps)
        a = np.flatnonzero(start)
        b = np.roll(index, -1, axis=axis).ravel()[a]
        rows.append(
            Cables(
                a=np.column_stack([a, port[a, 2 * dimension]]),
                b=np.column_stack([b, port[b, 2 * dimension + 1]]),
                kind=CROSSOVER,
            )
        )
    return assemble(shape=shape, nodes=coordinates, cables=rows, front_end=front_end)


def grid_cables(shape: Sequence[int], *, wraps: bool) -> int:
    """Return the number of cables: N per side of three or more that wraps, N (M - 1) / M
    otherwise.
    """
    n = math.prod(shape)
    return sum(n if wraps and side > 2 else n // side * (side - 1) for side in shape)


def grid_bisection(shape: Sequence[int], *, wraps: bool) -> int:
    """Return the links cut by the worst equal split of a grid.

    Cut the longest side in the middle. If it is odd, cut the middle layer in the same manner, until
    a side is even [AROCA-2014]. A side of two that wraps has one cable where longer sides have two
    in parallel, so it counts like a side of four.
    """
    weights = sorted((4 if wraps and side == 2 else side, side) for side in shape)[::-1]
    rest = math.prod(shape)
    total = 0
    for _, side in weights:
        rest //= side
        total += rest * (0 if side == 1 else 2 if wraps and side > 2 else 1)
        if side % 2 == 0:
            break
    return total


def has_forward(place: NDArray[np.int32], side: int, *, wraps: bool) -> NDArray[np.bool_]:
    """Return which nodes have a cable to the next one along an axis; two neighbours share one
    cable.
    """
    return np.full(place.shape, wraps and side > 2) | (place < side - 1)


def _has_back(place: NDArray[np.int32], side: int, *, wraps: bool) -> NDArray[np.bool_]:
    return np.full(place.shape, wraps and side > 2) | (place > 0)


def port_numbers(
    coordinates: NDArray[np.int32], shape: tuple[int, ...], *, wraps: bool
) -> NDArray[np.int64]:
    """Return the NIC of each node in each direction, shape (n, 2 d); undefined for directions
    without a cable.
    """
    present = np.stack(
        [
            has(coordinates[:, axis], shape[axis], wraps=wraps)
            for axis in reversed(range(len(shape)))
            for has in (has_forward, _has_back)
        ],
        axis=1,
    )
    return np.cumsum(present, axis=1) - 1
