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
    from numpy.typing import NDArray

    from linkwright.network import Network


def check_connections(network: Network) -> Iterator[Finding]:
    """Yield a warning if identities are met on links by nodes with their own on another one."""
    if not network.fallback:
        return
    segment = _segments(network)
    addresses, names = network.addresses, network.device_names
    own = addresses.identities(addresses.node, addresses.is_v6)
    # Links have a number per family.
    link = np.where(segment < 0, -1, 2 * segment + addresses.is_v6)
    is_met = np.isin(np.arange(len(link)), own) & (link >= 0)
    is_elsewhere = (link >= 0) & (link != link[own])
    n_met = np.bincount(link[is_met], minlength=link.max(initial=0) + 1)
    # A node may have several ports on one link.
    senders = np.unique(np.stack([link, addresses.node], axis=1)[is_elsewhere], axis=0)[:, 0]
    n_affected = int(n_met[senders].sum())
    if not n_affected:
        return
    first = int(np.flatnonzero(is_elsewhere & (n_met[link] > 0))[0])
    to = int(np.flatnonzero(is_met & (link == link[first]))[0])
    n_nodes = len(np.unique(addresses.node))
    n_all = n_nodes * (n_nodes - 1) * len(np.unique(addresses.is_v6))
    yield Finding(
        Severity.WARNING,
        network.name,
        "connections",
        f"{n_affected:,} of {n_all:,} connections begin with the address of the NIC on the link "
        f"to a station instead of the node's identity, and end when that link fails, although "
        f"backup routes remain: the first are from {addresses.ip[first].ip} of "
        f"{names[addresses.node[first]]} to {addresses.ip[to].ip} of {names[addresses.node[to]]}",
        "add 'identities: loopback' under 'addressing'",
    )


def _segments(network: Network) -> NDArray[np.int64]:
    """Return the segment of each address, -1 for those on no port."""
    addresses = network.addresses
    on_port = np.flatnonzero(addresses.port >= 0)
    segment = np.full(len(addresses.node), -1, dtype=np.int64)
    ports = network.port_start[addresses.node[on_port]] + addresses.port[on_port]
    segment[on_port] = network.core.fabric.port_segment[ports]
    return segment
