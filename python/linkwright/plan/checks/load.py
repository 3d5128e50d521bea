"""The forwarding load of each node when every node sends equally to every other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan.forwarding import ForwardingLoad

EVEN = 1.05
"""Balance up to which forwarding counts as even."""


def check_load(network: Network, found: ForwardingLoad | None) -> Iterator[Finding]:
    """Yield the forwarding load of the nodes, and where it is uneven, as information.

    A sample of destinations gives the mean, but not the balance: the nodes near a sampled
    destination appear busier than they are.
    """
    if found is None:
        return
    noun = "node" if found.nodes[0] < network.n_compute else "forwarder"
    sent = f"{found.n_sent} it sends" if noun == "node" else f"{found.n_sent} that a node sends"
    sample = "" if found.is_exact else f", as far as {found.n_destinations:,} destinations tell"
    busiest = network.device_names[found.busiest]
    yield Finding(
        Severity.INFO,
        network.name,
        "forwarding-load",
        f"under uniform traffic a {noun} forwards {found.mean:.2f} packets for every {sent}, "
        f"the busiest {noun} {busiest} {found.most:.2f}{sample}",
        "",
    )
    if found.balance is not None and found.balance > EVEN:
        yield Finding(
            Severity.INFO,
            busiest,
            "uneven-load",
            f"{busiest} forwards {found.balance:.2f} times the mean under uniform traffic",
            "place less work on this node, or choose a shape with wraparound",
        )
