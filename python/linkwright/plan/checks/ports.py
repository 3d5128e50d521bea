"""Whether the parts hold what is plugged into them: slots for NICs in a node, ports in a hub or
switch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.network import NODE
from linkwright.plan.cost import UPLINK_CLASS
from linkwright.plan.finding import Finding, Severity
from linkwright.plan.typed_parts import box_part, node_part
from linkwright.plan.units import RackedUnits

if TYPE_CHECKING:
    from linkwright.network import Network


def check_ports(network: Network) -> Iterator[Finding]:
    """Yield an error per node with more NICs than slots and per box with more cables than ports."""
    yield from _slots(network)
    yield from _boxes(network)


def _slots(network: Network) -> Iterator[Finding]:
    slots = node_part(network).max_nics
    if slots is None:
        return
    is_node = network.device_kind == NODE
    for node in np.flatnonzero(is_node & (network.device_ports > slots)).tolist():
        name = network.device_names[node]
        yield Finding(
            Severity.ERROR,
            name,
            "nic-slots",
            f"node {name} needs {network.device_ports[node]} NICs, part "
            f"'{network.device_parts[node]}' has {slots} slots",
            "choose fewer dimensions, another node part, or no front end",
        )


def _boxes(network: Network) -> Iterator[Finding]:
    racked = RackedUnits.of(network)
    n_all = racked.n_connectors()
    n_extra = racked.n_connectors(network.cable_class == UPLINK_CLASS)
    for index, unit in enumerate(racked.units):
        part = box_part(network, unit.part_role)
        is_root = unit.part_role == "root_switch"
        needed = int(n_all[index] - (0 if is_root else n_extra[index]))
        if needed > part.most_ports:
            yield Finding(
                Severity.ERROR,
                unit.name,
                "ports",
                f"{unit.kind} {unit.name} needs {needed} ports, the largest '{unit.part}' has "
                f"{part.most_ports}",
                "choose a larger part or add units to the stack",
            )
