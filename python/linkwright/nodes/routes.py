"""The routes of nodes, with the gateways of unnumbered ports.

A port that borrows its address is in no subnet with the other end. The route to the node there is
by the port alone; all further ones name this node as their gateway, which is on the link although
no subnet says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.nodes.aggregation import Aggregated, aggregated
from linkwright.records.read_only import ArrayRecord

if TYPE_CHECKING:
    from linkwright.network import Network, Routes

__all__ = ["NodeRoutes", "all_routes", "relays_of", "routes_of"]


class NodeRoutes(ArrayRecord):
    """Columns of routes, `r` in number."""

    node: NDArray[np.uint32]
    destination: NDArray[np.uint8]
    """shape (r, 16): first address of the prefix."""
    is_v6: NDArray[np.bool_]
    prefix_length: NDArray[np.uint8]
    via: NDArray[np.int32]
    """shape (r,): address of the gateway, -1 for none."""
    is_onlink: NDArray[np.bool_]
    """shape (r,): whether the gateway is on the link without a subnet that says so."""
    port: NDArray[np.uint32]
    metric: NDArray[np.uint32]
    table: NDArray[np.int32]
    """shape (r,): number of the incoming port on the node, -1 for the main table."""


def routes_of(network: Network, node: int) -> NodeRoutes:
    """Return the routes of a node, backup routes included if the design has them."""
    return _as_installed(network, network.core.routes_of(node, with_fallback=network.fallback))


def all_routes(network: Network) -> NodeRoutes:
    """Return the routes of all nodes, backup routes included if the design has them."""
    return _as_installed(network, network.core.routes(with_fallback=network.fallback))


def relays_of(network: Network, *, with_fallback: bool = False) -> NDArray[np.bool_]:
    """Return whether each node relays packets of others, by the best routes or by any.

    Parameters
    ----------
    network : Network
        The compiled network.
    with_fallback : bool
        Whether backup routes count.
    """
    found = network.core.relays(with_fallback=with_fallback).copy()
    if network.addresses.is_borrowed.any():
        # The core does not know gateways by their ports.
        routes = _with_gateways(network, network.core.routes(with_fallback=with_fallback))
        found[network.addresses.node[routes.via[routes.is_onlink]]] = True
    return found


def _as_installed(network: Network, routes: Routes) -> NodeRoutes:
    """Return the routes as nodes have them: prefixes where the design's addresses aggregate."""
    if network.is_aggregated:
        return _with_prefixes(routes, aggregated(routes, network.addresses))
    return _with_gateways(network, routes)


def _with_prefixes(routes: Routes, found: Aggregated) -> NodeRoutes:
    row = found.row
    return NodeRoutes(
        node=routes.node[row],
        destination=found.destination,
        is_v6=routes.is_v6[row],
        prefix_length=found.prefix_length,
        via=routes.via[row],
        is_onlink=np.zeros(len(row), dtype=np.bool_),
        port=routes.port[row],
        metric=routes.metric[row],
        table=routes.table[row],
    )


def _with_gateways(network: Network, routes: Routes) -> NodeRoutes:
    via = routes.via
    is_onlink = np.zeros(len(via), dtype=np.bool_)
    addresses = network.addresses
    if addresses.is_borrowed.any():
        facing = network.facing[network.port_start[routes.node].astype(np.int64) + routes.port]
        is_unnumbered = (facing >= 0) & ~routes.is_v6
        bits = addresses.bits[facing]
        is_there = (routes.destination == bits).all(axis=1) & (routes.prefix_length == 32)
        via = np.where(is_unnumbered, np.where(is_there, -1, facing), via).astype(np.int32)
        is_onlink = is_unnumbered & ~is_there
    return NodeRoutes(
        node=routes.node,
        destination=routes.destination,
        is_v6=routes.is_v6,
        prefix_length=routes.prefix_length,
        via=via,
        is_onlink=is_onlink,
        port=routes.port,
        metric=routes.metric,
        table=routes.table,
    )
