"""Devices and cables as they are racked and plugged: the rows of `devices.csv` and `cables.csv`.

A stack, its units, a chassis and its logical switches are separate devices; `parent` connects a
part with its whole. A cable's ends name the unit of a stack and the logical switch of a chassis;
its label names the connector on the box. Connectors between the units of a stack have no number;
they are called `up` and `down`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from linkwright.design.names import unit_names
from linkwright.design.parts import HubPart, SwitchPart
from linkwright.design.topologies.numbered import cable_names
from linkwright.plan.cost import CABLE_KIND_NAMES
from linkwright.plan.switch_settings import lags, vlan_of_cables, vlans
from linkwright.plan.typed_parts import box_part
from linkwright.plan.units import KIND_NAMES

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan.units import RackedUnits

DEVICE_COLUMNS = (
    "device", "kind", "role", "part", "ports", "coordinates", "parent", "vlan",
)  # fmt: skip
CABLE_COLUMNS = (
    "cable", "a_device", "a_port", "b_device", "b_port", "kind", "rate_mbps", "label",
    "lag", "vlan",
)  # fmt: skip
ROLE_NAMES = ("", "compute", "front-end", "forwarder")
"""Word for each code of `Wiring.role`."""


def device_rows(network: Network, racked: RackedUnits) -> Iterator[tuple[object, ...]]:
    """Yield one row per device: nodes, then hubs and switches, each box before what it contains.

    `ports` counts connectors in use; for a stack or chassis it is the sum over its parts.
    """
    chassis_ports = _ports_of_chassis(network)
    unit_ports = racked.n_connectors().tolist()
    units_of_stack: dict[str, list[tuple[object, ...]]] = {}
    for unit, n_ports in zip(racked.units, unit_ports, strict=True):
        if not unit.parent:
            continue
        row = (unit.name, unit.kind, "", unit.part, n_ports, "", unit.parent, "")
        units_of_stack.setdefault(unit.parent, []).append(row)
    vlan = vlans(network).tolist()
    seen_chassis = set()
    for device, name in enumerate(network.device_names):
        chassis = int(network.wiring.chassis[device])
        kind = KIND_NAMES[network.wiring.kind[device]]
        if chassis >= 0 and chassis not in seen_chassis:
            seen_chassis.add(chassis)
            part = network.part_of(device).key
            yield network.chassis_names[chassis], kind, "", part, chassis_ports[chassis], "", "", ""
        yield (
            name,
            kind,
            ROLE_NAMES[network.wiring.role[device]],
            network.part_of(device).key,
            int(network.wiring.n_ports[device]),
            _coordinates(network, device),
            network.chassis_names[chassis] if chassis >= 0 else "",
            vlan[device] or "",
        )
        yield from units_of_stack.get(name, ())


def cable_rows(network: Network, racked: RackedUnits) -> Iterator[tuple[object, ...]]:
    """Yield one row per cable, then one per cable that joins two units of a stack."""
    cables = [*_plugged_cables(network, racked), *_stack_cables(network)]
    for name, row in zip(cable_names(len(cables)), cables, strict=True):
        yield (name, *row)


def ends_on_boxes(network: Network, racked: RackedUnits) -> Iterator[list[tuple[str, str]]]:
    """Yield the box and the connector on it at both ends of each cable that is not inside a stack.

    A box is a node, a hub, a switch, a unit of a stack or a chassis.
    """
    devices = network.wiring.joined_devices.tolist()
    ends = zip(devices, racked.end_unit.tolist(), racked.end_connector.tolist(), strict=True)
    for both in ends:
        yield [
            (
                network.device_names[device] if unit < 0 else racked.units[unit].name,
                network.port_name(device, connector),
            )
            for device, unit, connector in zip(*both, strict=True)
        ]


def _plugged_cables(network: Network, racked: RackedUnits) -> Iterator[tuple[object, ...]]:
    rows = zip(
        np.stack([network.wiring.cable_a, network.wiring.cable_b], axis=1).tolist(),
        lags(network).tolist(),
        vlan_of_cables(network).tolist(),
        racked.end_unit.tolist(),
        ends_on_boxes(network, racked),
        network.wiring.cable_kind.tolist(),
        network.cable_rate_bps.tolist(),
        strict=True,
    )
    for both_ends, lag, vlan, units, on_boxes, kind, rate_bps in rows:
        places: list[str] = []
        for (device, port), unit, on_box in zip(both_ends, units, on_boxes, strict=True):
            is_in_stack = unit >= 0 and bool(racked.units[unit].parent)
            logical = (network.device_names[device], network.port_name(device, port))
            places += on_box if is_in_stack else logical
        label = " - ".join(f"{box}:{connector}" for box, connector in on_boxes)
        sold_as = CABLE_KIND_NAMES[kind], rate_mbps_text(rate_bps)
        yield (*places, *sold_as, label, f"lag{lag}" if lag else "", vlan or "")


def _stack_cables(network: Network) -> Iterator[tuple[object, ...]]:
    for device in network.wiring.stacks.tolist():
        n_units = int(network.wiring.stack_units[device])
        names = unit_names(network.device_names[device], n_units)
        part = box_part(network, network.wiring.part_role_of(device))
        for unit in range(n_units - 1):
            above, below = names[unit], names[unit + 1]
            rate = rate_mbps_text(_stack_rate_bps(part))
            yield above, "down", below, "up", "stack", rate, f"{above}:down - {below}:up", "", ""


def _stack_rate_bps(part: HubPart | SwitchPart) -> float:
    """Return the rate of the cable between two units: that of a backplane, else of a port."""
    backplane_mbps = part.backplane_mbps if isinstance(part, SwitchPart) else None
    return 1e6 * (backplane_mbps or part.rate_mbps)


def _ports_of_chassis(network: Network) -> list[int]:
    totals = [0] * len(network.chassis_names)
    for chassis, n_ports in zip(
        network.wiring.chassis.tolist(), network.wiring.n_ports.tolist(), strict=True
    ):
        if chassis >= 0:
            totals[chassis] += n_ports
    return totals


def _coordinates(network: Network, device: int) -> str:
    """Return coordinates such as "2 1"; "*" marks an axis along which the device extends."""
    values = network.wiring.coordinates[device].tolist()
    if all(value < 0 for value in values):
        return ""
    return " ".join("*" if value < 0 else str(value) for value in values)


def rate_mbps_text(rate_bps: float) -> str:
    """Return a rate in Mb/s, without decimals if it is a whole number."""
    rate_mbps = rate_bps / 1e6
    return str(int(rate_mbps)) if rate_mbps.is_integer() else str(rate_mbps)
