"""Machines whose only ports for the LAN around the cluster are ports of the plan.

The files of such a machine end DHCP, the default route and the MTU of its LAN, so that a machine
that is managed by this port cannot be reached any more. The catalogue gives the ports that a
computer has. A LAN uses those with RJ45; cards are bought for the plan, and leave the port of the
board alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwright.design.node_nics import Card, InUse, NodeNics, nics_of_nodes
from linkwright.plan.machine_names import machine_of, nic_on_machine

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["REMEDY", "TakenPorts", "taken_lan_ports"]

LAN_CONNECTOR = "rj45"
REMEDY = (
    "leave a port to the LAN, or say under 'nodes' by which port each machine is managed instead: "
    "'management_port: NAME', or 'none' if it has a console"
)
"""Remedy for a machine that loses its LAN."""


@dataclass(frozen=True)
class TakenPorts:
    """Machines that the plan leaves no port for the LAN.

    Attributes
    ----------
    nodes : tuple of int
        The machines, ascending.
    first_ports : tuple of str
        The LAN ports of the first one, by their names on the machine.
    """

    nodes: tuple[int, ...]
    first_ports: tuple[str, ...]

    def reason(self, network: Network) -> str:
        """Return the machines and their ports in words."""
        n_others = len(self.nodes) - 1
        others = f", and that of {n_others:,} more," if n_others else ""
        ports = ", ".join(self.first_ports)
        name = network.device_names[self.nodes[0]]
        management = machine_of(network, self.nodes[0]).management
        address = f": no port is left for {management}" if management else ""
        return f"the plan takes the only LAN port of {name} ({ports}){others} for itself{address}"


def taken_lan_ports(network: Network) -> TakenPorts | None:
    """Return the machines without a port for the LAN, unless the design says how they are managed.

    Parameters
    ----------
    network : Network
        The compiled network.
    """
    groups = nics_of_nodes(network.wiring, network.parts)
    roles_of = {
        int(node): roles for one in groups if (roles := _taken_roles(one)) for node in one.nodes
    }
    nodes = sorted(node for node in roles_of if not machine_of(network, node).management_port)
    if not nodes:
        return None
    return TakenPorts(tuple(nodes), _ports_of_roles(network, nodes[0], roles_of[nodes[0]]))


def _taken_roles(group: NodeNics) -> frozenset[str]:
    """Return the roles of the NICs that are all the LAN ports of a machine; empty if one is left.

    A NIC that is no card, but not listed as built in, is one of unknown ports of the machine.
    """
    unlisted = [one for one in group.filled.cards if not one.nic.is_card]
    in_use: list[InUse | Card] = [*group.filled.built_in, *unlisted]
    in_use = [one for one in in_use if one.nic.connector == LAN_CONNECTOR]
    n_used = sum(one.n_ports for one in in_use)
    rows = group.machine.built_in
    n_all = sum(row.count * row.nic.ports for row in rows if row.nic.connector == LAN_CONNECTOR)
    return frozenset(one.role for one in in_use) if n_used >= n_all else frozenset()


def _ports_of_roles(network: Network, node: int, roles: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the cabled ports of a node whose NICs have some roles."""
    wiring = network.wiring
    names, codes = wiring.end_roles
    is_wanted = np.isin(codes, [code for code, name in enumerate(names) if name in roles])
    ends = np.stack([wiring.cable_a, wiring.cable_b], axis=1)
    ports = ends[is_wanted & (ends[:, :, 0] == node)][:, 1]
    return tuple(nic_on_machine(network, node, port) for port in sorted(ports.tolist()))
