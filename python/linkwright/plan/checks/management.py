"""A check that the plan leaves every machine a port for the network around the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright.plan.finding import Finding, Severity
from linkwright.plan.lan_ports import REMEDY, taken_lan_ports

if TYPE_CHECKING:
    from linkwright.network import Network


def check_management(network: Network) -> Iterator[Finding]:
    """Yield one warning if the plan takes the only LAN port of some machines."""
    taken = taken_lan_ports(network)
    if taken is None:
        return
    yield Finding(
        Severity.WARNING,
        network.device_names[taken.nodes[0]],
        "management-port",
        f"{taken.reason(network)}; files for it end DHCP, the default route and the MTU of the LAN "
        "there",
        REMEDY,
    )
