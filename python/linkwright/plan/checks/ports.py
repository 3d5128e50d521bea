"""Checks of parts: ports and slots of a node, ports of a hub or switch, units of a stack; and
whether the cables fit the connectors and carry the rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.design.names import plugged_cable_names
from linkwright.design.node_nics import NodeNics, nics_of_nodes
from linkwright.design.parts import CablePart
from linkwright.design.topologies.wiring import plain_role
from linkwright.plan.cost import UPLINK_CLASS
from linkwright.plan.finding import Finding, Severity
from linkwright.plan.typed_parts import box_part

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan.units import RackedUnits


PORT_RULES = frozenset({"nic-slots", "ports", "stack-units", "connectors", "cable-rate"})
"""Rules of the findings below: a network that breaks one cannot be plugged together."""


def check_ports(network: Network, racked: RackedUnits) -> Iterator[Finding]:
    """Yield an error per kind of node with too few ports, per box with more cables than ports, per
    stack with too many units, and per part that the cables do not fit; and the cards with more rate
    than their slots.
    """
    machines = nics_of_nodes(network.wiring, network.parts)
    yield from _node_ports(network, machines)
    yield from _boxes(network, racked)
    yield from _stacks(network)
    yield from _connectors(network)
    yield from _cable_rate(network)
    yield from _bus_rate(network, machines)


def _node_ports(network: Network, machines: Iterable[NodeNics]) -> Iterator[Finding]:
    for group in machines:
        lack = group.filled.lack
        if lack is not None:
            first = network.device_names[int(group.nodes[0])]
            reason = lack.reason(first, len(group.nodes) - 1)
            yield Finding(Severity.ERROR, first, "nic-slots", reason, lack.fix)


def _bus_rate(network: Network, machines: Iterable[NodeNics]) -> Iterator[Finding]:
    """Compare the ports in use of each card with its slot; once for cards of a kind."""
    found = set()
    for group in machines:
        for card in group.filled.cards:
            most_bps = card.slot.rate_bps(card.nic) if card.slot else None
            used_bps = card.n_ports * card.nic.rate_bps
            if most_bps is None or used_bps <= most_bps or (card.nic.key, most_bps) in found:
                continue
            found.add((card.nic.key, most_bps))
            yield Finding(
                Severity.INFO,
                network.device_names[int(group.nodes[0])],
                "bus-rate",
                f"the ports in use of a '{card.nic.key}' have {used_bps / 1e9:g} Gb/s, its slot "
                f"carries {most_bps / 1e9:.0f} each way",
                "expect less while all its ports are busy: the bus is not modelled",
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
    wiring = network.wiring
    (ends, end_code), (cables, cable_code) = wiring.end_roles, wiring.cable_roles
    has_own_uplinks = bool((wiring.cable_class == UPLINK_CLASS).any())
    pairs = np.concatenate([np.column_stack([end_code[:, side], cable_code]) for side in (0, 1)])
    for end, with_cable in np.unique(pairs, axis=0).tolist():
        role, cable = ends[end], network.parts[cables[with_cable]]
        part = network.parts[role]
        if role == "root_switch" and has_own_uplinks:
            continue
        connector, plug = (getattr(one, "connector", None) for one in (part, cable))
        if None not in (connector, plug) and connector != plug:
            meet = (end_code == end).any(axis=1) & (cable_code == with_cable)
            yield Finding(
                Severity.ERROR,
                _place(network, role, meet),
                "connectors",
                f"part '{part.key}' has {connector} connectors, cable '{cable.key}' has {plug}",
                f"choose a cable and a {plain_role(role).replace('_', ' ')} with the same "
                "connectors",
            )


def _cable_rate(network: Network) -> Iterator[Finding]:
    roles, codes = network.wiring.cable_roles
    for code, role in enumerate(roles):
        cable = network.parts[role]
        of_role = (codes == code) & (network.wiring.cable_class != UPLINK_CLASS)
        rate_mbps = float(network.cable_rate_bps[of_role].max(initial=0)) / 1e6
        most_mbps = cable.rate_mbps if isinstance(cable, CablePart) else None
        if most_mbps is not None and rate_mbps > most_mbps:
            too_fast = of_role & (network.cable_rate_bps > most_mbps * 1e6)
            yield Finding(
                Severity.ERROR,
                _place(network, role, too_fast),
                "cable-rate",
                f"cable '{cable.key}' carries {most_mbps:g} Mb/s, its ends run at {rate_mbps:g}",
                "choose a faster cable",
            )


def _place(network: Network, role: str, cables: npt.NDArray[np.bool_]) -> str:
    """Return the place of a finding about parts: the role, or the first cable concerned where
    devices have parts of their own.
    """
    if network.wiring.particulars is None:
        return f"parts.{role}"
    return plugged_cable_names(network.wiring)[int(np.flatnonzero(cables)[0])]
