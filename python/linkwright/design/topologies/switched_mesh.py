"""A bus per row and per column, with one switch between the rows and another between the columns
[BEOWULF-1996].

Both nets hold every node, so no node forwards. A *local wire* is the bus that two nodes of one row
or column share; a *remote wire* leads from bus to bus through a switch. A front end is one more
station of the first row and of the first column: the paper's switches have no port left for it. A
net of one bus has no switch.

Bonded, the two NICs of a node are one interface, and every other frame of a local pair crosses the
switch of the net in which the pair is remote.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import AfterValidator, Field

from linkwright.design.topologies.buses import bus_boxes, bus_units
from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import grid_coordinates
from linkwright.design.topologies.lines import Dimension, dimensions
from linkwright.design.topologies.topology import Count, ShapedTopology, check_shape
from linkwright.design.topologies.wiring import (
    UPLINK,
    Boxes,
    Cables,
    Limits,
    Wiring,
    assemble,
    require_ports,
)

__all__ = ["BondedSwitchedMesh", "SwitchedMesh"]


class _SwitchedBuses(ShapedTopology):
    """Two nets of buses, one of the rows and one of the columns, each connected by a switch."""

    default_addressing = "per-segment"
    is_bonded: ClassVar[bool]

    shape: Annotated[
        tuple[Count, Count],
        Field(description="Rows and columns"),
        AfterValidator(check_shape),
    ]

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables: all buses, then all switches."""
        nodes, lines = grid_coordinates(self.shape), list(dimensions(self.shape))
        joined = [each for each in lines if each.n_lines > 1]
        self._check_ports(joined, limits)
        bus = self.n_nodes + int(front_end)
        switch = bus + sum(each.n_lines for each in lines)
        boxes: list[Boxes] = []
        cables: list[Cables] = []
        uplinks: list[Cables] = []
        first_buses: list[int] = []
        for each in lines:
            boxes.append(bus_boxes(each, _stations(each) + int(front_end), limits))
            cables.append(each.cables(nodes, bus))
            first_buses.append(bus)
            if each in joined:
                uplinks.append(_uplinks(each, bus, switch + len(uplinks)))
            bus += each.n_lines
        if joined:
            boxes.append(_switches(len(joined)))
        return assemble(
            shape=self.shape,
            nodes=nodes,
            boxes=boxes,
            cables=[*cables, *uplinks],
            front_end=front_end,
            front_end_at=first_buses,
            is_bonded=self.is_bonded,
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of two nets, each a switch whose links are buses.

        A bus carries half a link whether its nodes talk to each other or through the switch. A
        split
        therefore counts the buses it shares and, among the others, those on the side with fewer.
        The worst split packs half of the nodes into as few rows and columns as possible: the other
        rows and columns are idle.
        """
        lines = list(dimensions(self.shape))
        joined = [each for each in lines if each.n_lines > 1]
        units = [bus_units(_stations(each), limits) for each in lines]
        return ClosedForms(
            n_nodes=self.n_nodes,
            n_cables=sum(self.n_nodes + (each in joined) * each.n_lines for each in lines),
            n_switches=len(joined),
            n_hubs=sum(each.n_lines * of_each for each, of_each in zip(lines, units, strict=True)),
            nics_per_node=len(lines),
            max_nodes=self._most_nodes(lines, units, limits),
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=0,
            switches_worst=int(len(joined) == 2),
            bisection_links=_shared_buses(self.shape) / 2 if joined else 0.5,
            ports_per_node={
                "nic": float(len(lines)),
                "hub": sum(1 + (each in joined) / each.side for each in lines),
                "switch": sum(1 / each.side for each in joined),
            },
            source="[BEOWULF-1996]; a shared medium as in [PMESH-1998, table 2], erratum 4",
        )

    def _check_ports(self, joined: list[Dimension], limits: Limits) -> None:
        for each in joined:
            require_ports(
                role="switch",
                needed=each.n_lines,
                available=limits.switch_ports,
                thing=f"{self.label}: the switch of dimension {each.stem.upper()}",
                remedy="choose a larger switch or a shape with fewer buses",
            )

    def _most_nodes(self, lines: list[Dimension], units: list[int], limits: Limits) -> int:
        """Return the nodes of the largest mesh: a bus has an uplink, and each needs a switch port.

        A single bus has neither.
        """
        hub_ports, switch_ports = limits.hub_ports or 0, limits.switch_ports or 0
        if len(lines) == 1:
            return hub_ports * units[0]
        by_buses = [hub_ports * of_each - 1 for of_each in units]
        return min(by_buses[0], switch_ports) * min(by_buses[1], switch_ports)


class SwitchedMesh(_SwitchedBuses):
    """A net of rows and a net of columns; each pair of nodes uses one of them."""

    default_identities = "loopback"
    is_bonded = False

    examples = (
        {"shape": (3, 2)},
        {"shape": (1, 4)},
        {"shape": (4, 4)},
        {"shape": (3, 7)},
        {"shape": (24, 24)},
    )

    kind: Literal["switched-mesh"] = "switched-mesh"


class BondedSwitchedMesh(_SwitchedBuses):
    """A net of rows and a net of columns; the frames of each node use them in turn."""

    is_bonded = True

    examples = (
        {"shape": (3, 2)},
        {"shape": (4, 4)},
    )

    kind: Literal["bonded-switched-mesh"] = "bonded-switched-mesh"


def _stations(each: Dimension) -> int:
    """Return the number of stations of a bus: its nodes, and the switch if there is one."""
    return each.side + int(each.n_lines > 1)


def _uplinks(each: Dimension, first_bus: int, switch: int) -> Cables:
    bus = np.arange(each.n_lines)
    return Cables(
        a=np.column_stack([first_bus + bus, np.full_like(bus, each.side)]),
        b=np.column_stack([np.full_like(bus, switch), bus]),
        kind=UPLINK,
    )


def _switches(n_switches: int) -> Boxes:
    coordinates = np.full((n_switches, 2), -1, dtype=np.int32)
    return Boxes(part_role="switch", stem="sw", coordinates=coordinates)


def _shared_buses(shape: tuple[int, int]) -> int:
    """Return the least sum of rows and columns that hold half of the nodes."""
    n_rows, n_columns = shape
    half = n_rows * n_columns // 2
    rows = np.arange(-(-half // n_columns), n_rows + 1)
    return int((rows - (-half // rows)).min())
