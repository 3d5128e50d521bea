"""The nodes of a network as tables for the kernel: interfaces, addresses, routes, neighbours and
settings.

A node has one interface per NIC in use, or per bond, and `id0` where its identity is on the
loopback: MPI libraries pass over loopback interfaces, so that the identity is on a TAP without a
cable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwright.design.names import bond_names, nic_name
from linkwright.errors import CapabilityError
from linkwright.network import FIRST_TABLE, RULE_PRIORITY
from linkwright.nodes import IDENTITY
from linkwright.nodes.marks import MARK, marks_of
from linkwright.nodes.routes import NodeRoutes, all_routes
from linkwright.nodes.sources import SOURCE_PRIORITY, source_routes
from linkwright.records.read_only import ArrayRecord

if TYPE_CHECKING:
    from linkwright.design.topologies import Wiring
    from linkwright.network import Network

__all__ = [
    "KernelRoutes",
    "NodeTable",
    "interfaces_of_ports",
    "kernel_routes",
    "neighbours_of",
    "node_table",
]

PORT_MAC, IDENTITY_MAC = (0x02, 0x00), (0x02, 0x01)
"""First bytes of hardware addresses, locally administered. Behind them is the first port of the
interface in the numbering of all ports, as captures of simulations show it, or the node of an
identity.
"""


class KernelRoutes(ArrayRecord):
    """Columns of the routes of all nodes, `r` in number, as the kernels get them."""

    interface: NDArray[np.uint32]
    """shape (r,): interface over all nodes."""
    bits: NDArray[np.uint8]
    """shape (r, 16): first address of the destination, big-endian; IPv4 in the last four bytes."""
    is_v6: NDArray[np.bool_]
    length: NDArray[np.uint8]
    """shape (r,): length of the destination's prefix."""
    via: NDArray[np.int32]
    """shape (r,): address of the gateway, -1 for none."""
    metric: NDArray[np.uint32]
    source: NDArray[np.int32]
    """shape (r,): address that packets of the node itself have as their source."""
    table: NDArray[np.uint32]
    """shape (r,): number of the table; 0 for the main one."""
    rule_from: NDArray[np.int32]
    """shape (r,): interface whose incoming packets have the table; -1 for none."""
    rule_source: NDArray[np.int32]
    """shape (r,): address whose packets have the table; -1 for none."""
    rule_priority: NDArray[np.uint32]


NO_ROUTES = KernelRoutes(
    interface=np.empty(0, np.uint32),
    bits=np.empty((0, 16), np.uint8),
    is_v6=np.empty(0, np.bool_),
    length=np.empty(0, np.uint8),
    via=np.empty(0, np.int32),
    metric=np.empty(0, np.uint32),
    source=np.empty(0, np.int32),
    table=np.empty(0, np.uint32),
    rule_from=np.empty(0, np.int32),
    rule_source=np.empty(0, np.int32),
    rule_priority=np.empty(0, np.uint32),
)
"""Routes of nodes whose routing daemons find their own."""


class NodeTable(ArrayRecord):
    """Columns of nodes, their interfaces, `k`, addresses, `a`, routes and neighbours, `b`."""

    hostnames: list[str]
    sysctls: list[tuple[str, str]]
    """Settings of every node: paths below /proc/sys/net with their values."""
    interface_node: NDArray[np.uint32]
    interface_port: NDArray[np.int32]
    """shape (k,): first port on the node, -1 for the identity."""
    interface_name: list[str]
    interface_mac: NDArray[np.uint8]
    """shape (k, 6): hardware addresses."""
    interface_mtu: NDArray[np.uint32]
    interface_queue: NDArray[np.uint32]
    """shape (k,): longest transmit queue, in packets."""
    address_interface: NDArray[np.uint32]
    address_bits: NDArray[np.uint8]
    address_is_v6: NDArray[np.bool_]
    address_length: NDArray[np.uint8]
    routes: KernelRoutes
    neighbour_interface: NDArray[np.uint32]
    """shape (b,): interfaces that know a neighbour."""
    neighbour_address: NDArray[np.uint32]
    """shape (b,): the neighbour's address."""
    mark_bits: NDArray[np.uint8]
    """shape (m, 16): first address of the destinations whose packets every node marks."""
    mark_length: NDArray[np.uint8]
    """shape (m,): lengths of their prefixes."""
    mark: int


def node_table(
    network: Network,
    *,
    queue: int = 100,
    settings: Sequence[tuple[str, str]] = (),
    has_routes: bool = True,
    learns_neighbours: bool = False,
    has_marks: bool = True,
) -> NodeTable:
    """Return the tables of a network's nodes.

    Parameters
    ----------
    network : Network
        The compiled network.
    queue : int
        Longest transmit queue of an interface, in packets.
    settings : sequence of tuple
        Paths below /proc/sys/net with values, forevery node.
    has_routes : bool
        Whether the nodes have the routes of the plan.
    learns_neighbours : bool
        Whether the nodes ask for the hardware addresses of their neighbours. Default: they know
        them, forever.
    has_marks : bool
        Whether the nodes mark packets as in the plan.
    """
    addresses = network.addresses
    interfaces = _Interfaces.of(network)
    k = len(interfaces.ends)
    carried = interfaces.of_addresses(network)
    neighbours = (np.empty(0), np.empty(0)) if learns_neighbours else neighbours_of(network)[:2]
    marks = marks_of(network) if has_marks else ()
    return NodeTable(
        hostnames=list(network.device_names[: network.n_nodes]),
        sysctls=list(settings),
        interface_node=np.array([node for node, _ in interfaces.ends], dtype=np.uint32),
        interface_port=np.array([port for _, port in interfaces.ends], dtype=np.int32),
        interface_name=interfaces.names(network.wiring),
        interface_mac=interfaces.macs(network),
        interface_mtu=interfaces.mtus(network),
        interface_queue=np.full(k, queue, dtype=np.uint32),
        address_interface=carried.astype(np.uint32),
        address_bits=addresses.bits,
        address_is_v6=addresses.is_v6,
        address_length=addresses.prefix_length,
        routes=kernel_routes(network) if has_routes else NO_ROUTES,
        neighbour_interface=neighbours[0].astype(np.uint32),
        neighbour_address=neighbours[1].astype(np.uint32),
        mark_bits=np.array(
            [list(mark.destination.network_address.packed) for mark in marks], dtype=np.uint8
        ).reshape(-1, 16),
        mark_length=np.array([mark.destination.prefixlen for mark in marks], dtype=np.uint8),
        mark=MARK,
    )


def kernel_routes(network: Network) -> KernelRoutes:
    """Return the routes of all nodes as the kernels get them.

    Parameters
    ----------
    network : Network
        The compiled network, possibly without failed parts: the interfaces are those of the whole.
    """
    main, interface = _routes_by_interface(network), interfaces_of_ports(network)
    by_source = source_routes(network)
    if by_source is None:
        return main
    n = len(by_source.node)
    added: dict[str, NDArray[Any]] = {
        "interface": interface[network.port_start[by_source.node] + by_source.port],
        "bits": by_source.bits,
        "is_v6": by_source.is_v6,
        "length": by_source.length,
        "via": by_source.via,
        "metric": by_source.metric,
        "source": by_source.source,
        "table": by_source.table,
        "rule_from": np.full(n, -1),
        "rule_source": by_source.source,
        "rule_priority": np.full(n, SOURCE_PRIORITY),
    }
    both = {
        name: np.concatenate([column, added[name].astype(column.dtype)])
        for name, column in ((each.name, getattr(main, each.name)) for each in fields(main))
    }
    return KernelRoutes(**both)


def _routes_by_interface(network: Network) -> KernelRoutes:
    """Return the routes of the main tables, and of those by incoming interface."""
    routes = all_routes(network)
    interface = interfaces_of_ports(network)
    first = network.port_start[routes.node]
    has_table = routes.table >= 0
    found = KernelRoutes(
        interface=interface[first + routes.port].astype(np.uint32),
        bits=routes.destination,
        is_v6=routes.is_v6,
        length=routes.prefix_length,
        via=routes.via,
        metric=routes.metric,
        source=network.addresses.identities(routes.node, routes.is_v6),
        table=np.where(has_table, FIRST_TABLE + routes.table, 0).astype(np.uint32),
        rule_from=np.where(has_table, interface[first + np.maximum(routes.table, 0)], -1).astype(
            np.int32
        ),
        rule_source=np.full(len(has_table), -1, dtype=np.int32),
        rule_priority=np.full(len(has_table), RULE_PRIORITY, dtype=np.uint32),
    )
    return _gateways_first(network, routes, found) if routes.is_onlink.any() else found


def _gateways_first(network: Network, routes: NodeRoutes, found: KernelRoutes) -> KernelRoutes:
    """Return the routes of each node with those to its neighbours by unnumbered ports before those
    by these neighbours: the kernel takes a gateway that a route by the same port leads to.

    Raises
    ------
    CapabilityError
        If a gateway has no such route.
    """
    at = network.port_start[routes.node].astype(np.int64) + routes.port
    is_direct = (network.facing[at] >= 0) & (routes.via < 0) & (routes.table < 0)
    lacking = routes.is_onlink & ~np.isin(at, at[is_direct])
    if lacking.any():
        node = network.device_names[int(routes.node[lacking][0])]
        raise CapabilityError(
            f"{node} has a route by an unnumbered port to whose other end no route leads by this "
            "port, as with two cables between the same nodes",
            "emulate the design with numbered ports: 'addressing: {scheme: per-link}'",
        )
    order = np.lexsort((routes.is_onlink, routes.node))
    return KernelRoutes(**{each.name: getattr(found, each.name)[order] for each in fields(found)})


def interfaces_of_ports(network: Network) -> NDArray[np.int64]:
    """Return the interface of each port of a node, -1 for those without one."""
    return _Interfaces.of(network).of_ports(network)


@dataclass(frozen=True)
class _Interfaces:
    """Interfaces of all nodes: the node and first port of each, in order, identities last."""

    ends: list[tuple[int, int]]
    bonds: dict[tuple[int, int], int]
    """First port of the bond of each port that has one."""

    @classmethod
    def of(cls, network: Network) -> _Interfaces:
        bonds = {
            (node, port): first
            for node, first, n_ports in network.wiring.bonds.tolist()
            for port in range(first, first + n_ports)
        }
        addresses = network.addresses
        used = set(zip(addresses.node.tolist(), addresses.port.tolist(), strict=True))
        return cls(sorted(used, key=lambda end: (end[0], end[1] < 0, end[1])), bonds)

    def names(self, wiring: Wiring) -> list[str]:
        """Return the name of each interface, as the plan names NICs and bonds."""
        bonds = bond_names(wiring)
        return [
            IDENTITY if port < 0 else bonds.get((node, port), nic_name(wiring, node, port))
            for node, port in self.ends
        ]

    def macs(self, network: Network) -> NDArray[np.uint8]:
        """Return the hardware address of each interface."""
        start = network.port_start
        numbers = [node if port < 0 else int(start[node]) + port for node, port in self.ends]
        found = np.empty((len(numbers), 6), dtype=np.uint8)
        found[:, :2] = [IDENTITY_MAC if port < 0 else PORT_MAC for _, port in self.ends]
        found[:, 2:] = np.array(numbers, dtype=">u4").view(np.uint8).reshape(-1, 4)
        return found

    def mtus(self, network: Network) -> NDArray[np.uint32]:
        """Return the longest IP packet of each interface, in bytes."""
        found = [
            network.mtu if port < 0 else network.mtu_of(node, port) for node, port in self.ends
        ]
        return np.array(found, dtype=np.uint32)

    def of_addresses(self, network: Network) -> NDArray[np.int64]:
        """Return the interface of each address."""
        number = {end: index for index, end in enumerate(self.ends)}
        ends = zip(network.addresses.node.tolist(), network.addresses.port.tolist(), strict=True)
        return np.array([number[end] for end in ends], dtype=np.int64)

    def of_ports(self, network: Network) -> NDArray[np.int64]:
        """Return the interface of each port of a node, -1 for those without one."""
        start = network.port_start
        found = np.full(int(start[network.n_nodes]), -1, dtype=np.int64)
        number = {end: index for index, end in enumerate(self.ends)}
        for (node, port), index in number.items():
            if port >= 0:
                found[start[node] + port] = index
        for (node, port), first in self.bonds.items():
            found[start[node] + port] = number[node, first]
        return found


def neighbours_of(network: Network) -> tuple[NDArray[np.int64], ...]:
    """Return interface, address, and the interface's node, of every two that share a segment."""
    addresses, every = network.addresses, _Interfaces.of(network)
    carried = every.of_addresses(network)
    fabric = network.core.fabric
    on_port = np.flatnonzero(addresses.port >= 0)
    segment = fabric.port_segment[
        network.port_start[addresses.node[on_port]] + addresses.port[on_port]
    ]
    order = np.argsort(segment, kind="stable")
    on_port, segment = on_port[order], segment[order]
    interfaces, found = [], []
    for members in np.split(on_port, np.flatnonzero(np.diff(segment)) + 1):
        links = np.unique(carried[members])
        interface, address = np.meshgrid(links, members, indexing="ij")
        is_other = interface != carried[address]
        interfaces.append(interface[is_other])
        found.append(address[is_other])
    by = np.concatenate(interfaces)
    return by, np.concatenate(found), np.array([node for node, _ in every.ends])[by]
