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
    from linkwright.network import Network


def check_switches(network: Network) -> Iterator[Finding]:
    """Yield a finding about bundled links, one about VLANs, and one about several paths."""
    wiring = network.wiring
    group = lags(network)
    n_groups = int(group.max(initial=0))
    is_spread = bool(wiring.is_multipath.any())
    if n_groups:
        a, b = wiring.joined_devices[int(np.flatnonzero(group == 1)[0])].tolist()
        names = network.device_names
        yield Finding(
            Severity.INFO,
            network.name,
            "lag",
            f"{n_groups} links between switches are several cables, {names[a]} - {names[b]} first: "
            "without link aggregation each is a loop, and one broadcast never ends",
            "make each group of the column 'lag' in cables.csv one LACP group on both switches "
            "before its second cable is plugged in",
        )
    vlan = vlans(network)
    if vlan.any():
        n_parts = int((vlan > 0).sum())
        plain = network.part_of(int(np.flatnonzero(vlan)[0]))
        if isinstance(plain, SwitchPart) and not plain.vlans:
            yield Finding(
                Severity.ERROR,
                network.name,
                "vlan",
                f"{n_parts} logical switches are parts of boxes, but '{plain.key}' has no VLANs: "
                "it cannot be divided",
                "give each its own box with lines_per_switch: 1, or choose a managed switch",
            )
        else:
            yield Finding(
                Severity.INFO,
                network.name,
                "vlan",
                f"{n_parts} logical switches are parts of {len(network.chassis_names)} chassis: "
                "ports of one chassis must not hear those of its other parts",
                "make each logical switch an untagged VLAN with the number and name in "
                "devices.csv, and turn protocols off that send frames between VLANs",
            )
    if is_spread:
        yield Finding(
            Severity.INFO,
            network.name,
            "multipath",
            "the switches use several paths at once: switches that only learn addresses flood the "
            "loops between them without end, and with a spanning tree all but one path is idle",
            "use switches with TRILL, SPB or EVPN, or routers with equal-cost routes (ECMP) and a "
            "subnet per leaf",
        )
