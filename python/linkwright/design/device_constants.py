"""The constants of a fabric from its parts: rates of cables, delays, queues and backplanes per
device, in base units.

A stack is modelled as one switch whose backplane has the sum of its units' capacities; the bus
between the units is not modelled (an estimate). The logical switches of a chassis share its
backplane.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linkwright.design.parts import SwitchPart
from linkwright.design.role_parts import RoleParts
from linkwright.design.topologies import Wiring
from linkwright.design.topologies.wiring import PART_ROLES
from linkwright.records.read_only import ReadOnly

__all__ = ["DeviceConstants", "cable_rates", "device_constants"]

_PS_PER_US = 1_000_000

_MOST_BPS = np.uint64(8 * 10**15)
"""Largest rate: a bit takes an eighth of a picosecond, so that a byte takes one unit of time."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DeviceConstants(ReadOnly):
    """Constants per device, shape (n,), zeros where they do not apply, and per cable."""

    hub_delay_ps: NDArray[np.uint64]
    switch_cut_through: NDArray[np.bool_]
    switch_latency_ps: NDArray[np.uint64]
    switch_backplane: NDArray[np.int32]
    """Index into `backplane_bps`, -1 for no limit."""
    switch_queue_bytes: NDArray[np.uint32]
    backplane_bps: NDArray[np.uint64]
    cable_rate_bps: NDArray[np.uint64]
    """shape (m,): the lower of the rates of the two ends."""
    cable_delay_ps: NDArray[np.uint64]

    def with_cables(self, alive: NDArray[np.bool_]) -> DeviceConstants:
        """Return the constants with those of some cables."""
        return replace(
            self,
            cable_rate_bps=self.cable_rate_bps[alive],
            cable_delay_ps=self.cable_delay_ps[alive],
        )


def device_constants(wiring: Wiring, parts: RoleParts) -> DeviceConstants:
    """Return the constants of all devices and cables."""
    hub, switch, root = parts.hub, parts.switch, parts.root_switch
    backplane, backplane_bps = _backplanes(wiring, parts)
    return DeviceConstants(
        hub_delay_ps=_by_role(wiring, hub=_picoseconds(hub.domain_delay_us) if hub else 0),
        switch_cut_through=_by_role(
            wiring, switch=_is_cut_through(switch), root_switch=_is_cut_through(root)
        ).astype(np.bool_),
        switch_latency_ps=_by_role(
            wiring,
            switch=_picoseconds(switch.latency_us) if switch else 0,
            root_switch=_picoseconds(root.latency_us) if root else 0,
        ),
        switch_backplane=backplane,
        switch_queue_bytes=_by_role(
            wiring,
            switch=switch.queue_bytes if switch else 0,
            root_switch=root.queue_bytes if root else 0,
        ).astype(np.uint32),
        backplane_bps=backplane_bps,
        cable_rate_bps=cable_rates(wiring, parts),
        cable_delay_ps=np.full(
            len(wiring.cable_a), _picoseconds(parts.cable.delay_us), dtype=np.uint64
        ),
    )


def cable_rates(wiring: Wiring, parts: RoleParts) -> NDArray[np.uint64]:
    """Return the rate of each cable in bit/s, shape (m,): the lower rate of its two ends."""
    switch, root = parts.switch, parts.root_switch
    node_speed = _by_role(
        wiring,
        node=parts.nic.rate_bps,
        hub=parts.hub.rate_bps if parts.hub else 0,
        switch=switch.rate_bps if switch else 0,
        root_switch=root.rate_bps if root else 0,
    )
    uplink_speed = _by_role(
        wiring,
        switch=round((switch.uplink_rate_mbps or 0) * 1e6) if switch else 0,
        root_switch=root.rate_bps if root else 0,
    )
    by_class = np.stack([node_speed, uplink_speed])
    a = by_class[wiring.cable_class, wiring.cable_a[:, 0]]
    b = by_class[wiring.cable_class, wiring.cable_b[:, 0]]
    return np.minimum(a, b)


def _by_role(
    wiring: Wiring, *, node: int = 0, hub: int = 0, switch: int = 0, root_switch: int = 0
) -> NDArray[np.uint64]:
    """Return a value per device, chosen by the role of its part."""
    values = {"node": node, "hub": hub, "switch": switch, "root_switch": root_switch}
    return np.array([values[role] for role in PART_ROLES], dtype=np.uint64)[wiring.part_role]


def _backplanes(wiring: Wiring, parts: RoleParts) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return the backplane of each device, -1 for none, and the capacity of each backplane."""
    per_unit = _by_role(
        wiring, switch=_backplane_bps(parts.switch), root_switch=_backplane_bps(parts.root_switch)
    )
    limited = np.flatnonzero(per_unit)
    # Devices of one chassis share a key; any other device has its own, below those of chassis.
    lone = wiring.chassis[limited] < 0
    keys = np.where(lone, -1 - limited, wiring.chassis[limited])
    _, first, index = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    backplane = np.full(len(per_unit), -1, dtype=np.int32)
    backplane[limited] = order[index]
    owners = limited[np.sort(first)]
    units = np.minimum(wiring.stack_units[owners], _MOST_BPS // per_unit[owners])
    return backplane, per_unit[owners] * units


def _backplane_bps(part: SwitchPart | None) -> int:
    return round((part.backplane_mbps or 0) * 1e6) if part else 0


def _is_cut_through(part: SwitchPart | None) -> int:
    return int(part is not None and part.mode == "cut-through")


def _picoseconds(us: float) -> int:
    return round(us * _PS_PER_US)
