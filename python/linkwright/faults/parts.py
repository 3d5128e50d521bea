"""Parts of a compiled network by the names in its plan, for parts that fail during a run.

A hub or switch is named as it is racked: a device, a chassis with all its logical switches, or a
unit of a stack, which fails together with the cables plugged into it. A number counts the parts of
a kind from 0, in the order of the plan's tables.
"""

from __future__ import annotations

import difflib
import re

import numpy as np

from linkwright.design.names import nic_names, plugged_cable_names, unit_names
from linkwright.errors import UsageError, shown
from linkwright.network import HUB, NODE, SWITCH, Network

__all__ = ["PART_KINDS", "Parts", "parts_named"]

PART_KINDS = ("cable", "nic", "hub", "switch", "node")
"""Kinds of parts that fail, in the order in which they are shown."""

Parts = tuple[tuple[int, int], ...]
"""Code and id of each part."""

_CABLE, _PORT, _DEVICE = 0, 1, 2
_DEVICE_KIND = {"node": NODE, "hub": HUB, "switch": SWITCH}
_MOST_SUGGESTED = 3


def parts_named(network: Network, kind: str, name: str) -> tuple[str, Parts]:
    """Return the full name of a part, beginning with its kind, and its code and ids in the network.

    Raises
    ------
    UsageError
        If there is no such part.
    """
    if kind == "nic":
        return _nic(network, name)
    known = _cables(network) if kind == "cable" else _boxes(network, kind)
    chosen = _chosen(name, list(known))
    if chosen is None:
        raise _unknown(network, kind, name, list(known))
    return f"{kind}:{chosen}", known[chosen]


def _cables(network: Network) -> dict[str, Parts]:
    names = plugged_cable_names(network.wiring)
    return {name: ((_CABLE, cable),) for cable, name in enumerate(names)}


def _boxes(network: Network, kind: str) -> dict[str, Parts]:
    found: dict[str, Parts] = {}
    devices = np.flatnonzero(network.wiring.kind == _DEVICE_KIND[kind]).tolist()
    for device in devices:
        found[network.device_names[device]] = ((_DEVICE, device),)
    for device in devices if kind != "node" else []:
        n_units = int(network.wiring.stack_units[device])
        for unit, name in enumerate(unit_names(network.device_names[device], n_units)):
            if n_units > 1:
                found[name] = _plugged_into(network, device, (unit, n_units))
    if kind == "switch":
        for chassis, name in enumerate(network.chassis_names):
            of_chassis = np.flatnonzero(network.wiring.chassis == chassis).tolist()
            found[name] = tuple((_DEVICE, device) for device in of_chassis)
    return found


def _plugged_into(network: Network, device: int, unit: tuple[int, int]) -> Parts:
    number, n_units = unit
    ends = (network.wiring.cable_a, network.wiring.cable_b)
    is_end = [(end[:, 0] == device) & (end[:, 1] % n_units == number) for end in ends]
    return tuple((_CABLE, cable) for cable in np.flatnonzero(is_end[0] | is_end[1]).tolist())


def _nic(network: Network, name: str) -> tuple[str, Parts]:
    node_name, _, nic = name.partition(":")
    nodes = list(network.device_names[: network.n_nodes])
    chosen = _chosen(node_name, nodes)
    if chosen is None:
        raise _unknown(network, "node", node_name, nodes)
    node = nodes.index(chosen)
    nics = nic_names(network.wiring, node)
    port_name = _chosen(nic, nics)
    if port_name is None:
        raise UsageError(
            f"node '{chosen}' has no NIC {shown(nic)}",
            f"it has {', '.join(nics)}" if nics else "it has none at all",
        )
    port = network.port_id(node, nics.index(port_name))
    return f"nic:{chosen}:{port_name}", ((_PORT, port),)


def _chosen(name: str, known: list[str]) -> str | None:
    """Return a known name, or the name with a given number."""
    if name in known:
        return name
    is_place = bool(re.fullmatch(r"\d{1,9}", name, re.ASCII)) and int(name) < len(known)
    return known[int(name)] if is_place else None


def _unknown(network: Network, kind: str, name: str, known: list[str]) -> UsageError:
    if not known:
        return UsageError(
            f"'{network.name}' has no {kind} that could fail", "name a part that it has"
        )
    number = re.compile(r"(?<!\d)0+(?=\d)")
    meant = number.sub("", name).lower()
    near = [other for other in known if number.sub("", other) == meant]
    near = near or difflib.get_close_matches(name, known, n=_MOST_SUGGESTED)
    offer = f"did you mean {' or '.join(near)}? " if near else ""
    return UsageError(
        f"there is no {kind} {shown(name)} in '{network.name}'",
        f"{offer}it has {known[0]} to {known[-1]}, or 0 to {len(known) - 1} by number",
    )
