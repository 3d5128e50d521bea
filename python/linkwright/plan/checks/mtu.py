"""A check of the longest packet: what it costs to leave it at 1,500 bytes where all parts allow
more.

Only the bytes on the links and the number of packets are counted; hosts gain more, because they
spend time on every packet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright.design.role_parts import mtu_of
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

IP_AND_TCP = 40
"""Bytes of the headers of IPv4 and TCP without options."""
ETHERNET = 38
"""Bytes that Ethernet adds: preamble, header, check sequence and gap [IEEE-802.3]."""


def check_mtu(network: Network) -> Iterator[Finding]:
    """Yield a finding if packets are short only because the design does not ask for longer ones."""
    largest = min(mtu_of(part) for part in network.parts.values())
    if network.mtu >= largest:
        return
    now, then = _per_gigabyte(network.mtu), _per_gigabyte(largest)
    yield Finding(
        Severity.INFO,
        network.name,
        "mtu",
        f"packets have at most {network.mtu:,} bytes, every part carries {largest:,}: a gigabyte "
        f"is {now:,} packets instead of {then:,}, and headers take {_overhead(network.mtu):.1f} % "
        f"of the links instead of {_overhead(largest):.1f} %",
        f"set mtu: {largest}, if nothing else on the network has a smaller one",
    )


def _per_gigabyte(mtu: int) -> int:
    return -(-(10**9) // (mtu - IP_AND_TCP))


def _overhead(mtu: int) -> float:
    """Return the percentage of a link that full packets leave to headers."""
    return 100 * (IP_AND_TCP + ETHERNET) / (mtu + ETHERNET)
