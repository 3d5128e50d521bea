"""Whether every address of every node is reached from every node, by following the routes hop by
hop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright.plan.checks.return_path import check_return_path
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

MOST_LISTED = 20
"""Lost pairs listed one by one; the rest is summed up."""

_REASONS = {
    "no-route": ("has no route", "add a route or a gateway"),
    "loop": ("the packet runs in a loop", "correct the next hops along the loop"),
    "wrong-segment": (
        "a route names a gateway that is not on the segment of its NIC",
        "correct the NIC or the gateway of that route",
    ),
}


def check_reachability(network: Network) -> Iterator[Finding]:
    """Yield an error per lost pair of node and address, up to a limit, and one for the rest.

    Return paths are looked at only when nothing is lost.
    """
    found = network.core.reachability(network.n_compute)
    if not found.n_unreachable:
        yield from check_return_path(network)
    for node, address, reason in found.unreachable[:MOST_LISTED]:
        text, fix = _REASONS[reason]
        source, ip = network.device_names[node], network.address_ip[address].ip
        owner = network.device_names[int(network.address_node[address])]
        yield Finding(
            Severity.ERROR,
            f"{source} to {ip}",
            "unreachable",
            f"{source} does not reach {ip} of {owner}: {text}",
            fix,
        )
    n_more = found.n_unreachable - min(len(found.unreachable), MOST_LISTED)
    if n_more:
        by_reason = Counter(reason for _, _, reason in found.unreachable)
        kinds = ", ".join(f"{reason} {count}" for reason, count in sorted(by_reason.items()))
        yield Finding(
            Severity.ERROR,
            network.name,
            "unreachable",
            f"{n_more} more pairs of node and address are lost (among those looked at: {kinds})",
            "correct the findings above first",
        )
