"""How much each node relays for others when every node sends equally to every other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.plan.finding import Finding, Severity
from linkwright.plan.joined import joined_nodes

if TYPE_CHECKING:
    from linkwright.network import Network

EVEN = 1.05
"""Greatest load over mean load up to which forwarding counts as even."""


def check_load(network: Network) -> Iterator[Finding]:
    """Yield what forwarding costs the nodes, and where it is spread unevenly, as information.

    The load is in packets that a node relays while every compute node sends one packet to every
    other. Of a sample of destinations the mean is told, but not whether the load is even: the
    nodes near a destination drawn look busier than they are.
    """
    compute = np.flatnonzero(joined_nodes(network)[: network.n_compute])
    if not len(compute):
        return
    found = network.core.load(network.identity[compute])
    load = found.forwarded[compute]
    mean, most = float(load.mean()), float(load.max())
    if most == 0:
        return
    sent = len(compute) - 1
    sample = "" if found.exact else f", as far as {found.n_destinations:,} destinations tell"
    busiest = network.device_names[compute[int(np.argmax(load))]]
    yield Finding(
        Severity.INFO,
        network.name,
        "forwarding-load",
        f"under uniform traffic a node relays {mean:.2f} packets for every {sent} it sends, "
        f"the busiest node {busiest} {most:.2f}{sample}",
        "",
    )
    if found.exact and most > EVEN * mean:
        yield Finding(
            Severity.INFO,
            busiest,
            "uneven-load",
            f"{busiest} relays {most / mean:.2f} times the mean under uniform traffic",
            "place less work on this node, or choose a shape with wraparound",
        )
