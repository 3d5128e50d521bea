"""Groups of cables that have a colour in common: a dimension of the network, or a plane.

A dimension is an axis along which cables or lines of switches run. Where there is none, cables to
switches that no cable joins are planes; uplinks and cables inside stacks are groups of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwright.design.topologies.wiring import NODE, UPLINK

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["N_HUES", "CableGroup", "cable_groups"]

N_HUES = 8
"""Colours in drawing.css; a ninth group has the colour of the first."""
AXES = "XYZ"


@dataclass(frozen=True)
class CableGroup:
    """Cables of one colour.

    Attributes
    ----------
    name : str
        Name for people, such as "dimension X".
    hue : int
        Number of the colour.
    cables : tuple of int
        Numbers of the cables.
    """

    name: str
    hue: int
    cables: tuple[int, ...]


def cable_groups(network: Network) -> tuple[CableGroup, ...]:
    """Return the groups of a network's cables: dimensions in their order, then all others in the
    order of their first cable. Cables between the units of stacks are numbered after all others.
    """
    wiring = network.wiring
    found: dict[tuple[int, str], list[int]] = {}
    for cable, group in enumerate(_group_of_each(network)):
        found.setdefault(group, []).append(cable)
    n_plugged = len(wiring.cable_a)
    if wiring.n_stack_cables:
        inside = range(n_plugged, n_plugged + wiring.n_stack_cables)
        found[len(AXES) + len(network.shape), "inside stacks"] = list(inside)
    ordered = sorted(found.items(), key=lambda one: one[0][0])
    return tuple(
        CableGroup(name, number % N_HUES, tuple(cables))
        for number, ((_, name), cables) in enumerate(ordered)
    )


def _group_of_each(network: Network) -> Iterator[tuple[int, str]]:
    """Yield the rank and the name of the group of each cable."""
    has_dimensions = _has_dimensions(network)
    planes = _planes(network)
    beyond = len(network.shape)
    kinds = network.wiring.cable_kind.tolist()
    for (a, b), kind in zip(network.wiring.joined_devices.tolist(), kinds, strict=True):
        dimension = _dimension(network, a, b) if has_dimensions else None
        boxes = [device for device in (a, b) if network.wiring.kind[device] != NODE]
        if network.front_end in (a, b):
            yield beyond + 1, "front end"
        elif dimension is not None:
            yield dimension, f"dimension {AXES[dimension : dimension + 1] or dimension + 1}"
        elif not boxes:
            yield beyond, "between nodes"
        elif kind == UPLINK:
            yield beyond, "uplinks"
        else:
            yield beyond, planes[boxes[-1]]


def _has_dimensions(network: Network) -> bool:
    """Return whether cables or lines of switches run along several axes."""
    wiring = network.wiring
    if len(network.shape) < 2:
        return False
    if (wiring.joined_devices < network.n_nodes).all():
        return True
    extends = wiring.coordinates[network.n_nodes :] < 0
    of_lines = extends[extends.sum(axis=1) == 1]
    return int(of_lines.any(axis=0).sum()) > 1


def _dimension(network: Network, a: int, b: int) -> int | None:
    """Return the dimension of a cable, 0 for the last axis; None if it has none."""
    coordinates = network.wiring.coordinates
    if max(a, b) < network.n_nodes:
        along = coordinates[a] != coordinates[b]
    else:
        ends = coordinates[[a, b]] < 0
        lines = ends[ends.sum(axis=1) == 1]
        along = lines[0] if len(lines) else np.zeros(len(network.shape), dtype=np.bool_)
    return len(along) - 1 - int(np.flatnonzero(along)[0]) if along.sum() == 1 else None


def _planes(network: Network) -> dict[int, str]:
    """Return the name of the plane of each hub and switch: those that cables join are one."""
    is_box = network.wiring.kind != NODE
    first = {box: box for box in np.flatnonzero(is_box).tolist()}

    def root(box: int) -> int:
        while first[box] != box:
            box = first[box]
        return box

    for a, b in network.wiring.joined_devices.tolist():
        if is_box[a] and is_box[b]:
            low, high = sorted((root(a), root(b)))
            first[high] = low
    members: dict[int, list[int]] = {}
    for box in first:
        members.setdefault(root(box), []).append(box)
    return {
        box: _plane_name(network, boxes, number, len(members))
        for number, boxes in enumerate(members.values())
        for box in boxes
    }


def _plane_name(network: Network, boxes: list[int], number: int, n_planes: int) -> str:
    if len(boxes) == 1:
        return f"to {network.device_names[boxes[0]]}"
    return "to switches" if n_planes == 1 else f"plane {number + 1}"
