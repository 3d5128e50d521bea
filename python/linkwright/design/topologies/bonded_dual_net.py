"""Several buses that each reach every node, bonded: frames use them in turn [BEOWULF-1996].

NIC k of every node is on bus k, and all NICs of a node are one interface with one address. The
paper has two buses.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from linkwright.design.topologies.buses import bus_units
from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.star import star
from linkwright.design.topologies.topology import CountedTopology
from linkwright.design.topologies.wiring import Limits, Wiring

__all__ = ["BondedDualNet"]


class BondedDualNet(CountedTopology):
    """All nodes on each of several buses, with one bond per node."""

    default_addressing = "per-segment"

    examples = (
        {"nodes": 5},
        {"nodes": 4, "buses": 3},
        {"nodes": 16},
        {"nodes": 250, "buses": 9},
    )

    kind: Literal["bonded-dual-net"] = "bonded-dual-net"
    buses: Annotated[
        int, Field(strict=True, ge=1, le=64, description="Buses, and NICs of each node")
    ] = 2

    @property
    def label(self) -> str:
        """Kind and size, with the number of buses unless it is the paper's."""
        return super().label if self.buses == 2 else f"{super().label}-on-{self.buses}"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on every bus."""
        self.check_cables(self.nodes * self.buses)
        return star(
            n_nodes=self.nodes,
            part_role="hub",
            stems=["hub"] * self.buses,
            stack_units=bus_units(self.nodes + front_end, limits),
            front_end=front_end,
            is_bonded=True,
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of a hub, once per bus."""
        units = bus_units(self.nodes, limits)
        return ClosedForms(
            n_nodes=self.nodes,
            n_cables=self.nodes * self.buses,
            n_switches=0,
            n_hubs=units * self.buses,
            nics_per_node=self.buses,
            max_nodes=(limits.hub_ports or 0) * units,
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=0,
            switches_worst=0,
            bisection_links=self.buses / 2,
            ports_per_node={"nic": float(self.buses), "hub": float(self.buses)},
            source="[BEOWULF-1996]; a shared medium as in [PMESH-1998, table 2], erratum 4",
        )
