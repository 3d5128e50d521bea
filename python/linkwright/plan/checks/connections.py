"""A check that connections begin with an identity, not with the address of another NIC.

A kernel gives packets for a station on one of its links the address of its own port there, whatever
the routes say. Such a connection ends with that port, although backup routes still join the nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network


def check_connections(network: Network) -> Iterator[Finding]:
    """Yield a warning if identities are met on links by nodes with their own on another one."""
    if not network.fallback:
        return
    addresses = network.addresses
    on_port = np.flatnonzero(addresses.port >= 0)
    segment = np.full(len(addresses.node), -1, dtype=np.int64)
    ports = network.port_start[addresses.node[on_port]] + addresses.port[on_port]
    segment[on_port] = network.core.fabric.port_segment[ports]
    here = segment[addresses.identities(addresses.node, addresses.is_v6)]
    is_elsewhere = (segment >= 0) & (segment != here)
    met = addresses.identity[segment[addresses.identity] >= 0]
    for to in met.tolist():
        same_link = (segment == segment[to]) & (addresses.is_v6 == addresses.is_v6[to])
        senders = np.flatnonzero(same_link & is_elsewhere & (addresses.node != addresses.node[to]))
        if not len(senders):
            continue
        first = int(senders[0])
        names = network.device_names
        yield Finding(
            Severity.WARNING,
            network.name,
            "connections",
            f"connections from {names[addresses.node[first]]} to {addresses.ip[to].ip} of "
            f"{names[addresses.node[to]]} begin with {addresses.ip[first].ip}, the address of the "
            "NIC on that link, and end when its link fails, although backup routes remain",
            "add 'identities: loopback' under 'addressing'",
        )
        return
