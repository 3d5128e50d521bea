"""The plan in the form that real machines are compared with: cables by the names of their machines'
ports, and the rates of their links.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network
from typing import TYPE_CHECKING

from linkwright.as_built.moves import Joined, Plug
from linkwright.design.names import plugged_cable_names
from linkwright.design.parts import NicPart
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan
from linkwright.plan.machine_names import nic_on_machine

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["LinkRate", "Planned"]

USB4_LINKS_MBPS = {"usb4": 40_000, "thunderbolt-5": 80_000}
"""Rate to which a link of a class of NIC trains with a good cable; IP gets less of it."""


@dataclass(frozen=True)
class LinkRate:
    """Rates of a link of the plan, in Mb/s.

    Attributes
    ----------
    cable_mbps : float
        The rate that the plan counts with.
    trained_mbps : float
        The rate of the wires, where that is another one.
    """

    cable_mbps: float
    trained_mbps: float


@dataclass(frozen=True, eq=False)
class Planned:
    """The plan of a network for real machines."""

    network: Network

    @cached_property
    def nodes(self) -> Mapping[str, NodePlan]:
        """The plan of each node, by its name in the design."""
        return {node.node: node for node in NetworkPlan(self.network).nodes()}

    @cached_property
    def nodes_by_name(self) -> Mapping[str, str]:
        """The node of each name of a node or its machine, in lower case."""
        of_machines = {plan.host.name.lower(): node for node, plan in self.nodes.items()}
        return {**of_machines, **{node.lower(): node for node in self.nodes}}

    @cached_property
    def cables(self) -> tuple[Joined, ...]:
        """Cables with an end at a node, in the order of the plan; hubs and switches as places."""
        return tuple(cable for _, cable in self._numbered())

    @cached_property
    def cable_of(self) -> Mapping[tuple[str, str], Joined]:
        """The cable in each port of a node."""
        return {
            (end.node, end.port): cable
            for cable in self.cables
            for end in cable.ends
            if not end.place
        }

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Number in the wiring of each cable with an end at a node."""
        return {cable.name: number for number, cable in self._numbered()}

    @cached_property
    def rates(self) -> Mapping[tuple[str, str], LinkRate]:
        """Rates of the link at each port of a node."""
        wiring = self.network.wiring
        roles, codes = wiring.end_roles
        found = {}
        for number, cable in self._numbered():
            cable_mbps = float(self.network.cable_rate_bps[number]) / 1e6
            for end, code in zip(cable.ends, codes[number].tolist(), strict=True):
                if not end.place:
                    part = self.network.parts.get(roles[code])
                    class_ = part.nic_class if isinstance(part, NicPart) else ""
                    trained = USB4_LINKS_MBPS.get(class_, cable_mbps)
                    found[end.node, end.port] = LinkRate(cable_mbps, max(trained, cable_mbps))
        return found

    @cached_property
    def segment_of(self) -> Mapping[tuple[str, str], str]:
        """Place of the hub or switch behind each port of a node that has one."""
        return {
            (a.node, a.port): b.place
            for cable in self.cables
            for a, b in (cable.ends, cable.ends[::-1])
            if b.place
        }

    @cached_property
    def prefixes(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """Prefixes of all addresses of the plan."""
        return tuple(sorted({one.network for one in self.network.addresses.ip}, key=str))

    def covers(self, prefix: IPv4Network | IPv6Network) -> bool:
        """Return whether a prefix is one of the plan's, or inside one."""
        return any(
            prefix.supernet(new_prefix=length) in self._prefixes
            for length in self._lengths
            if length <= prefix.prefixlen
        )

    @cached_property
    def _prefixes(self) -> frozenset[IPv4Network | IPv6Network]:
        return frozenset(self.prefixes)

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        return tuple(sorted({one.prefixlen for one in self.prefixes}))

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """Node of each address of the plan."""
        return {
            address.partition("/")[0]: node.node
            for node in self.nodes.values()
            for one in node.interfaces
            for address in one.addresses
        }

    def _numbered(self) -> Iterator[tuple[int, Joined]]:
        wiring = self.network.wiring
        names = plugged_cable_names(wiring)
        roles, codes = wiring.end_roles
        for number, (a, b) in enumerate(
            zip(wiring.cable_a.tolist(), wiring.cable_b.tolist(), strict=True)
        ):
            if min(a[0], b[0]) < self.network.n_nodes:
                role = roles[codes[number].tolist()[0]]
                kind = getattr(self.network.parts.get(role), "connector", None) or ""
                yield number, Joined((self._plug(*a), self._plug(*b)), names[number], kind)

    def _plug(self, device: int, port: int) -> Plug:
        network = self.network
        if device < network.n_nodes:
            name = network.device_names[device]
            return Plug(name, nic_on_machine(network, device, port))
        segment = int(network.core.fabric.port_segment[network.port_id(device, port)])
        return Plug(
            network.device_names[device], network.port_name(device, port), f"segment {segment}"
        )
