"""Marks of the packets that nodes themselves send, so that the route of each packet is looked up.

A socket of IPv6 remembers its route until the tables change, and a lost carrier does not count as a
change (`fib6_ifdown` of Linux leaves the serial number of the table alone, whereas IPv4 flushes
all). A connection whose own node is at the cut would stand still: until retransmissions have failed
for some seconds where it sends, and forever where it only acknowledges. Netfilter looks up the
route of a packet again whose mark has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["MARK", "Mark", "marks_of"]

MARK = 0x4C57
"""The mark; no rule of a plan asks for it."""
REASON = (
    "sockets of IPv6 keep a route whose link is dark; the route of a packet whose mark changes is "
    "looked up again"
)


@dataclass(frozen=True)
class Mark:
    """A mark of the packets that a node itself sends.

    Attributes
    ----------
    destination : IPv6Network
        Packets to these addresses are marked.
    value : int
    reason : str
        Effect, in one sentence without a full stop.
    """

    destination: IPv6Network
    value: int = MARK
    reason: str = REASON

    @property
    def rule(self) -> str:
        """The rule in the words of ip6tables, behind `-A` or `-D`."""
        return f"OUTPUT -d {self.destination} -j MARK --set-mark {self.value:#x}"


def marks_of(network: Network) -> tuple[Mark, ...]:
    """Return the marks that every node needs: one where routes of IPv6 have backups."""
    addresses = network.addresses
    if not network.fallback or not addresses.is_v6.any():
        return ()
    bits = addresses.bits[addresses.is_v6]
    first, last = (int.from_bytes(bytes(row)) for row in (min(bits.tolist()), max(bits.tolist())))
    length = 128 - (first ^ last).bit_length()
    return (Mark(IPv6Network((first, length), strict=False)),)
