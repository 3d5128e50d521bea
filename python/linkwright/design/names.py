"""Names of devices, derived from their arrays when a network is compiled; ids are used everywhere
else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["cable_names", "chassis_names", "device_names", "unit_names"]

_SINGLE = frozenset({"fe"})
"""Stems of which there is one at most, and which are therefore not counted."""


def device_names(stems: NDArray[np.str_]) -> tuple[str, ...]:
    """Return the name of each device: its stem and its number among those of that stem, in equal
    width.

    Examples
    --------
    >>> device_names(np.array(["n", "n", "fe", "x", "x", "y"]))
    ('n0', 'n1', 'fe', 'x0', 'x1', 'y0')
    """
    names = np.empty(len(stems), dtype=object)
    for stem in dict.fromkeys(stems.tolist()):
        members = np.flatnonzero(stems == stem)
        names[members] = [stem] if stem in _SINGLE else _counted(stem, len(members))
    return tuple(names.tolist())


def chassis_names(n_chassis: int) -> tuple[str, ...]:
    """Return the name of each chassis."""
    return tuple(_counted("chassis", n_chassis))


def unit_names(device: str, n_units: int) -> tuple[str, ...]:
    """Return the name of each box that serves as a hub or switch: its own where it is one box.

    Examples
    --------
    >>> unit_names("sw0", 2)
    ('sw0.0', 'sw0.1')
    """
    return tuple(f"{device}.{unit}" for unit in range(n_units)) if n_units > 1 else (device,)


def cable_names(n_cables: int) -> tuple[str, ...]:
    """Return the name of each cable, those between the units of a stack at the end."""
    return tuple(_counted("c", n_cables))


def _counted(stem: str, n_members: int) -> Sequence[str]:
    width = len(str(max(n_members - 1, 0)))
    return [f"{stem}{number:0{width}}" for number in range(n_members)]
