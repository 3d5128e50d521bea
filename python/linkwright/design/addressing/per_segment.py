"""One subnet per broadcast domain, all of one size; hosts count from 1 in the order of the
nodes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import Layout, NodePorts, Numbers, bits_for
from linkwright.errors import DesignError

__all__ = ["per_segment", "places_in_segments", "required_members"]


def per_segment(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout with one subnet per segment; `grow_to` reserves room for that number of
    interfaces in each.

    A node's identity is the address of its first NIC.

    Raises
    ------
    DesignError
        If `grow_to` is smaller than an existing segment.
    """
    members = np.bincount(ports.segment, minlength=1)
    host_bits = bits_for(required_members(int(members.max()), grow_to) + 2)
    host = places_in_segments(ports) + 1
    return Layout(
        scheme="per-segment",
        links=Numbers(
            node=ports.node,
            port=ports.port,
            number=(ports.segment << host_bits) | host,
            host_bits=host_bits,
        ),
        loopbacks=None,
        identity=np.searchsorted(ports.node, np.arange(ports.n_nodes), side="left"),
    )


def required_members(most: int, grow_to: int | None) -> int:
    """Return the number of interfaces for which a subnet needs room.

    Raises
    ------
    DesignError
        If `grow_to` is smaller than an existing segment.
    """
    if grow_to is not None and grow_to < most:
        raise DesignError(
            f"'grow_to' is {grow_to}, but a segment has {most} interfaces",
            f"set grow_to: {most} or more",
        )
    return grow_to or most


def places_in_segments(ports: NodePorts) -> NDArray[np.int64]:
    """Return the place of each port among those of its segment, in the order of the nodes."""
    members = np.bincount(ports.segment, minlength=1)
    order = np.argsort(ports.segment, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - np.repeat(np.cumsum(members) - members, members)
    return place
