"""Unnumbered ports: ports that borrow the IPv4 address of their node, which is on its loopback.

The routes by such a port name the address of the node at the other end as their gateway, on this
port alone: `via 10.0.0.2 dev eth0 onlink`. Linux and FRR want the borrowed address on the port too,
as a host address: it is the source of ARP and of OSPF. Routers call this `ip unnumbered`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import Addresses
from linkwright.errors import DesignError

__all__ = ["Borrowed", "facing_addresses", "with_borrowed"]

HOST_LENGTH = 32


@dataclass(frozen=True)
class Borrowed:
    """A port that borrows.

    Attributes
    ----------
    key : str
        Its key in the design, for messages.
    node, port : int
    """

    key: str
    node: int
    port: int


def with_borrowed(
    addresses: Addresses,
    ports: Sequence[Borrowed],
    *,
    segment_of: Mapping[tuple[int, int], int],
    place_of: Mapping[tuple[int, int], str],
) -> Addresses:
    """Return the addresses with the identities of their nodes at ports that borrow them.

    Parameters
    ----------
    addresses : Addresses
        All addresses, with others of IPv4 at these ports.
    ports : sequence of Borrowed
        The ports.
    segment_of, place_of : mapping
        As for `with_own`.

    Raises
    ------
    DesignError
        If there is nothing to borrow, or a port is no end of a cable whose other end borrows too.
    """
    ends = zip(
        addresses.node.tolist(), addresses.port.tolist(), addresses.is_v6.tolist(), strict=True
    )
    row_of = {(node, port): row for row, (node, port, is_v6) in enumerate(ends) if not is_v6}
    _expect_identities(ports, row_of, addresses)
    _expect_ends(ports, segment_of, place_of)
    rows = [row_of[one.node, one.port] for one in ports]
    bits, lengths = addresses.bits.copy(), addresses.prefix_length.copy()
    bits[rows] = bits[[row_of[one.node, -1] for one in ports]]
    lengths[np.array(rows, dtype=np.int64)] = HOST_LENGTH
    return replace(addresses, bits=bits, prefix_length=lengths)


def _expect_identities(
    ports: Sequence[Borrowed], row_of: Mapping[tuple[int, int], int], addresses: Addresses
) -> None:
    for one in ports:
        if addresses.is_v6.all():
            raise DesignError(
                f"{one.key}: the design has no IPv4, and ports of IPv6 have link-local addresses",
                "add 'ipv4: true' under 'addressing', or leave 'unnumbered' out",
            )
        if (one.node, one.port) not in row_of:
            raise DesignError(
                f"{one.key}: the port has no cable, or is in a bond behind the first NIC",
                "plug a cable into it, or leave 'unnumbered' out",
            )
        if (one.node, -1) not in row_of:
            raise DesignError(
                f"{one.key}: an unnumbered port borrows the address on the loopback of its node, "
                "and the design has none there",
                "add 'identities: loopback' under 'addressing'",
            )


def facing_addresses(
    addresses: Addresses, port_start: NDArray[np.uint32], port_segment: NDArray[np.uint32]
) -> NDArray[np.int64]:
    """Return the address that the port across the segment of each borrowing port borrows.

    Parameters
    ----------
    addresses : Addresses
        All addresses.
    port_start, port_segment : ndarray
        Of the compiled fabric: first port of each device, segment of each port.

    Returns
    -------
    ndarray of int64, shape (a,)
        -1 for addresses of one's own, and for ports with none across.
    """
    found = np.full(len(addresses.node), -1, dtype=np.int64)
    rows = np.flatnonzero(addresses.is_borrowed)
    of_port = port_start[addresses.node[rows]].astype(np.int64) + addresses.port[rows]
    segment = port_segment[of_port]
    order = np.argsort(segment, kind="stable")
    first = order[:-1][segment[order[:-1]] == segment[order[1:]]]
    second = order[1:][segment[order[:-1]] == segment[order[1:]]]
    found[rows[first]], found[rows[second]] = rows[second], rows[first]
    return found


def _expect_ends(
    ports: Sequence[Borrowed],
    segment_of: Mapping[tuple[int, int], int],
    place_of: Mapping[tuple[int, int], str],
) -> None:
    """Refuse ports that are not both ends of a cable between two nodes."""
    on: dict[int, list[tuple[int, int]]] = {}
    for end, segment in segment_of.items():
        on.setdefault(segment, []).append(end)
    borrowing = {(one.node, one.port) for one in ports}
    for one in ports:
        others = [end for end in on[segment_of[one.node, one.port]] if end != (one.node, one.port)]
        if len(others) != 1 or others[0][0] == one.node:
            raise DesignError(
                f"{one.key}: unnumbered ports are the two ends of a cable, and this one shares its "
                f"link with {len(others)} others",
                "give it an address, or use 'per-segment' addressing",
            )
        if others[0] not in borrowing:
            raise DesignError(
                f"{one.key}: the other end of the cable, {place_of[others[0]]}, is numbered",
                "set 'unnumbered: true' at both ends, or at none",
            )
