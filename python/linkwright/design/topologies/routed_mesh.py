"""A bus per row and per column of a grid, connected only by the nodes [BEOWULF-1996].

The forerunner of the P-Mesh, with buses in place of its switches: a node reaches the others of its
row and of its column directly, and any other through the node that is in the row of one and the
column of the other. A front end is on the first row.
"""

from __future__ import annotations

import math
from typing import Literal

from linkwright.design.topologies.buses import bus_boxes, bus_units
from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import grid_coordinates
from linkwright.design.topologies.lines import dimensions, mean_hops
from linkwright.design.topologies.topology import ShapedTopology
from linkwright.design.topologies.wiring import Limits, Wiring, assemble

__all__ = ["RoutedMesh"]


class RoutedMesh(ShapedTopology):
    """A bus for every line of each dimension; nodes forward between dimensions."""

    default_addressing = "per-segment"
    default_routing = "dimension-order"

    examples = (
        {"shape": (3, 2)},
        {"shape": (4, 4)},
        {"shape": (2, 9)},
    )

    kind: Literal["routed-mesh"] = "routed-mesh"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on the first line of node 0."""
        lines = list(dimensions(self.shape))
        self.check_cables(len(lines) * self.n_nodes)
        nodes = grid_coordinates(self.shape)
        first = device = self.n_nodes + int(front_end)
        cables = []
        for each in lines:
            cables.append(each.cables(nodes, device))
            device += each.n_lines
        return assemble(
            shape=self.shape,
            nodes=nodes,
            boxes=[
                bus_boxes(each, each.side + (front_end and each is lines[0]), limits)
                for each in lines
            ],
            cables=cables,
            front_end=front_end,
            front_end_at=(first,),
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of the paper's mesh for any shape.

        A split of the nodes shares every bus along the side that it halves, and each shared bus
        carries half a link. In up to two dimensions no split shares fewer buses.
        """
        lines = list(dimensions(self.shape))
        d, units = len(lines), [bus_units(each.side, limits) for each in lines]
        return ClosedForms(
            n_nodes=self.n_nodes,
            n_cables=d * self.n_nodes,
            n_switches=0,
            n_hubs=sum(each.n_lines * of_each for each, of_each in zip(lines, units, strict=True)),
            nics_per_node=d,
            max_nodes=(limits.hub_ports or 0) ** d * math.prod(units),
            diameter_hops=d,
            forwards_mean=mean_hops(self.shape) - 1,
            forwards_worst=d - 1,
            switches_best=0,
            switches_worst=0,
            bisection_links=_shared_buses([each.side for each in lines]) / 2,
            bisection_is_exact=d <= 2,
            ports_per_node={"nic": float(d), "hub": float(d)},
            source="[BEOWULF-1996]; a shared medium as in [PMESH-1998, table 2], erratum 4",
        )


def _shared_buses(sides: list[int]) -> int:
    """Return the buses with stations on both sides of the best straight split.

    The split halves one side; in an odd side the middle layer is split in the same manner.
    """
    return min((_shared_along(place, sides) for place in range(len(sides))), default=0)


def _shared_along(place: int, sides: list[int]) -> int:
    """Return the buses shared by a split that halves one side."""
    rest = sides[:place] + sides[place + 1 :]
    return math.prod(rest) + (_shared_buses(rest) if sides[place] % 2 else 0)
