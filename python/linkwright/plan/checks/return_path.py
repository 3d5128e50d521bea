"""A check that packets arrive by the NIC that the return path to their sender uses.

Linux can refuse a packet that arrives on another NIC than the one of its own route to the sender
(`rp_filter` = 1, the default of some distributions); forwarding nodes do so as well. A packet's
sender is the address of the NIC that it leaves by. Packets are followed from node 0, or the first
that is connected after failures, to every other node: the shapes look alike from all nodes, or node
0 is a corner, whose paths turn most. In large networks a sample of nodes is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    senders = _addresses_of(network, source)
    lost = [node for node in others if not _passes_strict_filters(network, source, node, senders)]
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
        "set net.ipv4.conf.all.rp_filter and that of each NIC to 0 or 2 on all nodes",
    )


def _spread(nodes: list[int]) -> list[int]:
    if len(nodes) < MOST_FOLLOWED:
        return nodes
    return [nodes[place] for place in np.linspace(0, len(nodes) - 1, N_SPREAD).astype(int)]


def _passes_strict_filters(
    network: Network, source: int, node: int, senders: Mapping[tuple[int, bool], int]
) -> bool:
    """Return whether all nodes on the path from a node would reply by the NIC of arrival."""
    target = int(network.addresses.identity[node])
    try:
        there = network.core.path(source, target)
    except PlanError:  # two bonds without a common wire: check_bonds reports them
        return True
    sender = senders.get((there[0][2], bool(network.addresses.is_v6[target])))
    if sender is None:
        return True
    return all(
        network.core.leaves_by(device, sender) == inlet
        for device, inlet, _ in there[1:]
        if device < network.n_nodes
    )


def _addresses_of(network: Network, node: int) -> dict[tuple[int, bool], int]:
    """Return the first address of each port of a node and each family."""
    own = np.flatnonzero(network.addresses.node == node).tolist()
    return {
        (int(network.addresses.port[address]), bool(network.addresses.is_v6[address])): address
        for address in reversed(own)
    }
