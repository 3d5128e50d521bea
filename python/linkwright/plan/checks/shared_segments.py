"""Findings about nodes with several ports on one segment.

Linux answers a question for any of a node's addresses by every port that hears it, so that
neighbours learn the hardware address of the wrong port, and it sends all packets to the segment by
the first port. The plan has the settings and the rules that keep each address at its own port.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright.design.names import bond_names, nic_name
from linkwright.nodes.sources import shared_ports
from linkwright.notebook import counted
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["check_shared_segments"]


def check_shared_segments(network: Network) -> Iterator[Finding]:
    """Yield one finding, with the first node and the number of all, if there are such nodes."""
    shared = shared_ports(network)
    if not shared:
        return
    (node, _), ports = next(iter(shared.items()))
    bonds, owner = bond_names(network.wiring), network.device_names[node]
    names = [bonds.get((node, port)) or nic_name(network.wiring, node, port) for port in ports]
    n_others = len({one for one, _ in shared}) - 1
    others = f", as do ports of {counted(n_others, 'other node')}" if n_others else ""
    tables = "" if network.daemon else ", and add the rules of rules.csv"
    yield Finding(
        Severity.WARNING,
        f"{owner}:{names[0]}",
        "shared-segment",
        f"{', '.join(names[:-1])} and {names[-1]} of {owner} share a segment{others}: by default "
        "Linux answers ARP for each address by all such ports, so that packets arrive by the wrong "
        "one, and sends by the first port alone; to one destination all packets take one port",
        "set net.ipv4.conf.NIC.arp_ignore to 1 and arp_announce to 2, as sysctl.csv of the plan"
        f"{tables}; or make the ports a bond, or cable them to different switches",
    )
