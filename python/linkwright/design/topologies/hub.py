"""N nodes on one repeater: one collision domain, half duplex [NAS-97-017; PMESH-1998, table 2].

If a hub has too few ports, the nodes are on a stack of hubs, which acts as one repeater.
"""

from __future__ import annotations

from typing import Literal

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.star import star
from linkwright.design.topologies.topology import Count, CountedTopology, check_units
from linkwright.design.topologies.wiring import Limits, Wiring, require_ports

__all__ = ["Hub"]


class Hub(CountedTopology):
    """All nodes on one hub, or on a stack of hubs that acts as one."""

    default_addressing = "per-segment"

    examples = (
        {"nodes": 5},
        {"nodes": 2},
        {"nodes": 20, "stack_units": 2},
        {"nodes": 250, "stack_units": 3},
    )

    kind: Literal["hub"] = "hub"
    stack_units: Count | None = None
    """Hubs in the stack. Default: as few as the ports allow."""

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        return star(
            n_nodes=self.nodes,
            part_role="hub",
            stems=["hub"],
            stack_units=self._units(self.nodes + front_end, limits),
            front_end=front_end,
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [PMESH-1998, table 2]; a shared medium carries B/N, not 2B/N
        (erratum 4).
        """
        units = self._units(self.nodes, limits)
        return ClosedForms(
            n_nodes=self.nodes,
            n_cables=self.nodes,
            n_switches=0,
            n_hubs=units,
            nics_per_node=1,
            max_nodes=(limits.hub_ports or 0) * units,
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=0,
            switches_worst=0,
            bisection_links=0.5,
            ports_per_node={"nic": 1.0, "hub": 1.0},
            source="[PMESH-1998, table 2], erratum 4",
        )

    def _units(self, n_ports: int, limits: Limits) -> int:
        ports = limits.hub_ports
        require_ports(role="hub", needed=1, available=ports, thing=self.label, remedy="")
        assert ports is not None
        units = self.stack_units or -(-n_ports // ports)
        check_units(self.label, "stack_units", units, n_ports)
        require_ports(
            role="hub",
            needed=n_ports,
            available=ports * units,
            thing=f"{self.label} as a stack of {units}",
            remedy=f"set stack_units: {-(-n_ports // ports)}",
        )
        return units
