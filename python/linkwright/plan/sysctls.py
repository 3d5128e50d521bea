"""Kernel settings of the nodes: the rows of `sysctl.csv`, each with its reason.

Only the interfaces of the design are named. Where Linux takes the larger of a setting for all
interfaces and one for a single interface, the single one is given, so that others keep theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.design.names import bond_names, nic_name

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["SYSCTL_COLUMNS", "sysctl_rows"]

SYSCTL_COLUMNS = ("node", "key", "value", "reason")
FORWARD = {False: "net.ipv4.ip_forward", True: "net.ipv6.conf.all.forwarding"}
RELAY = "packets of other nodes pass this one"
FAMILIES = {False: "ipv4", True: "ipv6"}
LINK_DOWN = "a route by a NIC without carrier makes way for the backup route"
LOOSE = (
    "packets may arrive by another NIC than the answers leave by; 2 goes before a 1 for all NICs"
)
MOST_NEIGHBOURS = 1024
"""Entries above which a kernel refuses new neighbours, by default (gc_thresh3)."""


def sysctl_rows(network: Network) -> Iterator[tuple[object, ...]]:
    """Yield the settings of every node, in the order of nodes."""
    families = sorted(set(network.addresses.is_v6.tolist()))
    forwards = np.zeros(network.n_nodes, dtype=np.bool_)
    forwards[_relays(network)] = True
    interfaces = _interfaces(network)
    stations = _stations(network)
    for node, names in enumerate(interfaces):
        settings: list[tuple[str, object, str]] = []
        if forwards[node]:
            settings += [(FORWARD[is_v6], 1, RELAY) for is_v6 in families]
        if len(names) > 1 and False in families:
            settings += [(f"net.ipv4.conf.{name}.rp_filter", 2, LOOSE) for name in names]
        if network.fallback:
            settings += [
                (f"net.{FAMILIES[is_v6]}.conf.{name}.ignore_routes_with_linkdown", 1, LINK_DOWN)
                for is_v6 in families
                for name in names
            ]
        if stations[node] > MOST_NEIGHBOURS:
            settings += _neighbour_tables(int(stations[node]), families)
        for setting in settings:
            yield network.device_names[node], *setting


def _relays(network: Network) -> NDArray[np.uint32]:
    """Return the nodes that are gateways to addresses of others."""
    routes = network.core.routes(with_fallback=network.fallback)
    addresses = network.addresses
    gateway = addresses.node[routes.via]
    # A destination that is one address may be the gateway's own.
    known = _keys(addresses.bits, addresses.is_v6)
    order = np.argsort(known)
    place = np.searchsorted(known[order], _keys(routes.destination, routes.is_v6))
    owner = addresses.node[order[np.minimum(place, len(order) - 1)]]
    is_one = routes.prefix_length == np.where(routes.is_v6, 128, 32)
    return np.unique(gateway[(routes.via >= 0) & ~(is_one & (owner == gateway))])


def _keys(bits: NDArray[np.uint8], is_v6: NDArray[np.bool_]) -> NDArray[np.void]:
    """Return addresses of both families as values with an order."""
    return np.ascontiguousarray(np.column_stack([is_v6, bits]).astype(np.uint8)).view("V17").ravel()


def _interfaces(network: Network) -> list[list[str]]:
    """Return the names of each node's interfaces that have an address: NICs, or their bonds."""
    bonds = bond_names(network.wiring)
    addresses = network.addresses
    found: list[dict[str, None]] = [{} for _ in range(network.n_nodes)]
    for node, port in sorted(zip(addresses.node.tolist(), addresses.port.tolist(), strict=True)):
        if port >= 0:
            found[node][bonds.get((node, port), nic_name(network.wiring, node, port))] = None
    return [list(names) for names in found]


def _stations(network: Network) -> NDArray[np.int64]:
    """Return the number of stations that share segments with each node."""
    addresses = network.addresses
    on_port = np.flatnonzero(addresses.port >= 0)
    ports = network.port_start[addresses.node[on_port]] + addresses.port[on_port]
    segment = network.core.fabric.port_segment[ports]
    on_segment = np.bincount(segment)[segment] - 1
    return np.bincount(addresses.node[on_port], on_segment, network.n_nodes).astype(np.int64)


def _neighbour_tables(n: int, families: list[bool]) -> Iterator[tuple[str, object, str]]:
    reason = (
        f"{n:,} stations share a segment with this one, and the default table has room for 1,024"
    )
    least = 1 << (n - 1).bit_length()
    for is_v6 in families:
        for level in (1, 2, 3):
            key = f"net.{FAMILIES[is_v6]}.neigh.default.gc_thresh{level}"
            yield key, least << (level - 1), reason
