"""Address schemes: one per file, registered here by name.

A scheme numbers links and nodes; addresses.py places the numbers in the base prefixes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from linkwright.design.addressing.addresses import (
    Addresses,
    Interface,
    Layout,
    NodePorts,
    Prefix,
    low_bits,
    place,
    with_loopbacks,
)
from linkwright.design.addressing.borrowed import (
    Borrowed,
    facing_addresses,
    with_borrowed,
)
from linkwright.design.addressing.by_coordinates import COORDINATES, by_coordinates
from linkwright.design.addressing.mixed import mixed
from linkwright.design.addressing.node_ports import node_ports
from linkwright.design.addressing.own import OwnAddress, read_own, with_own
from linkwright.design.addressing.p_mesh import p_mesh
from linkwright.design.addressing.per_link import UNNUMBERED, per_link, per_link_30, unnumbered
from linkwright.design.addressing.per_segment import per_segment
from linkwright.design.addressing.reserved import reserved_prefix
from linkwright.design.addressing.stack import stack_mesh, stack_ring

__all__ = [
    "ON_LOOPBACK",
    "SCHEMES",
    "UNNUMBERED",
    "Addresses",
    "Borrowed",
    "Interface",
    "Layout",
    "NodePorts",
    "OwnAddress",
    "Prefix",
    "Scheme",
    "facing_addresses",
    "low_bits",
    "node_ports",
    "place",
    "read_own",
    "reserved_prefix",
    "with_borrowed",
    "with_loopbacks",
    "with_own",
]


class Scheme(Protocol):
    """A way to number interfaces."""

    def __call__(self, ports: NodePorts, *, grow_to: int | None) -> Layout:
        """Return the numbers of all interfaces of `ports`."""
        ...


SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        "per-link": per_link,
        "per-link-30": per_link_30,
        UNNUMBERED: unnumbered,
        "per-segment": per_segment,
        "mixed": mixed,
        COORDINATES: by_coordinates,
        "p-mesh": p_mesh,
        "stack-ring": stack_ring,
        "stack-mesh": stack_mesh,
    }
)
"""Name -> scheme."""

ON_LOOPBACK = frozenset({"per-link", "per-link-30", "unnumbered", "mixed", COORDINATES})
"""Schemes whose identities are on the loopback, whatever the design says."""
