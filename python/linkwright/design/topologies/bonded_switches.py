"""Switches that each reach every node, bonded: frames use them in turn (balance-rr of Linux).

NIC k of every node is on switch k, and all NICs of a node are one interface with one address. The
switches are not connected: each learns the shared address at one port. With LACP they would have to
act as one (MLAG, or a stack).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.star import star
from linkwright.design.topologies.topology import Count, CountedTopology, check_units
from linkwright.design.topologies.wiring import Limits, Wiring, require_ports

__all__ = ["BondedSwitches"]


class BondedSwitches(CountedTopology):
    """All nodes on each of several switches, with one bond per node."""

    default_addressing = "per-segment"

    examples = (
        {"nodes": 5},
        {"nodes": 4, "switches": 3},
        {"nodes": 24},
    )

    kind: Literal["bonded-switches"] = "bonded-switches"
    switches: Annotated[
        int, Field(strict=True, ge=1, le=64, description="Switches, and NICs of each node")
    ] = 2
    stack_units: Count = 1
    """Units of each switch, if it is a stack."""

    @property
    def label(self) -> str:
        """Kind and size, with the number of switches unless they are two."""
        return super().label if self.switches == 2 else f"{super().label}-on-{self.switches}"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on every switch."""
        self.check_cables(self.nodes * self.switches)
        needed, ports = self.nodes + front_end, limits.switch_ports
        require_ports(
            role="switch",
            needed=needed,
            available=ports and ports * self.stack_units,
            thing=f"{self.label}: each switch",
            remedy=f"set stack_units: {-(-needed // (ports or needed))}, or choose a larger switch",
        )
        check_units(self.label, "stack_units", self.stack_units, needed)
        return star(
            n_nodes=self.nodes,
            part_role="switch",
            stems=["sw"] * self.switches,
            stack_units=self.stack_units,
            front_end=front_end,
            is_bonded=True,
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of a switch, once per plane."""
        return ClosedForms(
            n_nodes=self.nodes,
            n_cables=self.nodes * self.switches,
            n_switches=self.switches * self.stack_units,
            n_hubs=0,
            nics_per_node=self.switches,
            max_nodes=(limits.switch_ports or 0) * self.stack_units,
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=1,
            switches_worst=1,
            bisection_links=float(self.switches * (self.nodes // 2)),
            ports_per_node={"nic": float(self.switches), "switch": float(self.switches)},
            source="[PMESH-1998, table 2], once per switch",
        )
