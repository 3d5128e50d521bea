"""The P-Mesh: a grid in which every line of nodes shares a switch; nodes forward between
dimensions [PMESH-1998].

A node has one NIC per dimension, numbered from X (the last axis). A line of one node has no
switch, and its node no NIC, because it would lead nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import grid_coordinates
from linkwright.design.topologies.topology import Count, ShapedTopology
from linkwright.design.topologies.wiring import (
    Boxes,
    Cables,
    Limits,
    Wiring,
    assemble,
    require_ports,
)

__all__ = ["PMesh"]

_LETTERS = "xyzw"


@dataclass(frozen=True)
class _Dimension:
    """The switched lines along one axis."""

    number: int
    """0 is X, the last axis."""
    axis: int
    nic: int
    """The port of a node that leads to its line."""
    side: int
    n_lines: int


class PMesh(ShapedTopology):
    """Every line of each dimension on its own switch, or several lines on one chassis."""

    default_addressing = "p-mesh"
    default_routing = "dimension-order"

    kind: Literal["p-mesh"] = "p-mesh"
    lines_per_switch: Annotated[
        Count, Field(description="Lines of one dimension that share one switch as logical parts")
    ] = 1

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on the first line of node 0."""
        dimensions = list(self._dimensions())
        self.check_cables(len(dimensions) * self.n_nodes)
        self._check_ports(dimensions, limits, front_end=front_end)
        coordinates = grid_coordinates(self.shape)
        first = self.n_nodes + int(front_end)
        boxes, cables, n_chassis = [], [], 0
        device = first
        for dimension in dimensions:
            line = _line_of_node(coordinates, self.shape, dimension.axis)
            chassis = (
                n_chassis + np.arange(dimension.n_lines, dtype=np.int32) // self.lines_per_switch
            )
            boxes.append(
                Boxes(
                    part_role="switch",
                    stem=_stem(dimension.number),
                    coordinates=_line_coordinates(self.shape, dimension.axis),
                    chassis=chassis if self.lines_per_switch > 1 else None,
                )
            )
            cables.append(
                Cables(
                    a=np.column_stack([np.arange(self.n_nodes), np.full_like(line, dimension.nic)]),
                    b=np.column_stack([device + line, coordinates[:, dimension.axis]]),
                )
            )
            device += dimension.n_lines
            n_chassis += int(chassis[-1]) - n_chassis + 1
        return assemble(
            shape=self.shape,
            nodes=coordinates,
            boxes=boxes,
            cables=cables,
            front_end=front_end,
            front_end_at=(first,),
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [PMESH-1998, table 2] with errata 1 and 3.

        The cut is the paper's: straight through the middle of the lines. A cut around a block of
        the grid can be smaller (5 instead of 6 links for 3x4), so it is an upper bound in general.
        """
        n, dimensions = self.n_nodes, list(self._dimensions())
        d = len(dimensions)
        hops = sum((side - 1) / side for side in self.shape) * n / (n - 1)
        ports = limits.switch_ports or 0
        return ClosedForms(
            n_nodes=n,
            n_cables=d * n,
            n_switches=sum(-(-each.n_lines // self.lines_per_switch) for each in dimensions),
            n_hubs=0,
            nics_per_node=d,
            max_nodes=(ports // self.lines_per_switch) ** d,
            diameter_hops=d,
            forwards_mean=hops - 1,
            forwards_worst=d - 1,
            switches_best=1,
            switches_worst=d,
            bisection_links=float(n // 2),
            bisection_is_exact=_is_straight_cut_smallest([each.side for each in dimensions]),
            ports_per_node={"nic": float(d), "switch": float(d)},
            source="[PMESH-1998, table 2], erratum 1",
        )

    def _dimensions(self) -> Iterator[_Dimension]:
        """Yield the dimensions that have lines, X first."""
        nic = 0
        for number, axis in enumerate(reversed(range(len(self.shape)))):
            side = self.shape[axis]
            if side > 1:
                yield _Dimension(number, axis, nic, side, self.n_nodes // side)
                nic += 1

    def _check_ports(
        self, dimensions: list[_Dimension], limits: Limits, *, front_end: bool
    ) -> None:
        for dimension in dimensions:
            lines = min(self.lines_per_switch, dimension.n_lines)
            letter = _stem(dimension.number).upper()
            needed = lines * dimension.side + (front_end and dimension is dimensions[0])
            require_ports(
                role="switch",
                needed=needed,
                available=limits.switch_ports,
                thing=f"{self.label}: a switch of dimension {letter} with {lines} line(s) of "
                f"{dimension.side} nodes",
                remedy="choose a larger switch, shorter sides or fewer lines per switch",
            )


def _is_straight_cut_smallest(sides: list[int]) -> bool:
    """Return whether no other equal split cuts less, for the cases in which that is established."""
    return len(sides) == 1 or max(sides) == 2 or sides in ([3, 3], [4, 4])


def _stem(number: int) -> str:
    """Return how switches of a dimension are called: x, y, z, w, then d4-, d5- ..."""
    return _LETTERS[number] if number < len(_LETTERS) else f"d{number}-"


def _line_of_node(
    coordinates: NDArray[np.int32], shape: tuple[int, ...], axis: int
) -> NDArray[np.int64]:
    """Return which line along `axis` each node is on; lines count row-major over the other axes."""
    others = [other for other in range(len(shape)) if other != axis]
    line = np.zeros(len(coordinates), dtype=np.int64)
    for other in others:
        line = line * shape[other] + coordinates[:, other]
    return line


def _line_coordinates(shape: tuple[int, ...], axis: int) -> NDArray[np.int32]:
    """Return the coordinates of all lines along `axis`, -1 along it."""
    others = tuple(side for other, side in enumerate(shape) if other != axis)
    places = grid_coordinates(others) if others else np.empty((1, 0), dtype=np.int32)
    return np.insert(places, axis, -1, axis=1).astype(np.int32)
