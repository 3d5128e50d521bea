"""One hub or switch: a bar with its nodes in rows above and below, each column wired along a track.

A single row is wired straight; deeper columns share a track on their left, so that 600 nodes stay
readable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwright.network import NODE
from linkwright.views.drawing.picture import (
    PITCH_X,
    PITCH_Y,
    SWITCH_HEIGHT,
    CablePair,
    Picture,
    cable_pairs,
    line,
)

if TYPE_CHECKING:
    from linkwright.network import Network

NODES_PER_ROW_OF_ONE = 8
"""Nodes for each squared row of a side: 16 are in one row above and one below, 36 in two and two.
"""
BAR_GAP = 62.0
"""Distance from the bar to the nearest row."""


def draw_star(network: Network) -> Picture:
    """Return the drawing of nodes around one hub or switch."""
    picture = Picture()
    centre = int(np.flatnonzero(network.wiring.kind != NODE)[0])
    n_nodes = network.n_nodes
    n_rows = max(1, round((n_nodes / NODES_PER_ROW_OF_ONE) ** 0.5))
    per_side = -(-n_nodes // 2)
    n_columns = -(-per_side // n_rows)
    for node in range(n_nodes):
        side, place = divmod(node, per_side)
        row, column = divmod(place, n_columns)
        # Above, the first row is the highest: numbers read from top left to bottom right.
        depth = row if side else -(-per_side // n_columns) - 1 - row
        y = (BAR_GAP + depth * 0.75 * PITCH_Y) * (1 if side else -1)
        picture.place(network, node, column * PITCH_X, y)
    width = (n_columns - 1) * PITCH_X + 0.75 * PITCH_X
    picture.place(network, centre, (n_columns - 1) * PITCH_X / 2, 0.0, width)
    for pair in cable_pairs(network):
        _connect(picture, network, pair, is_straight=n_rows == 1)
    return picture


def _connect(picture: Picture, network: Network, pair: CablePair, *, is_straight: bool) -> None:
    node, centre = (picture.boxes[device] for device in sorted((pair.a, pair.b)))
    style = "cable to-front-end" if network.front_end in (pair.a, pair.b) else "cable"
    rim = centre.y + (SWITCH_HEIGHT / 2 if node.y > centre.y else -SWITCH_HEIGHT / 2)
    if is_straight:
        picture.connect(pair, line((node.x, node.y), (node.x, rim)), style)
        return
    track = node.x - PITCH_X / 2
    bend = rim + (BAR_GAP - SWITCH_HEIGHT) / 2 * (1 if rim > centre.y else -1)
    target = min(max(track, centre.corners[0] + 6), centre.corners[2] - 6)
    picture.connect(
        pair, line((node.x, node.y), (track, node.y), (track, bend), (target, rim)), style
    )
