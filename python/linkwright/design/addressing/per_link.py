"""A /31 (IPv6: /127) for every cable between two nodes, or a /30 (/126) for kernels and switches
without the former, and an identity address on each node's loopback.

Links are numbered in the lower half of the base prefix in the order of their segments, identities
from 1 in the upper half, so that the two never overlap. With `grow_to` both are numbered by their
places in a shape with such sides, so that they stay when the shape grows. /31 links are RFC 3021,
/127 RFC 6164.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import Layout, NodePorts, Numbers, with_loopbacks
from linkwright.design.addressing.growth import places_of_links, places_of_nodes
from linkwright.errors import DesignError

__all__ = ["UNNUMBERED", "ends_of_cables", "per_link", "per_link_30", "unnumbered"]

UNNUMBERED = "unnumbered"
"""Name of the scheme whose ports borrow the IPv4 address of their node."""


def per_link(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout of cables between nodes, two addresses for each.

    Raises
    ------
    DesignError
        If nodes share a hub or switch, or the shape is larger than `grow_to`.
    """
    return _layout(ports, grow_to, "per-link", host_bits=1, first=0)


def per_link_30(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout of cables between nodes, four addresses for each, of which the first and
    the last are those of the subnet and its broadcast.

    Raises
    ------
    DesignError
        If nodes share a hub or switch, or the shape is larger than `grow_to`.
    """
    return _layout(ports, grow_to, "per-link-30", host_bits=2, first=1)


def unnumbered(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout of `per_link`, whose identities and addresses of IPv6 it shares; ports
    borrow identities of IPv4 afterwards.

    Raises
    ------
    DesignError
        As `per_link`.
    """
    return _layout(ports, grow_to, UNNUMBERED, host_bits=1, first=0)


def ends_of_cables(ports: NodePorts, scheme: str) -> NDArray[np.int64]:
    """Return the two ports of each segment, shape (n_segments, 2), the lower one first.

    Raises
    ------
    DesignError
        If nodes share a hub or switch.
    """
    if np.any(np.bincount(ports.segment, minlength=1) != 2):
        raise DesignError(
            f"{scheme} addressing needs cables between two nodes, here nodes share a hub or switch",
            "choose 'per-segment' addressing",
        )
    return np.argsort(ports.segment, kind="stable").reshape(-1, 2)


def _layout(
    ports: NodePorts, grow_to: int | None, scheme: str, *, host_bits: int, first: int
) -> Layout:
    """Return the layout of cables between nodes, whose two ends are `first` and the next."""
    side = np.empty(len(ports.node), dtype=np.int64)
    side[ends_of_cables(ports, scheme)] = [0, 1]
    link = None if grow_to is None else places_of_links(ports, grow_to)
    number = ((ports.segment if link is None else link[ports.segment]) << host_bits) + first + side
    links = Numbers(node=ports.node, port=ports.port, number=number, host_bits=host_bits)
    of_nodes = np.searchsorted(ports.node, np.arange(ports.n_nodes), side="left")
    layout = Layout(scheme=scheme, links=links, loopbacks=None, identity=of_nodes)
    node = None if grow_to is None else places_of_nodes(ports, grow_to)
    return with_loopbacks(layout, ports.n_nodes, node)
