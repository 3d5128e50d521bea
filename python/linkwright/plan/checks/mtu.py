"""Checks of the longest packets: the price of 1,500 bytes where all parts allow more, and nodes
that forward between links whose longest packets differ.

Of the price, only the bytes on the links and the number of packets are counted; hosts gain more,
because they spend time on every packet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.design.role_parts import mtu_of
from linkwright.nodes.routes import relays_of
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

IP_AND_TCP = 40
"""Bytes of the headers of IPv4 and TCP without options."""
ETHERNET = 38
"""Bytes that Ethernet adds: preamble, header, check sequence and gap [IEEE-802.3]."""


def check_mtu(network: Network) -> Iterator[Finding]:
    """Yield a finding if nodes forward between links with different longest packets, and one if
    packets are short only because the design does not ask for longer ones.
    """
    yield from _differing_links(network)
    largest = min(mtu_of(part) for part in network.parts.values())
    if int(network.port_mtu.max()) >= largest:
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


def _differing_links(network: Network) -> Iterator[Finding]:
    addresses = network.addresses
    is_link = addresses.port >= 0
    node, port = addresses.node[is_link].astype(np.int64), addresses.port[is_link]
    mtu = network.port_mtu[network.port_start[node] + port]
    least, most = np.full(network.n_nodes, mtu.max()), np.zeros(network.n_nodes, mtu.dtype)
    np.minimum.at(least, node, mtu)
    np.maximum.at(most, node, mtu)
    relays = relays_of(network, with_fallback=network.fallback)
    found = np.flatnonzero(relays & (least < most)).tolist()
    if not found:
        return
    first = found[0]
    name, more = network.device_names[first], len(found) - 1
    others = f" (and {more} more {'node' if more == 1 else 'nodes'})" if more else ""
    yield Finding(
        Severity.WARNING,
        name,
        "mtu-differs",
        f"{name}{others} forwards between links with packets of at most {most[first]:,} and "
        f"{least[first]:,} bytes: it drops longer ones, and their sender has to learn that from "
        "its ICMP messages",
        "give all links of a path one MTU",
    )


def _per_gigabyte(mtu: int) -> int:
    return -(-(10**9) // (mtu - IP_AND_TCP))


def _overhead(mtu: int) -> float:
    """Return the percentage of a link that full packets leave to headers."""
    return 100 * (IP_AND_TCP + ETHERNET) / (mtu + ETHERNET)
