"""A /31 (IPv6: /127) for every cable between two nodes, and an identity address on each node's
loopback.

Links are numbered in the lower half of the base prefix in the order of their segments, identities
from 1 in the upper half, so that the two never overlap. /31 links are RFC 3021, /127 RFC 6164.
"""

from __future__ import annotations

import numpy as np

from linkwright.design.addressing.addresses import Layout, NodePorts, Numbers, with_loopbacks
from linkwright.errors import DesignError

__all__ = ["per_link"]


def per_link(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout of cables between nodes.

    Raises
    ------
    DesignError
        If nodes share a hub or switch, or `grow_to` is given.
    """
    if grow_to is not None:
        raise DesignError(
            "'grow_to' has no meaning for per-link addressing",
            "leave it out: each link has its own subnet at any size",
        )
    if np.any(np.bincount(ports.segment, minlength=1) != 2):
        raise DesignError(
            "per-link addressing needs cables between two nodes, here nodes share a hub or switch",
            "choose 'per-segment' addressing",
        )
    order = np.argsort(ports.segment, kind="stable")
    side = np.empty(len(order), dtype=np.int64)
    side[order] = np.arange(len(order)) % 2
    links = Numbers(node=ports.node, port=ports.port, number=2 * ports.segment + side, host_bits=1)
    first = np.searchsorted(ports.node, np.arange(ports.n_nodes), side="left")
    layout = Layout(scheme="per-link", links=links, loopbacks=None, identity=first)
    return with_loopbacks(layout, ports.n_nodes)
