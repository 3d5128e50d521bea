"""A check of the constants behind latencies and run times: those of the design's NICs that are not
published, and kernels that the catalogue's hosts do not stand for.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright import calibrations
from linkwright.network import Network
from linkwright.nodes.hosts import doubts
from linkwright.plan.finding import Finding, Severity

__all__ = ["check_hosts"]


def check_hosts(network: Network) -> Iterator[Finding]:
    """Yield a finding for each doubt about the constants of the catalogue's hosts."""
    for doubt in doubts(network, calibrations.load(network.calibration)):
        yield Finding(
            Severity.INFO,
            network.name,
            "host-constants",
            doubt,
            "measure a ping-pong between two nodes, and fit a calibration to it",
        )
