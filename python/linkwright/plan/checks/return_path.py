"""A check that packets arrive by the NIC that the return path to their sender uses.

Linux can refuse a packet of IPv4 that arrives on another NIC than the one of its own route to the
sender (`rp_filter` = 1, the default of some distributions); forwarding nodes do so as well. The
sender is the identity of the node, the source of all routes, or the address of the NIC on a
connected subnet. Packets are followed from node 0, or the first that is connected after failures,
to every other node: the shapes look alike from all nodes, or node 0 is a corner, whose paths turn
most. In large networks a sample of nodes is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.errors import PlanError
from linkwright.plan.connected import connected_nodes
from linkwright.plan.finding import Finding, Severity

MOST_FOLLOWED = 4096
"""Nodes up to which packets to all are followed."""
N_SPREAD = 64
"""Size of the sample in larger networks, spread evenly over the numbers of the nodes."""

if TYPE_CHECKING:
    from linkwright.network import Network


def check_return_path(network: Network) -> Iterator[Finding]:
    """Yield a warning if a strict reverse-path filter would drop packets of that node.

    Every address of the others must be reachable.
    """
    source, *all_others = np.flatnonzero(
        connected_nodes(network)[: network.n_compute]
    ).tolist() or [0]
    others = _spread(all_others)
    lost = [node for node in others if not _passes_strict_filters(network, source, node)]
    if not lost:
        return
    first, last = network.device_names[source], network.device_names[lost[0]]
    looked_at = "" if len(others) == len(all_others) else " looked at"
    yield Finding(
        Severity.WARNING,
        network.name,
        "return-path",
        f"packets from {first} to {len(lost)} of {len(others)} nodes{looked_at}, {last} first, "
        "arrive there or on the path by another NIC than the return path uses; a strict "
        "reverse-path filter drops them",
        "set net.ipv4.conf.NIC.rp_filter of each NIC to 2 on all nodes, as sysctl.csv of the plan",
    )


def _spread(nodes: list[int]) -> list[int]:
    if len(nodes) < MOST_FOLLOWED:
        return nodes
    return [nodes[place] for place in np.linspace(0, len(nodes) - 1, N_SPREAD).astype(int)]


def _passes_strict_filters(network: Network, source: int, node: int) -> bool:
    """Return whether all nodes on the path from a node would reply by the NIC of arrival."""
    target = int(network.addresses.identity[node])
    if network.addresses.is_v6[target]:
        return True
    try:
        there = network.core.path(source, target)
    except PlanError:  # two bonds without a common wire: check_bonds reports them
        return True
    sender = _sender(network, source, there[0][2], target)
    return all(
        network.core.leaves_by(device, sender) == inlet
        for device, inlet, _ in there[1:]
        if device < network.n_nodes
    )


def _sender(network: Network, source: int, port: int, target: int) -> int:
    """Return the address of a node as the sender of packets that leave by a port."""
    addresses = network.addresses
    own = (addresses.node == source) & (addresses.port == port) & ~addresses.is_v6
    for number in np.flatnonzero(own).tolist():
        if addresses.ip[target].ip in addresses.ip[number].network:
            return int(number)
    return int(addresses.identity[source])
