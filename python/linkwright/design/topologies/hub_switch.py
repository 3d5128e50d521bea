"""Hubs of a few nodes each, connected by a switch: cheaper than a switch port per node, faster than
one hub [NAS-97-025].

The density is the number of nodes per hub. Hubs are filled in the order of the nodes, so the last
one may have fewer. With density 1 every node is directly on the switch and there is no hub.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.star import star
from linkwright.design.topologies.topology import Count, CountedTopology
from linkwright.design.topologies.wiring import (
    UPLINK,
    Boxes,
    Cables,
    Limits,
    Wiring,
    assemble,
    require_ports,
)

__all__ = ["HubSwitch"]


class HubSwitch(CountedTopology):
    """Nodes on half-duplex hubs, each hub with one uplink to a port of a switch."""

    default_addressing = "per-segment"

    examples = (
        {"nodes": 7, "density": 3},
        {"nodes": 5, "density": 1},
        {"nodes": 16, "density": 4},
        {"nodes": 36, "density": 7},
    )

    kind: Literal["hub-switch"] = "hub-switch"
    density: Count
    """Nodes per hub; 1 connects them directly to the switch."""

    @property
    def label(self) -> str:
        """Kind, size and nodes per hub."""
        return f"{super().label}-by-{self.density}"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on the switch."""
        self._check_ports(limits, front_end=front_end)
        if self.density == 1:
            return star(
                n_nodes=self.nodes,
                part_role="switch",
                stems=["sw"],
                stack_units=1,
                front_end=front_end,
            )
        node, hub = np.arange(self.nodes), np.arange(self._n_hubs)
        first = self.nodes + int(front_end)
        switch = first + self._n_hubs
        on_hub, place = np.divmod(node, self.density)
        n_on_hub = np.bincount(on_hub)
        nowhere = np.full_like(hub, -1)
        return assemble(
            shape=(self._n_hubs, min(self.density, self.nodes)),
            nodes=np.column_stack([on_hub, place]).astype(np.int32),
            boxes=[
                Boxes(
                    part_role="hub",
                    stem="hub",
                    coordinates=np.column_stack([hub, nowhere]).astype(np.int32),
                ),
                Boxes(
                    part_role="switch",
                    stem="sw",
                    coordinates=np.array([[-1, -1]], dtype=np.int32),
                ),
            ],
            cables=[
                Cables(
                    a=np.column_stack([node, np.zeros_like(node)]),
                    b=np.column_stack([first + on_hub, place]),
                ),
                Cables(
                    a=np.column_stack([first + hub, n_on_hub]),
                    b=np.column_stack([np.full_like(hub, switch), hub]),
                    kind=UPLINK,
                ),
            ],
            front_end=front_end,
            front_end_at=(switch,),
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of a switch whose links are hubs.

        A hub carries half a link whether its nodes talk to each other or through its uplink. The
        worst split therefore keeps hubs whole, and the side with fewer hubs limits it; with an odd
        number of hubs the middle one is cut, unless it has only one node.
        """
        n, hubs, is_plain = self.nodes, self._n_hubs, self.density == 1
        cut_hubs = hubs // 2 if n % self.density == 1 else -(-hubs // 2)
        ports = {"nic": 1.0, "switch": 1 / self.density}
        if not is_plain:
            ports["hub"] = 1 + 1 / self.density
        return ClosedForms(
            n_nodes=n,
            n_cables=n + hubs,
            n_switches=1,
            n_hubs=hubs,
            nics_per_node=1,
            max_nodes=(limits.switch_ports or 0) * self.density,
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=int(is_plain),
            switches_worst=int(is_plain or hubs > 1),
            bisection_links=float(n // 2) if is_plain else cut_hubs / 2,
            ports_per_node=ports,
            source="[NAS-97-025]; a shared medium counted as in [PMESH-1998, table 2], erratum 4",
        )

    @property
    def _n_hubs(self) -> int:
        return 0 if self.density == 1 else -(-self.nodes // self.density)

    def _check_ports(self, limits: Limits, *, front_end: bool) -> None:
        if self._n_hubs:
            require_ports(
                role="hub",
                needed=min(self.density, self.nodes) + 1,
                available=limits.hub_ports,
                thing=f"{self.label}: a hub with its uplink",
                remedy="choose a smaller density or a larger hub",
            )
        require_ports(
            role="switch",
            needed=(self._n_hubs or self.nodes) + front_end,
            available=limits.switch_ports,
            thing=f"{self.label}: the switch",
            remedy="choose a larger density or a larger switch",
        )
