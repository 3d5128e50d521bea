"""A HyperX whose switches are the nodes themselves: in every line of every dimension each pair has
a cable [HYPERX-2009].

It is a P-Mesh with direct cables in place of the switches: as few forwards, no box to buy, but a
NIC per neighbour. NICs are numbered dimension by dimension from X (the last axis), and within a
line by the position of the neighbour, without the node itself. A packet changes one coordinate per
hop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import grid_coordinates
from linkwright.design.topologies.topology import ShapedTopology
from linkwright.design.topologies.wiring import CROSSOVER, Cables, Limits, Wiring, assemble

__all__ = ["HyperX"]


class HyperX(ShapedTopology):
    """A grid of nodes in which every line is a full mesh."""

    default_routing = "dimension-order"

    examples = (
        {"shape": (2, 4)},
        {"shape": (1, 5)},
        {"shape": (4, 4)},
        {"shape": (3, 2, 4)},
    )

    kind: Literal["hyperx"] = "hyperx"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        del limits
        self.check_cables(self._n_cables)
        return assemble(
            shape=self.shape,
            nodes=grid_coordinates(self.shape),
            cables=list(_cables(self.shape)),
            front_end=front_end,
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of a product of complete graphs.

        A packet takes one hop per coordinate that differs. The half of the nodes with the fewest
        cables to the others is the first half in the order in which the longest side varies fastest
        [LINDSEY-1964].
        """
        n, sides = self.n_nodes, [side for side in self.shape if side > 1]
        hops = sum((side - 1) / side for side in sides) * n / (n - 1)
        nics = sum(side - 1 for side in sides)
        return ClosedForms(
            n_nodes=n,
            n_cables=self._n_cables,
            n_switches=0,
            n_hubs=0,
            nics_per_node=nics,
            max_nodes=_most_nodes(len(sides), limits.node_slots),
            diameter_hops=len(sides),
            forwards_mean=hops - 1,
            forwards_worst=len(sides) - 1,
            switches_best=0,
            switches_worst=0,
            bisection_links=float(_cut(n // 2, sorted(sides))),
            ports_per_node={"nic": float(nics)},
            source="[HYPERX-2009], without terminals; bisection [LINDSEY-1964]",
        )

    @property
    def _n_cables(self) -> int:
        return self.n_nodes * sum(side - 1 for side in self.shape) // 2


def _cables(shape: tuple[int, ...]) -> Iterator[Cables]:
    """Yield the cables of each dimension, X first, line by line."""
    index: NDArray[np.int64] = np.arange(math.prod(shape), dtype=np.int64).reshape(shape)
    first_nic = 0
    for axis in reversed(range(len(shape))):
        lines = np.moveaxis(index, axis, -1).reshape(-1, shape[axis])
        low, high = np.triu_indices(shape[axis], k=1)
        nic_low, nic_high = first_nic + high - 1, first_nic + low
        yield Cables(
            a=np.column_stack([lines[:, low].ravel(), np.tile(nic_low, len(lines))]),
            b=np.column_stack([lines[:, high].ravel(), np.tile(nic_high, len(lines))]),
            kind=CROSSOVER,
        )
        first_nic += shape[axis] - 1


def _cut(n_inside: int, sides: list[int]) -> int:
    """Return the cables between the first nodes and the rest; sides from the slowest-varying."""
    if not sides:
        return 0
    side, *rest = sides
    size = math.prod(rest)
    n_full, n_left = divmod(n_inside, size)
    along = n_left * (n_full + 1) * (side - n_full - 1) + (size - n_left) * n_full * (side - n_full)
    return along + _cut(n_left, rest)


def _most_nodes(n_dimensions: int, slots: int | None) -> int | None:
    """Return the nodes of the largest shape with `n_dimensions`: its sides are nearly equal."""
    if slots is None:
        return None
    steps, longer = divmod(slots, n_dimensions)
    return int((steps + 2) ** longer * (steps + 1) ** (n_dimensions - longer))
