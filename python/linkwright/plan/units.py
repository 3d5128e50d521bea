"""Hubs and switches as they are sold and racked: plain boxes, the units of a stack, chassis of
logical switches.

Frames see logical devices: a stack acts as one, and a chassis may hold several. Orders, cabling and
failures concern boxes. This file maps one to the other: the box at each end of each cable, and the
number of the connector there. Port p of a stack of u units is port p // u of unit p % u, so
parallel
uplinks spread over the units; the logical switches of a chassis take its ports in their own order.
Sizes and prices are in `cost.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.design.names import unit_names
from linkwright.network import HUB, NODE
from linkwright.records.read_only import ReadOnly

if TYPE_CHECKING:
    from linkwright.network import Network

KIND_NAMES = ("node", "hub", "switch")
"""Name for each code of `Wiring.kind`."""


@dataclass(frozen=True)
class Unit:
    """One hub or switch as sold.

    Attributes
    ----------
    name : str
        The device's name, `<stack>.<number>` for a unit of a stack, or the chassis' name.
    kind : str
        "hub" or "switch".
    part_role : str
        Key of its part in `Network.parts`.
    part : str
        Key of its part in the catalogue.
    parent : str
        The stack it belongs to, or empty.
    """

    name: str
    kind: str
    part_role: str
    part: str
    parent: str


@dataclass(frozen=True)
class RackedUnits(ReadOnly):
    """All hubs and switches of a network as boxes, and the cables plugged into them.

    Attributes
    ----------
    units : tuple of Unit
        In the order of the devices they serve; a chassis comes with its first logical switch.
    end_unit : ndarray of int64, shape (n_cables, 2)
        The unit that serves each end of each cable; -1 at a node.
    end_connector : ndarray of int64, shape (n_cables, 2)
        The connector's number on that unit, or on the node.
    """

    units: tuple[Unit, ...]
    end_unit: npt.NDArray[np.int64]
    end_connector: npt.NDArray[np.int64]

    @staticmethod
    def of(network: Network) -> RackedUnits:
        """Return the boxes of a network."""
        units, first_unit = _boxes(network)
        before = _connectors_before(network)
        ends = np.stack([network.wiring.cable_a, network.wiring.cable_b], axis=1).astype(np.int64)
        devices, port = ends[..., 0], ends[..., 1]
        n_units = np.maximum(network.wiring.stack_units.astype(np.int64), 1)[devices]
        is_node = network.wiring.kind[devices] == NODE
        return RackedUnits(
            units=tuple(units),
            end_unit=np.where(is_node, -1, first_unit[devices] + port % n_units),
            end_connector=np.where(is_node, port, before[devices] + port // n_units),
        )

    def n_connectors(self, among: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.int64]:
        """Return the number of cable ends at each unit, of all cables or of those in `among`."""
        ends = self.end_unit if among is None else self.end_unit[among]
        return np.bincount(ends[ends >= 0], minlength=len(self.units))


def _boxes(network: Network) -> tuple[list[Unit], npt.NDArray[np.int64]]:
    """Return all boxes, and for each device its first box; -1 for a node."""
    units: list[Unit] = []
    first_unit = np.full(len(network.device_names), -1, dtype=np.int64)
    unit_of_chassis: dict[int, int] = {}
    for device in np.flatnonzero(network.wiring.kind != NODE).tolist():
        chassis = int(network.wiring.chassis[device])
        if chassis < 0:
            first_unit[device] = len(units)
            units += _units_of(network, device)
            continue
        if chassis not in unit_of_chassis:
            unit_of_chassis[chassis] = len(units)
            units.append(_chassis_unit(network, device, chassis))
        first_unit[device] = unit_of_chassis[chassis]
    return units, first_unit


def _connectors_before(network: Network) -> npt.NDArray[np.int64]:
    """Return for each device the number of connectors of its chassis before its own."""
    before = np.zeros(len(network.device_names), dtype=np.int64)
    taken = [0] * len(network.chassis_names)
    for device in np.flatnonzero(network.wiring.chassis >= 0).tolist():
        chassis = int(network.wiring.chassis[device])
        before[device] = taken[chassis]
        taken[chassis] += int(network.wiring.n_ports[device])
    return before


def _units_of(network: Network, device: int) -> list[Unit]:
    n_units = int(network.wiring.stack_units[device])
    name = network.device_names[device]
    return [
        Unit(
            name=unit_name,
            kind=_kind(network, device),
            part_role=network.wiring.part_role_of(device),
            part=network.part_of(device).key,
            parent=name if n_units > 1 else "",
        )
        for unit_name in unit_names(name, n_units)
    ]


def _chassis_unit(network: Network, device: int, chassis: int) -> Unit:
    return Unit(
        name=network.chassis_names[chassis],
        kind=_kind(network, device),
        part_role=network.wiring.part_role_of(device),
        part=network.part_of(device).key,
        parent="",
    )


def _kind(network: Network, device: int) -> str:
    return "hub" if network.wiring.kind[device] == HUB else "switch"
