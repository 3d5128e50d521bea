"""Findings about switches that work as planned only if their owner sets them up.

VLANs, link aggregation and several paths at once; ports and cables are in ports.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.design.parts import SwitchPart
from linkwright.plan.finding import Finding, Severity
from linkwright.plan.switch_settings import lags, vlans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from linkwright.network import Network


def check_switches(network: Network) -> Iterator[Finding]:
    """Yield a finding about bundled links, one about VLANs, and one about several paths."""
    group, vlan = lags(network), vlans(network)
    if group.any():
        yield _about_lags(network, group)
    if vlan.any():
        yield _about_vlans(network, vlan)
    if network.wiring.is_multipath.any():
        yield Finding(
            Severity.INFO,
            network.name,
            "multipath",
            "the switches use several paths at once: switches that only learn addresses flood the "
            "loops between them without end, and with a spanning tree all but one path is idle",
            "use switches with TRILL, SPB or EVPN, or routers with equal-cost routes (ECMP) and a "
            "subnet per leaf",
        )


def _about_lags(network: Network, group: NDArray[np.int64]) -> Finding:
    a, b = network.wiring.joined_devices[int(np.flatnonzero(group == 1)[0])].tolist()
    names = network.device_names
    return Finding(
        Severity.INFO,
        network.name,
        "lag",
        f"{group.max()} links between switches are several cables, {names[a]} - {names[b]} first: "
        "without link aggregation each is a loop, and one broadcast never ends",
        "make each group of the column 'lag' in cables.csv one LACP group on both switches "
        "before its second cable is plugged in",
    )


def _about_vlans(network: Network, vlan: NDArray[np.int64]) -> Finding:
    n_parts = int((vlan > 0).sum())
    part = network.part_of(int(np.flatnonzero(vlan)[0]))
    if isinstance(part, SwitchPart) and not part.vlans:
        return Finding(
            Severity.ERROR,
            network.name,
            "vlan",
            f"{n_parts} logical switches are parts of boxes, but '{part.key}' has no VLANs: "
            "it cannot be divided",
            "give each its own box with lines_per_switch: 1, or choose a managed switch",
        )
    return Finding(
        Severity.INFO,
        network.name,
        "vlan",
        f"{n_parts} logical switches are parts of {len(network.chassis_names)} chassis: "
        "ports of one chassis must not hear those of its other parts",
        "make each logical switch an untagged VLAN with the number and name in "
        "devices.csv, and turn protocols off that send frames between VLANs",
    )
