"""Nodes without a grid: on a circle with a cable as a chord (full mesh, ring), or two of them side
by side.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from linkwright.views.drawing.picture import PITCH_X, Picture, Point, cable_pairs, line

if TYPE_CHECKING:
    from linkwright.network import Network

LEAST_RADIUS = 80.0
FEW_CABLES = 200
"""Number of chords above which each is drawn fainter."""
MOST_CABLES = 5000
"""Number above which a drawing is a disc: one node's cables show more, and the file stays small."""


def draw_circle(network: Network) -> Picture:
    """Return the drawing of nodes on a circle, the first on top; of two nodes on a line."""
    picture = Picture()
    n_nodes = network.n_compute
    radius = max(LEAST_RADIUS, n_nodes * 0.85 * PITCH_X / (2 * math.pi))
    for node in range(n_nodes):
        x, y = _point(node, n_nodes, radius)
        picture.place(network, node, x, y)
    if network.front_end is not None:
        x, y = _point(0, n_nodes, radius)
        is_pair = n_nodes == 2
        picture.place(
            network, network.front_end, x - is_pair * 1.3 * PITCH_X, y - (not is_pair) * 46
        )
    pairs = cable_pairs(network)
    if len(pairs) > MOST_CABLES:
        pairs = [pair for pair in pairs if 0 in (pair.a, pair.b)]
        picture.note = f"only the cables of {network.device_names[0]} are drawn"
    for pair in pairs:
        a, b = picture.boxes[pair.a], picture.boxes[pair.b]
        style = "cable faint" if len(pairs) > FEW_CABLES else "cable"
        if network.front_end in (pair.a, pair.b):
            style = "cable to-front-end"
        picture.connect(pair, line((a.x, a.y), (b.x, b.y)), style)
    return picture


def _point(node: int, n_nodes: int, radius: float) -> Point:
    if n_nodes <= 2:
        return node * 2.6 * PITCH_X, 0.0
    angle = 2 * math.pi * node / n_nodes - math.pi / 2
    return radius * math.cos(angle), radius * math.sin(angle)
