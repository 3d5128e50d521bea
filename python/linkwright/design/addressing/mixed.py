"""Cables between nodes beside hubs and switches: a subnet per hub or switch, a /31 (IPv6: /127) per
pair of stations, and an identity address on each node's loopback.

Subnets of more than two stations are of one size and come first, in the order of their segments, so
that a cable more changes none of them; the pairs follow. Hosts count from 1, pairs from 0.
"""

from __future__ import annotations

import numpy as np

from linkwright.design.addressing.addresses import (
    Layout,
    NodePorts,
    Numbers,
    bits_for,
    with_loopbacks,
)
from linkwright.design.addressing.per_segment import places_in_segments, required_members

__all__ = ["mixed"]


def mixed(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout; `grow_to` reserves room for that number of interfaces in each subnet that
    is not a pair.

    Raises
    ------
    DesignError
        If `grow_to` is smaller than an existing segment.
    """
    members = np.bincount(ports.segment, minlength=1)
    is_pair = members == 2
    host_bits = bits_for(required_members(int(members.max()), grow_to) + 2)
    rank = np.where(is_pair, np.cumsum(is_pair), np.cumsum(~is_pair)) - 1
    first_pair = int((~is_pair).sum()) << host_bits
    place = places_in_segments(ports)
    own = rank[ports.segment]
    number = np.where(
        is_pair[ports.segment],
        first_pair + 2 * own + place,
        (own << host_bits) | (place + 1),
    )
    layout = Layout(
        scheme="mixed",
        links=Numbers(
            node=ports.node,
            port=ports.port,
            number=number,
            host_bits=np.where(is_pair[ports.segment], 1, host_bits),
        ),
        loopbacks=None,
        identity=np.searchsorted(ports.node, np.arange(ports.n_nodes), side="left"),
    )
    return with_loopbacks(layout, ports.n_nodes)
