"""Tables of routes by source address, for nodes with several ports on one segment.

To a kernel all ports of such a node lead to the same subnet, and it sends by the first one,
whatever address it sends from: the answer to a packet for one port leaves by another. A rule per
address gives its packets a table with the routes by the address's own port.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwright.nodes.routes import routes_of
from linkwright.records.read_only import ArrayRecord

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["FIRST_SOURCE_TABLE", "SOURCE_PRIORITY", "SourceRoutes", "shared_ports", "source_routes"]

FIRST_SOURCE_TABLE = 2000
"""Table of the packets from the addresses of a node's port 0; those of other ports follow."""
SOURCE_PRIORITY = 2000
"""Priority of the rules, after those by incoming interface and before the main table's."""
CONNECTED_METRIC = 1


class SourceRoutes(ArrayRecord):
    """Columns of the routes in tables by source address, `r` in number, in the order of nodes."""

    node: NDArray[np.int64]
    port: NDArray[np.int64]
    source: NDArray[np.int64]
    """shape (r,): address whose packets have the table."""
    bits: NDArray[np.uint8]
    """shape (r, 16): first address of the destination."""
    length: NDArray[np.uint8]
    is_v6: NDArray[np.bool_]
    via: NDArray[np.int64]
    """shape (r,): address of the gateway, -1 for none."""
    metric: NDArray[np.int64]

    @property
    def table(self) -> NDArray[np.int64]:
        """Number of the table of each route."""
        return FIRST_SOURCE_TABLE + self.port


def shared_ports(network: Network) -> dict[tuple[int, int], list[int]]:
    """Return the ports of a node on one segment, by node and segment, where there are several."""
    addresses = network.addresses
    on_port = np.flatnonzero(addresses.port >= 0)
    node, port = addresses.node[on_port].astype(np.int64), addresses.port[on_port]
    segment = network.core.fabric.port_segment[network.port_start[node] + port].astype(np.int64)
    ends = np.unique(np.column_stack([node, segment, port]), axis=0)
    places, count = np.unique(ends[:, :2], axis=0, return_counts=True)
    found: dict[tuple[int, int], list[int]] = {
        (one, other): [] for one, other in places[count > 1].tolist()
    }
    if found:
        for one, other, number in ends.tolist():
            if (one, other) in found:
                found[one, other].append(number)
    return found


def source_routes(network: Network) -> SourceRoutes | None:
    """Return the routes in tables by source address; None if no node needs any.

    A table has the subnet of its address, and the routes of the main table by gateways there.
    Routing daemons keep tables of their own.
    """
    shared = shared_ports(network)
    if not shared or network.daemon:
        return None
    blocks = []
    for node in sorted({node for node, _ in shared}):
        ports = {port for (owner, _), of in shared.items() if owner == node for port in of}
        blocks += list(_of_node(network, node, ports))
    columns = (field.name for field in fields(SourceRoutes))
    return SourceRoutes(**{name: np.concatenate([one[name] for one in blocks]) for name in columns})


def _of_node(network: Network, node: int, ports: set[int]) -> Iterator[dict[str, NDArray[Any]]]:
    """Yield the columns of each table of a node, by port and family."""
    addresses = network.addresses
    routes = routes_of(network, node)
    via = routes.via.astype(np.int64)
    found = np.flatnonzero((addresses.node == node) & np.isin(addresses.port, list(ports)))
    for source in found[np.lexsort((found, addresses.port[found]))].tolist():
        is_v6, length = bool(addresses.is_v6[source]), int(addresses.prefix_length[source])
        mask = _mask(length, is_v6=is_v6)
        subnet = addresses.bits[source] & mask
        is_near = (via >= 0) & (routes.table < 0) & (routes.is_v6 == is_v6)
        is_near &= ((addresses.bits[via] & mask) == subnet).all(axis=1)
        n = 1 + int(is_near.sum())
        yield {
            "node": np.full(n, node),
            "port": np.full(n, addresses.port[source], dtype=np.int64),
            "source": np.full(n, source),
            "bits": np.concatenate([subnet[np.newaxis], routes.destination[is_near]]),
            "length": np.append(np.uint8(length), routes.prefix_length[is_near]),
            "is_v6": np.full(n, is_v6),
            "via": np.append(-1, via[is_near]),
            "metric": np.append(CONNECTED_METRIC, routes.metric[is_near].astype(np.int64)),
        }


def _mask(length: int, *, is_v6: bool) -> NDArray[np.uint8]:
    """Return the mask of a prefix in the 16 bytes of an address; IPv4 is in the last four."""
    n_bits = length if is_v6 else 96 + length
    mask = ((1 << n_bits) - 1) << (128 - n_bits)
    return np.frombuffer(mask.to_bytes(16), dtype=np.uint8)
