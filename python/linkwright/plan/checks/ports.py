"""Checks of parts: slots for NICs in a node, ports of a hub or switch, units of a stack; and
whether the cables fit the connectors and carry the rate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.network import NODE
from linkwright.plan.cost import UPLINK_CLASS
from linkwright.plan.finding import Finding, Severity
from linkwright.plan.typed_parts import BOX_ROLES, box_part, cable_part, nic_part, node_part

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan.units import RackedUnits


PORT_RULES = frozenset({"nic-slots", "ports", "stack-units", "connectors", "cable-rate"})
"""Rules of the findings below: a network that breaks one cannot be plugged together."""


def check_ports(network: Network, racked: RackedUnits) -> Iterator[Finding]:
    """Yield an error per node with more NICs than slots, per box with more cables than ports, per
    stack with too many units, and per part that the cables do not fit.
    """
    yield from _slots(network)
    yield from _boxes(network, racked)
    yield from _stacks(network)
    yield from _connectors(network)
    yield from _cable_rate(network)


def _slots(network: Network) -> Iterator[Finding]:
    slots = node_part(network).max_nics
    if slots is None:
        return
    is_node = network.wiring.kind == NODE
    nic = nic_part(network)
    for node in np.flatnonzero(is_node & (network.wiring.n_ports > slots * nic.ports)).tolist():
        name = network.device_names[node]
        n_nics = nic.cards_for(int(network.wiring.n_ports[node]))
        yield Finding(
            Severity.ERROR,
            name,
            "nic-slots",
            f"node {name} needs {n_nics} NICs, part "
            f"'{network.part_of(node).key}' has {slots} slots",
            "choose fewer dimensions, another node part, or no front end",
        )


def _boxes(network: Network, racked: RackedUnits) -> Iterator[Finding]:
    n_all = racked.n_connectors()
    n_extra = racked.n_connectors(network.wiring.cable_class == UPLINK_CLASS)
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


def _stacks(network: Network) -> Iterator[Finding]:
    for device in np.flatnonzero(network.wiring.stack_units > 1).tolist():
        part = box_part(network, network.wiring.part_role_of(device))
        n_units = int(network.wiring.stack_units[device])
        if part.max_stack_units is not None and n_units > part.max_stack_units:
            name = network.device_names[device]
            yield Finding(
                Severity.ERROR,
                name,
                "stack-units",
                f"{name} stacks {n_units} units of '{part.key}', at most {part.max_stack_units} "
                "act as one",
                "choose a larger part or a shape with smaller stacks",
            )


def _connectors(network: Network) -> Iterator[Finding]:
    """Compare families of connectors; uplinks at their own rate use cables that the design does
    not name.
    """
    cable = cable_part(network)
    has_own_uplinks = bool((network.wiring.cable_class == UPLINK_CLASS).any())
    of_parts = {"nic": nic_part(network).connector}
    for role in BOX_ROLES:
        if role in network.parts and not (role == "root_switch" and has_own_uplinks):
            of_parts[role] = box_part(network, role).connector
    for role, connector in of_parts.items():
        if None not in (connector, cable.connector) and connector != cable.connector:
            yield Finding(
                Severity.ERROR,
                f"parts.{role}",
                "connectors",
                f"part '{network.parts[role].key}' has {connector} connectors, cable "
                f"'{cable.key}' has {cable.connector}",
                f"choose a cable and a {role.replace('_', ' ')} with the same connectors",
            )


def _cable_rate(network: Network) -> Iterator[Finding]:
    cable = cable_part(network)
    rates = network.cable_rate_bps[network.wiring.cable_class != UPLINK_CLASS]
    if cable.rate_mbps is None or not len(rates):
        return
    rate_mbps = float(rates.max()) / 1e6
    if rate_mbps > cable.rate_mbps:
        yield Finding(
            Severity.ERROR,
            "parts.cable",
            "cable-rate",
            f"cable '{cable.key}' carries {cable.rate_mbps:g} Mb/s, its ends run at {rate_mbps:g}",
            "choose a faster cable",
        )
