"""Every single failure of a network by name, and as the columns that the proof takes.

Counted are cables, NICs with a cable, hubs, switches, chassis with all their logical switches, and
nodes; where nothing is plugged in, nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwright.network import HUB, NODE

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["FailureColumns", "SingleFailure", "as_columns", "single_failures"]

CABLE, PORT, DEVICE = 0, 1, 2
"""Codes of what dies, as the proof has them."""


@dataclass(frozen=True)
class SingleFailure:
    """Parts that fail together."""

    kind: str
    name: str
    parts: tuple[tuple[int, int], ...]
    """Code and id of each part; ports count over all devices."""


class FailureColumns(NamedTuple):
    """Failures as the proof takes them."""

    start: NDArray[np.uint32]
    """Where the parts of each failure begin, and how many there are in all."""
    part_kind: NDArray[np.uint8]
    part_id: NDArray[np.uint32]


def single_failures(network: Network) -> list[SingleFailure]:
    """Return all single failures: cables, NICs, chassis, hubs, switches, nodes."""
    return [*_cables(network), *_nics(network), *_chassis(network), *_devices(network)]


def as_columns(failures: list[SingleFailure]) -> FailureColumns:
    """Return failures as columns."""
    parts = [part for failure in failures for part in failure.parts]
    return FailureColumns(
        np.cumsum([0, *(len(one.parts) for one in failures)], dtype=np.uint32),
        np.array([kind for kind, _ in parts], dtype=np.uint8),
        np.array([part for _, part in parts], dtype=np.uint32),
    )


def _cables(network: Network) -> Iterator[SingleFailure]:
    ends = zip(network.cable_a.tolist(), network.cable_b.tolist(), strict=True)
    for cable, (a, b) in enumerate(ends):
        name = f"cable {_connector(network, *a)} – {_connector(network, *b)}"
        yield SingleFailure("cable", name, ((CABLE, cable),))


def _nics(network: Network) -> Iterator[SingleFailure]:
    start = network.core.fabric.port_start
    for device, port in sorted([*network.cable_a.tolist(), *network.cable_b.tolist()]):
        if network.device_kind[device] == NODE:
            name = f"NIC {_connector(network, device, port)}"
            yield SingleFailure("NIC", name, ((PORT, int(start[device]) + port),))


def _chassis(network: Network) -> Iterator[SingleFailure]:
    for chassis, name in enumerate(network.chassis_names):
        inside = [device for device in _wired(network) if network.chassis[device] == chassis]
        parts = tuple((DEVICE, device) for device in inside)
        if parts:
            yield SingleFailure("chassis", f"chassis {name}", parts)


def _devices(network: Network) -> Iterator[SingleFailure]:
    kinds = network.device_kind.tolist()
    names = ["node" if kind == NODE else "hub" if kind == HUB else "switch" for kind in kinds]
    for device in sorted(_wired(network), key=lambda device: (names[device] == "node", device)):
        name = f"{names[device]} {network.device_names[device]}"
        yield SingleFailure(names[device], name, ((DEVICE, device),))


def _wired(network: Network) -> list[int]:
    """Return the devices that have a cable."""
    found: list[int] = np.union1d(network.cable_a[:, 0], network.cable_b[:, 0]).tolist()
    return found


def _connector(network: Network, device: int, port: int) -> str:
    return f"{network.device_names[device]} {network.port_name(device, port)}"
