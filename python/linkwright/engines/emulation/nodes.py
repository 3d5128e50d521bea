"""The nodes of a network as tables for the kernel: interfaces, addresses, routes, neighbours and
settings.

A node has one interface per NIC in use, or per bond, and `id0` where its identity is on the
loopback: MPI libraries pass over loopback interfaces, so that the identity is on a TAP without a
cable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.design.names import nic_name
from linkwright.records.read_only import ReadOnly

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["NodeTable", "node_table"]

IDENTITY = "id0"
"""Name of the interface that carries an identity."""
MAC_PREFIX = (0x02, 0x4C, 0x57)
"""Locally administered; the last three bytes number the interfaces."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NodeTable(ReadOnly):
    """Columns of nodes, `n`, their interfaces, `k`, addresses, `a`, routes, `r`, and neighbours."""

    hostnames: list[str]
    sysctls: list[list[tuple[str, str]]]
    """For each node, paths below /proc/sys/net with their values."""
    interface_node: NDArray[np.uint32]
    interface_port: NDArray[np.int32]
    """shape (k,): first port on the node, -1 for the identity."""
    interface_name: list[str]
    interface_mac: NDArray[np.uint8]
    interface_mtu: NDArray[np.uint32]
    address_interface: NDArray[np.uint32]
    address_bits: NDArray[np.uint8]
    address_is_v6: NDArray[np.bool_]
    address_length: NDArray[np.uint8]
    route_interface: NDArray[np.uint32]
    route_bits: NDArray[np.uint8]
    route_is_v6: NDArray[np.bool_]
    route_length: NDArray[np.uint8]
    route_via: NDArray[np.int32]
    """shape (r,): index of an address, -1 for none."""
    route_metric: NDArray[np.uint32]
    route_source: NDArray[np.int32]
    neighbour_interface: NDArray[np.uint32]
    neighbour_address: NDArray[np.uint32]


def node_table(network: Network) -> NodeTable:
    """Return the tables of a network's nodes."""
    addresses, wiring = network.addresses, network.wiring
    n_nodes = network.n_nodes
    first_of = _first_port(network)
    ends = np.concatenate([wiring.cable_a, wiring.cable_b])
    ends = ends[ends[:, 0] < n_nodes].astype(np.int64)
    used = {(node, first_of.get((node, port), port)) for node, port in ends.tolist()}
    used |= set(zip(addresses.node.tolist(), addresses.port.tolist(), strict=True))
    interfaces = sorted(used, key=lambda end: (end[0], end[1] < 0, end[1]))
    number = {end: index for index, end in enumerate(interfaces)}
    k = len(interfaces)
    macs = np.empty((k, 6), dtype=np.uint8)
    macs[:, :3] = MAC_PREFIX
    macs[:, 3:] = np.arange(k, dtype=">u4").view(np.uint8).reshape(k, 4)[:, 1:]
    routes = network.core.routes(with_fallback=network.fallback)
    carried = [number[end] for end in zip(addresses.node.tolist(), addresses.port.tolist(), strict=True)]
    port_interface = _interface_of_ports(interfaces, first_of, wiring.n_ports[:n_nodes])
    start = np.concatenate([[0], np.cumsum(wiring.n_ports[:n_nodes])]).astype(np.int64)
    neighbours = _neighbours(network, np.asarray(carried))
    return NodeTable(
        hostnames=list(network.device_names[:n_nodes]),
        sysctls=[_sysctls(network)] * n_nodes,
        interface_node=np.array([node for node, _ in interfaces], dtype=np.uint32),
        interface_port=np.array([port for _, port in interfaces], dtype=np.int32),
        interface_name=[_name(end, first_of) for end in interfaces],
        interface_mac=macs,
        interface_mtu=np.full(k, network.mtu, dtype=np.uint32),
        address_interface=np.array(carried, dtype=np.uint32),
        address_bits=addresses.bits,
        address_is_v6=addresses.is_v6,
        address_length=addresses.prefix_length,
        route_interface=port_interface[start[routes.node] + routes.port].astype(np.uint32),
        route_bits=routes.destination,
        route_is_v6=routes.is_v6,
        route_length=routes.prefix_length,
        route_via=routes.via,
        route_metric=routes.metric,
        route_source=_sources(network, routes.node, routes.is_v6),
        neighbour_interface=neighbours[0].astype(np.uint32),
        neighbour_address=neighbours[1].astype(np.uint32),
    )


def _first_port(network: Network) -> dict[tuple[int, int], int]:
    return {
        (node, port): first
        for node, first, n_ports in network.wiring.bonds.tolist()
        for port in range(first, first + n_ports)
    }


def _name(end: tuple[int, int], bonds: dict[tuple[int, int], int]) -> str:
    if end[1] < 0:
        return IDENTITY
    return "bond0" if end in bonds else nic_name(end[1])


def _interface_of_ports(
    interfaces: list[tuple[int, int]],
    bonds: dict[tuple[int, int], int],
    n_ports: NDArray[np.integer],
) -> NDArray[np.int64]:
    start = np.concatenate([[0], np.cumsum(n_ports, dtype=np.int64)]).astype(np.int64)
    found = np.full(int(start[-1]), -1, dtype=np.int64)
    for index, (node, port) in enumerate(interfaces):
        if port >= 0:
            found[start[node] + port] = index
    for (node, port), first in bonds.items():
        found[start[node] + port] = found[start[node] + first]
    return found


def _sources(
    network: Network, node: NDArray[np.uint32], is_v6: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Return the identity of the node that has each route, in the family of the route."""
    identity = network.addresses.identity.astype(np.int64)
    per_family = len(network.addresses.node) // max(1, len(set(network.addresses.is_v6.tolist())))
    return (identity[node] % per_family + per_family * (is_v6 & network.addresses.is_v6.any() & ~network.addresses.is_v6.all())).astype(np.int32)


def _neighbours(
    network: Network, carried: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return interface and address of every two that share a segment."""
    addresses = network.addresses
    fabric = network.core.fabric
    on_port = np.flatnonzero(addresses.port >= 0)
    segment = fabric.port_segment[
        fabric.port_start[addresses.node[on_port]] + addresses.port[on_port]
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
    return np.concatenate(interfaces), np.concatenate(found)


def _sysctls(network: Network) -> list[tuple[str, str]]:
    has_v6 = bool(network.addresses.is_v6.any())
    found = [
        ("ipv4/ip_forward", "1"),
        ("ipv4/conf/all/rp_filter", "0"),
        ("ipv4/conf/default/rp_filter", "0"),
        ("ipv4/conf/all/ignore_routes_with_linkdown", "1"),
        ("ipv4/conf/default/ignore_routes_with_linkdown", "1"),
        ("ipv4/tcp_congestion_control", "reno"),
    ]
    if not has_v6:
        return [*found, ("ipv6/conf/all/disable_ipv6", "1"), ("ipv6/conf/default/disable_ipv6", "1")]
    for scope in ("all", "default"):
        found += [
            (f"ipv6/conf/{scope}/forwarding", "1"),
            (f"ipv6/conf/{scope}/ignore_routes_with_linkdown", "1"),
            (f"ipv6/conf/{scope}/accept_dad", "0"),
            (f"ipv6/conf/{scope}/router_solicitations", "0"),
        ]
    return found
