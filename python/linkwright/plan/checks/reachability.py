"""A check that every node reaches every address of every node.

It follows the routes hop by hop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.memory import expect_room
from linkwright.network import LEAST_ESTIMATED
from linkwright.plan.checks.return_path import check_return_path
from linkwright.plan.checks.time_to_live import check_time_to_live
from linkwright.plan.connected import disconnected_nodes, node_groups
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

MOST_LISTED = 20
"""Lost pairs listed one by one; the others are summed up."""
MOST_FOLLOWED, MOST_SAMPLED = 1 << 28, 1 << 25
"""Pairs of node and address up to which the core follows all; the size of a sample of more."""
BYTES_PER_COUNT = 8
BYTES_OF_THREADS = 150_000_000
"""Measured address space of the threads of the count."""

_REASONS = {
    "no-route": ("has no route", "add a route or a gateway"),
    "loop": ("the packet loops", "correct the next hops along the loop"),
    "wrong-segment": (
        "a route names a gateway that is not on the segment of its NIC",
        "correct the NIC or the gateway of that route",
    ),
}


def check_reachability(network: Network) -> Iterator[Finding]:
    """Yield an error per lost pair of node and address, up to a limit, and one for the rest.

    The same packets show whether a TTL suffices. Return paths are checked only if nothing is lost.
    Pairs that no cables join give no findings: after failures, a disconnected node is one, and
    islands.py reports the others. In very large networks a sample of the addresses is followed,
    which a finding reports.
    """
    _expect_room(network)
    found = network.core.reachability()
    n_parted, is_parted = _parted_pairs(network, found.addresses)
    yield from _sampled(network, len(found.addresses))
    yield from _disconnected(network)
    yield from check_time_to_live(network, found)
    if found.n_unreachable == n_parted:
        yield from check_return_path(network)
    lost = [pair for pair in found.unreachable if not is_parted(pair[0], pair[1])]
    for node, address, reason in lost[:MOST_LISTED]:
        text, fix = _REASONS[reason]
        source, ip = network.device_names[node], network.addresses.ip[address].ip
        owner = network.device_names[int(network.addresses.node[address])]
        yield Finding(
            Severity.ERROR,
            f"{source} to {ip}",
            "unreachable",
            f"{source} does not reach {ip} of {owner}: {text}",
            fix,
        )
    n_more = found.n_unreachable - n_parted - min(len(lost), MOST_LISTED)
    if n_more:
        by_reason = Counter(reason for _, _, reason in lost)
        kinds = ", ".join(f"{reason} {count}" for reason, count in sorted(by_reason.items()))
        yield Finding(
            Severity.ERROR,
            network.name,
            "unreachable",
            f"{n_more} more pairs of node and address are lost (among those looked at: {kinds})",
            "correct the findings above first",
        )


def _expect_room(network: Network) -> None:
    """Refuse to follow packets if there is no memory for the counts by address and hops."""
    n_addresses = len(network.addresses.bits)
    if n_addresses * network.n_nodes > MOST_FOLLOWED:
        n_addresses = MOST_SAMPLED // network.n_nodes + 1
    needed = BYTES_PER_COUNT * n_addresses * network.closed.diameter_hops + BYTES_OF_THREADS
    if network.n_nodes >= LEAST_ESTIMATED:
        expect_room(f"the check of {network.n_nodes:,} nodes", needed, "the hops of all packets")


def _sampled(network: Network, n_followed: int) -> Iterator[Finding]:
    n_addresses = len(network.addresses.node)
    if n_followed < n_addresses:
        yield Finding(
            Severity.INFO,
            network.name,
            "sampled-reachability",
            f"packets of all nodes were followed to {n_followed:,} of {n_addresses:,} addresses, "
            "drawn with a fixed seed; all of them would take too long",
            "",
        )


def _disconnected(network: Network) -> Iterator[Finding]:
    alive = np.flatnonzero(~network.is_dead[: network.n_nodes])
    if len(alive) == 1:
        name = network.device_names[int(alive[0])]
        yield Finding(
            Severity.ERROR,
            name,
            "alone",
            f"{name} is the only node left: there is no pair of nodes to prove",
            "replace the failed parts",
        )
    for node in disconnected_nodes(network):
        name = network.device_names[node]
        yield Finding(
            Severity.ERROR,
            name,
            "disconnected",
            f"{name} is disconnected: without the failed parts no path of forwarding nodes joins "
            "it to the others",
            "replace the failed parts, or plug the node in elsewhere",
        )


def _parted_pairs(
    network: Network, addresses: npt.NDArray[np.uint32]
) -> tuple[int, Callable[[int, int], bool]]:
    """Return the number of disconnected pairs of node and address, and a test for them."""
    group = node_groups(network)
    owner = network.addresses.node
    n_joined = np.bincount(group[: network.n_nodes], minlength=len(group))[group[owner[addresses]]]
    n_parted = int((network.n_nodes - n_joined).sum())
    return n_parted, lambda node, address: bool(group[node] != group[owner[address]])
