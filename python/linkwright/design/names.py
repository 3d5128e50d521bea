"""Names of devices and ports: those that the design gives, or else derived from the arrays of a
wiring. Ids are used everywhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwright.design.topologies.numbered import cable_names, numbered

if TYPE_CHECKING:
    from linkwright.design.topologies import Wiring

__all__ = [
    "bond_names",
    "chassis_names",
    "device_names",
    "interface_names",
    "nic_name",
    "nic_names",
    "plugged_cable_names",
    "port_name",
    "unit_names",
]

_SINGLE = frozenset({"fe"})
"""Stems with at most one device, which gets no number."""


def device_names(wiring: Wiring, of_nodes: str | None = None) -> tuple[str, ...]:
    """Return the name of each device: the design's, or its stem and its number among those of that
    stem, in equal width, for example n0, n1, fe, sw0; nodes are named after their coordinates if
    `of_nodes` is "coordinates".
    """
    if wiring.particulars is not None:
        return wiring.particulars.device_names
    stems = wiring.stem
    names = np.empty(len(stems), dtype=object)
    for stem in dict.fromkeys(stems.tolist()):
        members = np.flatnonzero(stems == stem)
        names[members] = [stem] if stem in _SINGLE else numbered(stem, len(members))
        coordinates = wiring.coordinates[members]
        if of_nodes == "coordinates" and members[0] < wiring.n_nodes and (coordinates >= 0).all():
            names[members] = [f"{stem}{'-'.join(map(str, row))}" for row in coordinates.tolist()]
    return tuple(names.tolist())


def chassis_names(n_chassis: int) -> tuple[str, ...]:
    """Return the name of each chassis."""
    return numbered("chassis", n_chassis)


def unit_names(device: str, n_units: int) -> tuple[str, ...]:
    """Return the name of each box of a hub or switch; a single box has the name of the device.

    Examples
    --------
    >>> unit_names("sw0", 2)
    ('sw0.0', 'sw0.1')
    """
    return tuple(f"{device}.{unit}" for unit in range(n_units)) if n_units > 1 else (device,)


def nic_name(wiring: Wiring, node: int, port: int) -> str:
    """Return the name of a node's interface: the design's, else `eth0`; `lo` for port -1."""
    return "lo" if port < 0 else port_name(wiring, node, port)


def port_name(wiring: Wiring, device: int, port: int, *, first: int = 1) -> str:
    """Return the name of a connector: the design's, else a node's NIC is `eth0`, and a hub's or
    switch's port `p1`, since boxes count their ports from 1, or from `first`.
    """
    if wiring.particulars is not None:
        return wiring.particulars.port_names[device][port]
    return f"eth{port}" if device < wiring.n_nodes else f"p{first + port}"


def nic_names(wiring: Wiring, node: int) -> list[str]:
    """Return the names of a node's interfaces, in the order of its ports."""
    return [nic_name(wiring, node, port) for port in range(int(wiring.n_ports[node]))]


def interface_names(wiring: Wiring, node: int) -> dict[str, int]:
    """Return the first port of each interface of a node that routes can name: NICs and bonds."""
    names = {name: port for port, name in enumerate(nic_names(wiring, node))}
    bonded = {
        of: port for (owner, port), of in reversed(bond_names(wiring).items()) if owner == node
    }
    return names | bonded


def bond_names(wiring: Wiring) -> dict[tuple[int, int], str]:
    """Return the bond of each bonded NIC, per (node, port); bonds are numbered per node."""
    names: dict[tuple[int, int], str] = {}
    n_bonds: dict[int, int] = {}
    for node, first, n_ports in wiring.bonds.tolist():
        number = n_bonds[node] = n_bonds.get(node, -1) + 1
        names.update({(node, port): f"bond{number}" for port in range(first, first + n_ports)})
    return names


def plugged_cable_names(wiring: Wiring) -> tuple[str, ...]:
    """Return the name of each cable of a wiring; cables inside stacks are numbered after them."""
    n_plugged = len(wiring.cable_a)
    return cable_names(n_plugged + wiring.n_stack_cables)[:n_plugged]
