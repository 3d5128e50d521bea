"""Drawings of networks as SVG: the layout follows from coordinates and from the switches, not from
names.

Nothing is searched or optimised: a torus, mesh or P-Mesh has coordinates, groups lie on a circle or
a grid, a tree has levels, and all others fit on bars or a circle. So the drawing of a design is
always the same. Only places in the drawing that the design gives change it (moved.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from linkwright.network import NODE
from linkwright.views.drawing.between import draw_between
from linkwright.views.drawing.buses import are_buses, draw_buses
from linkwright.views.drawing.circle import draw_circle
from linkwright.views.drawing.grid import draw_grid
from linkwright.views.drawing.groups import draw_groups, joins_groups
from linkwright.views.drawing.lines import draw_lines, has_lines
from linkwright.views.drawing.moved import move_devices
from linkwright.views.drawing.picture import Picture
from linkwright.views.drawing.star import draw_star
from linkwright.views.drawing.svg import to_svg
from linkwright.views.drawing.tree import draw_tree

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["draw", "picture_of"]


def draw(network: Network, hues: Mapping[int, int] | None = None) -> str:
    """Return the drawing of a network as one `<svg>` element.

    Parameters
    ----------
    network : Network
        The network.
    hues : mapping of int to int, optional
        Number of the colour of each cable. Default: the colours of dimensions alone.

    Every device and cable has a tooltip with its name and ports. Colours come from the style sheet
    of the page, by classes such as `node`, `switch` and `cable`.
    """
    picture = picture_of(network)
    if hues is not None:
        picture.wires = [
            replace(wire, style=f"{wire.style} hue-{hues[wire.cables[0]]}")
            for wire in picture.wires
        ]
    return to_svg(picture, f"{network.kind} with {network.n_compute} nodes")


def picture_of(network: Network) -> Picture:
    """Return the picture of a network, before it becomes text."""
    picture = _layout(network)
    picture.place_rest(network)
    move_devices(picture, network)
    return picture


def _layout(network: Network) -> Picture:
    n_others = int((network.wiring.kind != NODE).sum())
    if n_others == 0:
        return draw_grid(network) if _is_grid(network) else draw_circle(network)
    if _joins_nodes(network):
        return draw_between(network)
    if network.wiring.is_routed_switch.any():
        return draw_tree(network)
    if n_others == 1:
        return draw_star(network)
    if are_buses(network):
        return draw_buses(network)
    if joins_groups(network):
        return draw_groups(network)
    return draw_lines(network) if has_lines(network) else draw_tree(network)


def _joins_nodes(network: Network) -> bool:
    """Return whether some cables connect nodes while others connect hubs or switches."""
    return bool((network.wiring.kind[network.wiring.joined_devices] == NODE).all(axis=1).any())


def _is_grid(network: Network) -> bool:
    """Return whether cables follow coordinates: several axes, or one whose nodes form a chain."""
    if len(network.shape) > 1:
        return True
    compute = (network.wiring.cable_a[:, 0] < network.n_compute) & (
        network.wiring.cable_b[:, 0] < network.n_compute
    )
    steps = np.abs(
        network.wiring.cable_a[compute, 0].astype(np.int64)
        - network.wiring.cable_b[compute, 0].astype(np.int64)
    )
    return network.n_compute > 2 and bool((steps == 1).all())
