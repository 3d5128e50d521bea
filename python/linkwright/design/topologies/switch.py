"""N nodes on one switch or one stack: full duplex, limited by the backplane [PMESH-1998, table 2].

A second, equal switch may carry file traffic only, so that it does not disturb messages
[STACK-2001].
"""

from __future__ import annotations

from typing import Literal

from pydantic import StrictBool

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.star import star
from linkwright.design.topologies.topology import Count, CountedTopology, check_units
from linkwright.design.topologies.wiring import Limits, Wiring, require_ports

__all__ = ["Switch"]


class Switch(CountedTopology):
    """All nodes on one switch, or on a stack of switches that acts as one."""

    default_addressing = "per-segment"

    examples = (
        {"nodes": 5},
        {"nodes": 6, "nfs_switch": True},
        {"nodes": 31},
    )

    kind: Literal["switch"] = "switch"
    stack_units: Count = 1
    """Switches in the stack."""
    nfs_switch: StrictBool = False
    """Whether every node has a second NIC on a second, equal switch, for file traffic only."""

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        needed, ports = self.nodes + front_end, limits.switch_ports
        require_ports(
            role="switch",
            needed=needed,
            available=ports and ports * self.stack_units,
            thing=self.label,
            remedy=f"set stack_units: {-(-needed // (ports or needed))}, or choose a larger switch",
        )
        check_units(self.label, "stack_units", self.stack_units, needed)
        return star(
            n_nodes=self.nodes,
            part_role="switch",
            stems=["sw", "nfs"] if self.nfs_switch else ["sw"],
            stack_units=self.stack_units,
            front_end=front_end,
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [PMESH-1998, table 2]; the network for files counts as well."""
        planes = 2 if self.nfs_switch else 1
        return ClosedForms(
            n_nodes=self.nodes,
            n_cables=planes * self.nodes,
            n_switches=planes * self.stack_units,
            n_hubs=0,
            nics_per_node=planes,
            max_nodes=(limits.switch_ports or 0) * self.stack_units,
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=1,
            switches_worst=1,
            bisection_links=float(planes * (self.nodes // 2)),
            ports_per_node={"nic": float(planes), "switch": float(planes)},
            source="[PMESH-1998, table 2]",
        )
