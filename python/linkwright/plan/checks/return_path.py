"""Whether packets arrive by the NIC that the way back to their sender leaves by.

Linux can refuse a packet that arrives on another NIC than the one its own route to the sender uses
(`rp_filter` = 1, the default of some distributions); forwarding nodes do so as well. A packet's
sender is the address of the NIC it leaves by. Followed from node 0, or the first that goes on after
parts died, to every other node: the shapes look alike from all nodes, or node 0 is a corner, from
which paths turn most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.plan.finding import Finding, Severity
from linkwright.plan.joined import joined_nodes

if TYPE_CHECKING:
    from linkwright.network import Network


def check_return_path(network: Network) -> Iterator[Finding]:
    """Yield a warning when a strict reverse-path filter would drop packets of that node.

    Every address of the others must be reachable.
    """
    source, *others = np.flatnonzero(joined_nodes(network)[: network.n_compute]).tolist() or [0]
    lost = [node for node in others if not _passes_strict_filters(network, source, node)]
    if not lost:
        return
    first, last = network.device_names[source], network.device_names[lost[0]]
    yield Finding(
        Severity.WARNING,
        network.name,
        "return-path",
        f"packets from {first} to {len(lost)} of {len(others)} nodes, {last} first, arrive there "
        "or on the way by another NIC than the way back leaves by; a strict reverse-path filter "
        "drops them",
        "set net.ipv4.conf.all.rp_filter and that of each NIC to 0 or 2 on all nodes",
    )


def _passes_strict_filters(network: Network, source: int, node: int) -> bool:
    """Return whether all nodes on the way from a node would send to its sender by the NIC of
    arrival.
    """
    target = int(network.identity[node])
    there = network.core.path(source, target)
    sender = _address_of(network, source, there[0][2], is_v6=bool(network.address_is_v6[target]))
    if sender is None:
        return True
    return all(
        network.core.path(device, sender)[0][2] == inlet
        for device, inlet, _ in there[1:]
        if device < network.n_nodes
    )


def _address_of(network: Network, node: int, port: int, *, is_v6: bool) -> int | None:
    """Return the first address of a family on a port of a node."""
    owners = zip(network.address_node.tolist(), network.address_port.tolist(), strict=True)
    for address, owner in enumerate(owners):
        if owner == (node, port) and bool(network.address_is_v6[address]) == is_v6:
            return address
    return None
