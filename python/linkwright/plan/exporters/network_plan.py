"""A plan as exporters see it: a small immutable value per node, with the names of real machines.

Everything is text by now. The values are made from arrays of the whole network; no loop is longer
than its cables, addresses and routes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from ipaddress import ip_address
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from linkwright.design.machines import Nic, RealMachine, check_machine_name
from linkwright.design.names import bond_names, nic_name
from linkwright.errors import PlanError
from linkwright.network import FIRST_TABLE, NODE, Network
from linkwright.nodes import IDENTITY
from linkwright.nodes.marks import marks_of
from linkwright.nodes.routes import relays_of, routes_of
from linkwright.nodes.sources import FIRST_SOURCE_TABLE, SourceRoutes, source_routes
from linkwright.nodes.sysctls import demands, settings_of_node
from linkwright.plan.exporters.node_plan import (
    Host,
    InterfacePlan,
    NodePlan,
    RoutePlan,
    RulePlan,
)
from linkwright.plan.machine_names import host_name, machine_of, nic_on_machine
from linkwright.plan.routes import prefix_texts

__all__ = ["NetworkPlan"]


class NetworkPlan:
    """The plan of all nodes of a network.

    Parameters
    ----------
    network : Network
        The network with all its parts.
    routed : Network, optional
        The same design without failed parts, which gives the routes. Default: `network`.
    ranks_per_node : int
        Ranks that launchers put on a node.

    Raises
    ------
    PlanError
        If a name cannot be that of a machine.
    """

    def __init__(
        self, network: Network, routed: Network | None = None, *, ranks_per_node: int = 1
    ) -> None:
        self.network = network
        self.ranks_per_node = ranks_per_node
        self.routed = routed or network
        for name in network.device_names[: network.n_nodes]:
            check_machine_name(name, f"node of '{network.name}'")
        _expect_apart(network)

    @property
    def name(self) -> str:
        """Name of the design in characters that are safe in a comment."""
        name = self.network.name
        return "".join(c if " " <= c <= "~" and c != "\\" else "?" for c in name)

    @cached_property
    def has_v6(self) -> bool:
        """Whether nodes have addresses of IPv6."""
        return bool(self.network.addresses.is_v6.any())

    @cached_property
    def families(self) -> tuple[bool, ...]:
        """Families in use: False for IPv4, True for IPv6."""
        return tuple(sorted(set(self.network.addresses.is_v6.tolist())))

    @cached_property
    def hosts(self) -> tuple[Host, ...]:
        """All nodes, in their order."""
        network = self.network
        nodes = np.arange(network.n_nodes)
        families = [
            network.addresses.identities(nodes, np.full(len(nodes), is_v6)).tolist()
            for is_v6 in self.families
        ]
        return tuple(
            Host(
                node=network.device_names[node],
                name=host_name(network, node),
                identities=tuple(self._ip[address] for address in identities),
                management=self._machine(node).management,
                is_compute=node < network.n_compute,
                is_switch=bool(network.wiring.kind[node] != NODE),
            )
            for node, *identities in zip(nodes.tolist(), *families, strict=True)
        )

    @cached_property
    def segments(self) -> tuple[frozenset[int], ...]:
        """Numbers of the segments that each node has an address on, without failed cables."""
        addresses = self.routed.addresses
        is_link = addresses.port >= 0
        node, port = addresses.node[is_link], addresses.port[is_link]
        on = self.routed.core.fabric.port_segment[self.routed.port_start[node] + port]
        found: list[set[int]] = [set() for _ in range(self.network.n_nodes)]
        for one, segment in zip(node.tolist(), on.tolist(), strict=True):
            found[one].add(segment)
        return tuple(map(frozenset, found))

    @cached_property
    def links_all_pairs(self) -> bool:
        """Whether every compute node shares a segment with every other, by its best route."""
        if relays_of(self.routed).any():
            return False
        segments = self.segments[: self.network.n_compute]
        if frozenset.intersection(*segments):
            return True
        on: dict[int, set[int]] = {}
        for node, own in enumerate(segments):
            for segment in own:
                on.setdefault(segment, set()).add(node)
        met = (set().union(*(on[segment] for segment in own)) for own in segments)
        return all(len(nodes) == len(segments) for nodes in met)

    def nodes(self) -> Iterator[NodePlan]:
        """Yield the plan of each node."""
        network, asked = self.network, demands(self.routed)
        marks = marks_of(self.routed)
        for node in range(network.n_nodes):
            interfaces = self._interfaces(node, is_relay=bool(asked.is_relay[node]))
            ports = [one.name for one in interfaces if one.addresses and not one.is_identity]
            routes = tuple(self._routes_of(node, interfaces))
            yield NodePlan(
                number=node,
                host=self.hosts[node],
                interfaces=interfaces,
                routes=routes,
                rules=tuple(self._rules_of(node, routes)),
                settings=tuple(settings_of_node(asked, node, ports)),
                marks=marks,
                is_relay=bool(asked.is_relay[node]),
            )

    def interfaces(self) -> Iterator[tuple[Host, InterfacePlan]]:
        """Yield every interface with its node."""
        for node, host in enumerate(self.hosts):
            for one in self._interfaces(node, is_relay=False):
                yield host, one

    def missing(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield node, NIC, the missing fact and the value in its place, of each gap in `nodes`."""
        # A graph of one's own has the names of the machines.
        has_names = self.network.wiring.particulars is not None
        for node, host in enumerate(self.hosts):
            machine = self._machine(node)
            if not (has_names or machine.name):
                yield host.node, "", "name", host.node
            for port in self._cabled_ports(node):
                nic = machine.nics.get(port, Nic())
                if not (has_names or nic.name or nic.mac or nic.path):
                    name = nic_name(self.network.wiring, node, port)
                    yield host.node, name, "name, mac or path", name
            if not machine.management:
                yield host.node, "", "management", host.name

    def port_on_machine(self, node: int, port: int) -> str:
        """Return the name of a NIC on its machine."""
        return nic_on_machine(self.network, node, port)

    def _machine(self, node: int) -> RealMachine:
        return machine_of(self.network, node)

    @cached_property
    def _ip(self) -> tuple[str, ...]:
        return (*(str(one.ip) for one in self.network.addresses.ip), "")

    @cached_property
    def _peers(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Other end of the cable of each connector."""
        a, b = self.network.wiring.cable_a.tolist(), self.network.wiring.cable_b.tolist()
        ends = [(tuple(one), tuple(other)) for one, other in zip(a, b, strict=True)]
        return {**dict(ends), **{other: one for one, other in ends}}

    def _peer(self, node: int, port: int) -> str:
        device, other = self._peers[node, port]
        if device < self.network.n_nodes:
            return f"{self.hosts[device].name}:{self.port_on_machine(device, other)}"
        return f"{self.network.device_names[device]}:{self.network.port_name(device, other)}"

    def _cabled_ports(self, node: int) -> list[int]:
        n_ports = int(self.network.wiring.n_ports[node])
        return [port for port in range(n_ports) if (node, port) in self._peers]

    @cached_property
    def _addresses(self) -> dict[tuple[int, int], list[str]]:
        """Addresses with prefix lengths by node and port."""
        found: dict[tuple[int, int], list[str]] = {}
        addresses = self.network.addresses
        for node, port, ip in zip(
            addresses.node.tolist(), addresses.port.tolist(), addresses.ip, strict=True
        ):
            found.setdefault((node, port), []).append(str(ip))
        return found

    @cached_property
    def _borrowed(self) -> dict[tuple[int, int], str]:
        """Address that each unnumbered port borrows."""
        addresses = self.network.addresses
        return {
            (int(addresses.node[row]), int(addresses.port[row])): str(addresses.ip[row])
            for row in np.flatnonzero(addresses.is_borrowed).tolist()
        }

    @cached_property
    def _usb_ports(self) -> frozenset[tuple[int, int]]:
        """Connectors of USB4 and Thunderbolt that have a cable."""
        wiring = self.network.wiring
        roles, codes = wiring.end_roles
        parts = self.network.parts
        is_usb = [getattr(parts.get(role), "connector", None) == "usb-c" for role in roles]
        ends = np.stack([wiring.cable_a, wiring.cable_b], axis=1)[np.array(is_usb)[codes]]
        return frozenset((node, port) for node, port in ends.tolist())

    @cached_property
    def _bonds(self) -> dict[tuple[int, int], str]:
        return bond_names(self.network.wiring)

    @cached_property
    def _n_on_segment(self) -> NDArray[np.int64]:
        """Number of interfaces on the segment of each port of a node."""
        network, addresses = self.network, self.network.addresses
        of_port = network.core.fabric.port_segment
        is_link = (addresses.port >= 0) & (addresses.is_v6 == self.families[0])
        at = network.port_start[addresses.node[is_link]] + addresses.port[is_link]
        count = np.bincount(of_port[at], minlength=int(of_port.max(initial=0)) + 1)
        return count[of_port]

    def _interfaces(self, node: int, *, is_relay: bool) -> tuple[InterfacePlan, ...]:
        found = []
        bonds: dict[str, list[int]] = {}
        for port in self._cabled_ports(node):
            bond = self._bonds.get((node, port), "")
            if bond:
                bonds.setdefault(bond, []).append(port)
            nic = self._machine(node).nics.get(port, Nic())
            found.append(
                InterfacePlan(
                    name=self.port_on_machine(node, port),
                    nic=nic_name(self.network.wiring, node, port),
                    mac=nic.mac,
                    path=nic.path,
                    addresses=() if bond else tuple(self._addresses.get((node, port), ())),
                    borrowed=self._borrowed.get((node, port), ""),
                    peers=(self._peer(node, port),),
                    n_others=0 if bond else self._n_others(node, port),
                    bond=bond,
                    mtu=self.network.mtu_of(node, port),
                    cuts_segments=is_relay and (node, port) in self._usb_ports,
                )
            )
        for bond, ports in bonds.items():
            found.append(
                InterfacePlan(
                    name=bond,
                    nic=bond,
                    addresses=tuple(self._addresses.get((node, ports[0]), ())),
                    peers=tuple(self._peer(node, port) for port in ports),
                    n_others=self._n_others(node, ports[0]),
                    members=tuple(self.port_on_machine(node, port) for port in ports),
                    mtu=self.network.mtu_of(node, ports[0]),
                )
            )
        if (node, -1) in self._addresses:
            addresses = tuple(self._addresses[node, -1])
            mtu = self.network.mtu
            found.append(InterfacePlan(name=IDENTITY, nic="lo", addresses=addresses, mtu=mtu))
        return tuple(one for one in found if one.addresses or one.bond)

    def _n_others(self, node: int, port: int) -> int:
        return int(self._n_on_segment[self.network.port_id(node, port)]) - 1

    def _routes_of(self, node: int, interfaces: tuple[InterfacePlan, ...]) -> Iterator[RoutePlan]:
        if self.network.daemon:
            return
        routed = self.routed
        routes = routes_of(routed, node)
        leaves_by = {one.nic: one.bond or one.name for one in interfaces}
        columns = zip(
            prefix_texts(routes.destination, routes.is_v6, routes.prefix_length),
            routes.via.tolist(),
            routes.port.tolist(),
            routes.metric.tolist(),
            routed.addresses.identities(routes.node, routes.is_v6).tolist(),
            [0 if came_by < 0 else FIRST_TABLE + came_by for came_by in routes.table.tolist()],
            routes.is_onlink.tolist(),
            strict=True,
        )
        for destination, via, port, metric, source, table, is_onlink in chain(
            columns, self._columns_by_source(node)
        ):
            yield RoutePlan(
                destination=destination,
                via=self._ip[via],
                interface=leaves_by[nic_name(self.network.wiring, node, port)],
                metric=metric,
                source=self._ip[source],
                table=table,
                is_onlink=is_onlink,
            )

    @cached_property
    def _source_routes(self) -> SourceRoutes | None:
        return source_routes(self.routed)

    def _columns_by_source(self, node: int) -> Iterable[tuple[str, int, int, int, int, int, bool]]:
        """Return the columns of the routes in tables by source address."""
        routes = self._source_routes
        if routes is None:
            return ()
        own = routes.node == node
        return zip(
            prefix_texts(routes.bits[own], routes.is_v6[own], routes.length[own]),
            routes.via[own].tolist(),
            routes.port[own].tolist(),
            routes.metric[own].tolist(),
            routes.source[own].tolist(),
            routes.table[own].tolist(),
            [False] * int(own.sum()),
            strict=True,
        )

    def _rules_of(self, node: int, routes: tuple[RoutePlan, ...]) -> Iterator[RulePlan]:
        in_tables = [one for one in routes if one.table]
        by_nic = {(one.is_v6, one.table) for one in in_tables if one.table < FIRST_SOURCE_TABLE}
        for is_v6, table in sorted(by_nic):
            interface = self.port_on_machine(node, table - FIRST_TABLE)
            yield RulePlan(interface=interface, table=table, is_v6=is_v6)
        by_source = [one for one in in_tables if one.table >= FIRST_SOURCE_TABLE]
        found = {(one.is_v6, one.table, one.source, one.interface) for one in by_source}
        for is_v6, table, source, interface in sorted(found):
            yield RulePlan(interface=interface, table=table, is_v6=is_v6, source=source)


def _expect_apart(network: Network) -> None:
    """Refuse a management address inside the plan: files for machines never touch its NIC.

    Raises
    ------
    PlanError
        If there is one.
    """
    managed = {one.management: node for node, one in network.machines.items() if one.management}
    if not managed:
        return
    prefixes = sorted({one.network for one in network.addresses.ip}, key=str)
    for text, node in managed.items():
        for prefix in prefixes:
            if ip_address(text) in prefix:
                raise PlanError(
                    f"the management address {text} of {network.device_names[node]} is in {prefix} "
                    "of the plan",
                    "choose another 'addressing' prefix, or correct the address under 'nodes'",
                )
