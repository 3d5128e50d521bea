"""The cables of a network for people who plug them: both ends by the names on the machines, the
colour of the group, and the backs of nodes and boxes with their ports in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from linkwright.design.node_nics import Filled, nics_of_nodes
from linkwright.design.parts import HubPart, NicPart, Part, SwitchPart
from linkwright.design.places import cable_length_m
from linkwright.design.rates import rate_text
from linkwright.network import NODE
from linkwright.plan.cabling import cable_rows, ends_on_boxes
from linkwright.plan.machine_names import host_name, machine_of, nic_on_machine
from linkwright.plan.units import RackedUnits
from linkwright.views.cable_groups import CableGroup, cable_groups
from linkwright.views.drawing.back import Back, BackPort, Slot

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["End", "SheetCable", "backs_of_boxes", "backs_of_nodes", "sheet_cables"]

INSIDE_STACKS = "comes with the stack"


@dataclass(frozen=True)
class End:
    """One end of a cable: the box by the name on its front, and the connector.

    Attributes
    ----------
    node : int
        Number of the node; -1 for a hub or switch.
    number : int
        Number of the connector on its box; -1 for one between the units of a stack.
    """

    box: str
    port: str
    node: int = -1
    number: int = -1

    def __str__(self) -> str:
        return f"{self.box}:{self.port}"


@dataclass(frozen=True)
class SheetCable:
    """A cable on the sheet."""

    name: str
    group: CableGroup
    ends: tuple[End, End]
    rate: str
    part: str
    length: str
    """Empty if the design does not give the places of both ends."""


def sheet_cables(network: Network) -> list[SheetCable]:
    """Return all cables in their order, with both ends as they are plugged."""
    racked = RackedUnits.of(network)
    group_of = {cable: group for group in cable_groups(network) for cable in group.cables}
    ends, parts = list(_plugged_ends(network, racked)), list(_cable_parts(network))
    lengths = list(_lengths(network))
    found = []
    for number, row in enumerate(cable_rows(network, racked)):
        name, a_box, a_port, b_box, b_port, _, rate_mbps, *_ = map(str, row)
        is_plugged = number < len(ends)
        found.append(
            SheetCable(
                name=name,
                group=group_of[number],
                ends=ends[number] if is_plugged else (End(a_box, a_port), End(b_box, b_port)),
                rate=rate_text(float(rate_mbps)),
                part=parts[number] if is_plugged else INSIDE_STACKS,
                length=lengths[number] if is_plugged else "",
            )
        )
    return found


def _plugged_ends(network: Network, racked: RackedUnits) -> Iterator[tuple[End, End]]:
    rows = zip(
        network.wiring.joined_devices.tolist(),
        ends_on_boxes(network, racked),
        racked.end_connector.tolist(),
        strict=True,
    )
    for row in rows:
        a, b = (
            End(host_name(network, device), nic_on_machine(network, device, port), device, port)
            if network.wiring.kind[device] == NODE
            else End(*on_box, number=port)
            for device, on_box, port in zip(*row, strict=True)
        )
        yield a, b


def _cable_parts(network: Network) -> Iterator[str]:
    roles, codes = network.wiring.cable_roles
    keys = [network.parts[role].key for role in roles]
    return (keys[code] for code in codes.tolist())


def _lengths(network: Network) -> Iterator[str]:
    for a, b in network.wiring.joined_devices.tolist():
        ends = [network.places[device].metres for device in (a, b) if device in network.places]
        known = [metres for metres in ends if metres]
        yield f"{cable_length_m(*known):g} m" if len(known) == 2 else ""


def backs_of_nodes(network: Network, cables: list[SheetCable]) -> Iterator[Back]:
    """Yield the back of each node: its NICs with their connectors, free ones included."""
    nodes = np.flatnonzero(network.wiring.kind == NODE).tolist()
    ports: dict[int, list[tuple[int, str, BackPort]]] = {node: [] for node in nodes}
    roles, codes = network.wiring.end_roles
    for cable, both in zip(cables, codes.tolist(), strict=False):
        for end, far, role in zip(cable.ends, reversed(cable.ends), both, strict=True):
            if end.node >= 0:
                port = _port(end, far, cable)
                ports[end.node].append((end.number, _nic_role(roles[role]), port))
    filled = {
        node: group.filled
        for group in nics_of_nodes(network.wiring, network.parts)
        for node in group.nodes.tolist()
    }
    for node, of_node in ports.items():
        name, plan = host_name(network, node), network.device_names[node]
        notes = [plan if name != plan else "", machine_of(network, node).management]
        slots = tuple(_nics(filled[node], sorted(of_node, key=lambda one: one[0])))
        yield Back(name, ", ".join(filter(None, notes)), "node", slots)


def _nic_role(role: str) -> str:
    return "nic" if role == "node" else role


def _nics(filled: Filled, ports: list[tuple[int, str, BackPort]]) -> Iterator[Slot]:
    """Yield the NICs of a node, each with as many connectors as its part has: of each role those
    that are built in, then the cards.
    """
    for role, of_role in groupby(ports, key=lambda one: one[1]):
        rest = [port for _, _, port in of_role]
        for nic, n_ports in _of_role(filled, role):
            used, rest = rest[:n_ports], rest[n_ports:]
            yield Slot(nic.key, _shape(nic), tuple(used), nic.ports - n_ports)


def _of_role(filled: Filled, role: str) -> Iterator[tuple[NicPart, int]]:
    """Yield the parts of the NICs of a role, and the number of ports in use of each."""
    for one in filled.built_in:
        if one.role == role:
            whole, rest = divmod(one.n_ports, one.nic.ports)
            yield from [(one.nic, one.nic.ports)] * whole
            yield from [(one.nic, rest)] * bool(rest)
    yield from ((card.nic, card.n_ports) for card in filled.cards if card.role == role)


def backs_of_boxes(network: Network, cables: list[SheetCable]) -> Iterator[Back]:
    """Yield the front of each hub, switch, chassis and unit of a stack."""
    units = RackedUnits.of(network).units
    ports: dict[str, list[tuple[int, BackPort]]] = {unit.name: [] for unit in units}
    for cable in cables:
        for end, far in zip(cable.ends, reversed(cable.ends), strict=True):
            if end.node < 0:
                ports[end.box].append((end.number, _port(end, far, cable)))
    for unit in units:
        part = network.parts[unit.part_role]
        of_unit = sorted(ports[unit.name], key=lambda one: one[0] if one[0] >= 0 else 1 << 30)
        slot = Slot(part.key, _shape(part), tuple(port for _, port in of_unit))
        yield Back(unit.name, unit.parent, unit.kind, (slot,))


def _port(end: End, far: End, cable: SheetCable) -> BackPort:
    return BackPort(end.port, cable.name, cable.group.hue, far.box, far.port)


def _shape(part: Part) -> str:
    """Return the family of a part's connectors, empty if unknown."""
    return (isinstance(part, NicPart | HubPart | SwitchPart) and part.connector) or ""
