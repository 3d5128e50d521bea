"""The constants of a fabric from its parts: rates of cables, delays, queues and backplanes per
device, in base units.

A stack is modelled as one switch whose backplane has the sum of its units' capacities; the bus
between the units is not modelled (an estimate). The logical switches of a chassis share its
backplane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linkwright.design.parts import CablePart, HubPart, NicPart, Part, SwitchPart
from linkwright.design.role_parts import RoleParts
from linkwright.design.topologies import Wiring
from linkwright.records.read_only import ArrayRecord

__all__ = ["DeviceConstants", "cable_rates", "device_constants"]

_PS_PER_US = 1_000_000

_MOST_BPS = np.uint64(8 * 10**15)
"""Largest rate: a bit takes an eighth of a picosecond, so that a byte takes one unit of time."""


class DeviceConstants(ArrayRecord):
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
    backplane, backplane_bps = _backplanes(wiring, parts)
    return DeviceConstants(
        hub_delay_ps=_by_role(wiring, parts, _domain_delay_ps),
        switch_cut_through=_by_role(wiring, parts, _is_cut_through).astype(np.bool_),
        switch_latency_ps=_by_role(wiring, parts, _latency_ps),
        switch_backplane=backplane,
        switch_queue_bytes=_by_role(wiring, parts, _queue_bytes).astype(np.uint32),
        backplane_bps=backplane_bps,
        cable_rate_bps=cable_rates(wiring, parts),
        cable_delay_ps=_cable_delays(wiring, parts),
    )


def cable_rates(wiring: Wiring, parts: RoleParts) -> NDArray[np.uint64]:
    """Return the rate of each cable in bit/s, shape (m,): the lower rate of its two ends."""
    roles, codes = wiring.end_roles
    by_class = np.array(
        [[_rate_bps(parts.part(role)) for role in roles], [_uplink_bps(parts, r) for r in roles]],
        dtype=np.uint64,
    )
    at_ends = by_class[wiring.cable_class[:, np.newaxis], codes]
    return np.minimum(at_ends[:, 0], at_ends[:, 1])


def _cable_delays(wiring: Wiring, parts: RoleParts) -> NDArray[np.uint64]:
    roles, codes = wiring.cable_roles
    found = [parts.part(role) for role in roles]
    delays = [_picoseconds(one.delay_us) if isinstance(one, CablePart) else 0 for one in found]
    return np.array(delays, dtype=np.uint64)[codes]


def _by_role(
    wiring: Wiring, parts: RoleParts, value: Callable[[Part | None], int]
) -> NDArray[np.uint64]:
    """Return a value per device, that of its part."""
    values = [value(parts.part(role)) for role in wiring.part_roles]
    return np.array(values, dtype=np.uint64)[wiring.part_role]


def _backplanes(wiring: Wiring, parts: RoleParts) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Return the backplane of each device, -1 for none, and the capacity of each backplane."""
    per_unit = _by_role(wiring, parts, _backplane_bps)
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


def _rate_bps(part: Part | None) -> int:
    return part.rate_bps if isinstance(part, NicPart | HubPart | SwitchPart) else 0


def _uplink_bps(parts: RoleParts, role: str) -> int:
    """Return the rate of the uplinks of a switch; all ports of a root switch lead to uplinks."""
    part = parts.part(role)
    if role == "root_switch":
        return _rate_bps(part)
    return round((part.uplink_rate_mbps or 0) * 1e6) if isinstance(part, SwitchPart) else 0


def _domain_delay_ps(part: Part | None) -> int:
    return _picoseconds(part.domain_delay_us) if isinstance(part, HubPart) else 0


def _latency_ps(part: Part | None) -> int:
    return _picoseconds(part.latency_us) if isinstance(part, SwitchPart) else 0


def _queue_bytes(part: Part | None) -> int:
    return part.queue_bytes if isinstance(part, SwitchPart) else 0


def _backplane_bps(part: Part | None) -> int:
    return round((part.backplane_mbps or 0) * 1e6) if isinstance(part, SwitchPart) else 0


def _is_cut_through(part: Part | None) -> int:
    return int(isinstance(part, SwitchPart) and part.mode == "cut-through")


def _picoseconds(us: float) -> int:
    return round(us * _PS_PER_US)
