"""Findings about routes by incoming interface: the settings they need, and their limits.

Packets come back by the cable that they left by, even to their sender; and no table tells a dead
node from a cut cable to it, so that packets for a dead node are sent round it for as long as they
live. See docs/design/routes-by-interface.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright import calibrations
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

SETTINGS = (
    "accept_local=1, send_redirects=0, rp_filter=2 and ignore_routes_with_linkdown=1 under "
    "net.ipv4.conf of all NICs"
)


def check_by_interface(network: Network) -> Iterator[Finding]:
    """Yield the settings that the tables need, and the packets that circle."""
    if not network.by_interface:
        return
    ttl = calibrations.load(network.calibration).links.ttl.value
    yield Finding(
        Severity.INFO,
        network.name,
        "by-interface-settings",
        "after a cut packets come back by the NIC that they left by, also to their sender, which "
        "kernels refuse by default",
        f"set {SETTINGS} on all nodes",
    )
    yield Finding(
        Severity.INFO,
        network.name,
        "by-interface-circles",
        f"the tables survive {_cuts(network.cuts_survived)}, but tell no dead node from a cut "
        "cable to it: packets for a dead node, or after more cuts than that, may circle until "
        f"their TTL of {ttl} ends",
        "see '--failures pairs:cable' for the pairs that circle after two cuts",
    )


def _cuts(number: int) -> str:
    return "any one cut cable" if number == 1 else f"any {number} cut cables"
