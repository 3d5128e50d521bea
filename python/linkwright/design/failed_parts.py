"""Failed parts, by the names in a plan's tables, and the cables that fail with them.

A node, hub or switch fails with all its cables, a chassis with the cables of its logical switches,
a unit of a stack with the cables plugged into it; the other units are assumed to continue as one.
A NIC fails with its cable.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwright.design.names import chassis_names, nic_names, unit_names
from linkwright.design.topologies.numbered import cable_names
from linkwright.design.topologies.wiring import Wiring
from linkwright.errors import DesignError, shown
from linkwright.records.read_only import ArrayRecord

__all__ = ["FailedParts", "failed_parts"]

_EndTest = Callable[[NDArray[np.uint32], NDArray[np.uint32]], NDArray[np.bool_]]

MOST_SUGGESTED = 3
"""Known names that a message offers for an unknown one."""


class FailedParts(ArrayRecord):
    """The failed parts of a wiring.

    Attributes
    ----------
    names : tuple of str
        Names as given, each once.
    device : ndarray of bool, shape (n_devices,)
        Which devices are dead.
    cable : ndarray of bool, shape (n_cables,)
        Which cables no longer connect anything.
    """

    names: tuple[str, ...]
    device: NDArray[np.bool_]
    cable: NDArray[np.bool_]


def failed_parts(parts: Sequence[str], wiring: Wiring, names: Sequence[str]) -> FailedParts:
    """Return all that fails with the named parts.

    Parameters
    ----------
    parts : sequence of str
        Names of devices, chassis, units of a stack, cables, and NICs such as "n05:eth1".
    wiring : Wiring
        Devices and cables.
    names : sequence of str
        Names of its devices.

    Raises
    ------
    DesignError
        If a name is unknown, or is that of a cable between two units of a stack.
    """
    device = np.zeros(len(names), dtype=np.bool_)
    cable = np.zeros(len(wiring.cable_a), dtype=np.bool_)
    if not parts:
        # Millions of cables have names that are never looked up.
        return FailedParts(names=(), device=device, cable=cable)
    known = _Known(wiring, names)
    for part in dict.fromkeys(parts):
        known.kill(part, device, cable)
    ends = wiring.joined_devices
    cable |= device[ends].any(axis=1)
    return FailedParts(names=tuple(dict.fromkeys(parts)), device=device, cable=cable)


class _Known:
    """The names of a wiring, and the part of each."""

    def __init__(self, wiring: Wiring, names: Sequence[str]) -> None:
        self._wiring, self._names = wiring, names
        self._n_plugged = len(wiring.cable_a)
        n_cables = self._n_plugged + wiring.n_stack_cables
        self._devices = {name: device for device, name in enumerate(names)}
        self._chassis = {
            name: number for number, name in enumerate(chassis_names(wiring.n_chassis))
        }
        self._cables = {name: number for number, name in enumerate(cable_names(n_cables))}
        self._units = {
            name: (device, unit)
            for device in wiring.stacks.tolist()
            for unit, name in enumerate(unit_names(names[device], int(wiring.stack_units[device])))
        }

    def kill(self, part: str, device: NDArray[np.bool_], cable: NDArray[np.bool_]) -> None:
        """Mark all that fails with a part."""
        node, _, nic = part.partition(":")
        if part in self._devices:
            device[self._devices[part]] = True
        elif part in self._chassis:
            device |= self._wiring.chassis == self._chassis[part]
        elif part in self._units:
            of_device, unit = self._units[part]
            n_units = int(self._wiring.stack_units[of_device])
            cable |= self._is_end(lambda d, port: (d == of_device) & (port % n_units == unit))
        elif part in self._cables:
            cable[self._plugged(part)] = True
        elif nic and self._devices.get(node, self._wiring.n_nodes) < self._wiring.n_nodes:
            port = self._nic(node, nic)
            cable |= self._is_end(lambda d, p: (d == self._devices[node]) & (p == port))
        else:
            raise self._unknown(part)

    def _is_end(self, matches: _EndTest) -> NDArray[np.bool_]:
        a, b = self._wiring.cable_a, self._wiring.cable_b
        return matches(a[:, 0], a[:, 1]) | matches(b[:, 0], b[:, 1])

    def _plugged(self, name: str) -> int:
        number = self._cables[name]
        if number >= self._n_plugged:
            raise DesignError(
                f"cable {name} connects two units of a stack, which act as one device here",
                "name the units that it disconnects instead",
            )
        return number

    def _nic(self, node: str, nic: str) -> int:
        nics = nic_names(self._wiring, self._devices[node])
        if nic not in nics:
            raise DesignError(f"node '{node}' has no NIC {shown(nic)}", f"it has {', '.join(nics)}")
        return nics.index(nic)

    def _unknown(self, part: str) -> DesignError:
        known = [*self._devices, *self._chassis, *self._units, *self._cables]
        near = _near(part.partition(":")[0], known)
        offer = f"did you mean {' or '.join(near)}? " if near else ""
        return DesignError(
            f"there is no part {shown(part)} in this design",
            f"{offer}names are in devices.csv and cables.csv of its plan, a NIC is NODE:NIC",
        )


def _near(name: str, known: Sequence[str]) -> list[str]:
    """Return the known name with the same number, or else the names with the closest spelling."""
    number = re.compile(r"(?<!\d)0+(?=\d)")
    meant = number.sub("", name).lower()
    same = [other for other in known if number.sub("", other) == meant]
    return same or difflib.get_close_matches(name, known, n=MOST_SUGGESTED)
