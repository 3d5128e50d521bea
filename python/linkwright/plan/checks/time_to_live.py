"""A check that the TTL suffices for all routes: a node forwards no packet with a TTL of 1
[RFC-1812, sec. 5.3.1]. The TTL is that of the hosts of the design's catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright import calibrations
from linkwright.nodes.sysctls import MOST_TTL, most_forwards
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network, Reachability


def check_time_to_live(network: Network, found: Reachability) -> Iterator[Finding]:
    """Yield a warning if packets die on a route, an error if no TTL is large enough for it.

    `found` has the hops of the route of every pair of node and address, or of a sample of the
    addresses. The topology's formula then gives the longest route, except after failures or with
    explicit tables.
    """
    ttl = calibrations.load(network.calibration).links.ttl.value
    forwards = found.forwards_worst
    is_sample = len(found.addresses) < len(network.addresses.node)
    if is_sample and not network.without and network.routing != "explicit":
        forwards = max(forwards, network.closed.forwards_worst)
    if forwards < ttl:
        yield from _after_failures(network, ttl)
        return
    n_dying, n_pairs = int(found.hops_histogram[ttl + 1 :].sum()), int(found.hops_histogram.sum())
    looked_at = " looked at" if is_sample else ""
    remedy = "choose a shape with shorter paths"
    if forwards < MOST_TTL:
        is_v6 = bool(network.addresses.is_v6[network.addresses.identity[0]])
        key = "net.ipv6.conf.NIC.hop_limit of each NIC" if is_v6 else "net.ipv4.ip_default_ttl"
        remedy = f"set {key} to {MOST_TTL} on all nodes (in runs links.ttl), or {remedy}"
    yield Finding(
        Severity.WARNING if forwards < MOST_TTL else Severity.ERROR,
        network.name,
        "time-to-live",
        f"routes have up to {forwards} forwards, a TTL of {ttl} allows {ttl - 1}: packets "
        f"die between {n_dying:,} of {n_pairs:,} pairs of node and address{looked_at}",
        remedy,
    )


def _after_failures(network: Network, ttl: int) -> Iterator[Finding]:
    """Yield a warning if packets may die on the way that they take after a failure."""
    forwards = most_forwards(network)
    if not network.fallback or forwards < ttl:
        return
    yield Finding(
        Severity.WARNING,
        network.name,
        "time-to-live",
        f"after a failure packets may be forwarded {forwards} times, a TTL of {ttl} allows "
        f"{ttl - 1}: the proof of failures does not count it",
        f"set the TTL to {MOST_TTL} on all nodes, as sysctl.csv of the plan (in runs links.ttl)",
    )
