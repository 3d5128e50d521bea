"""Several hubs or switches that each hold the nodes: parallel bars, with the nodes in rows between
them.

Bars alternate above and below, the first two next to the nodes. The nodes of a column share a track
to each bar: tracks to the bars above run on its left, tracks to the bars below on its right, and
tracks to an outer bar behind the inner ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwright.views.drawing.picture import (
    NODE_HEIGHT,
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

NODES_PER_ROW_OF_ONE = 3.5
"""Nodes for each squared row: 16 are in two rows, 100 in five."""
ROW_PITCH = 0.75 * PITCH_Y
BAR_GAP = 56.0
"""Distance from the nearest row to the first bar."""
BAR_PITCH = SWITCH_HEIGHT + 14.0
TRACK_PITCH = 6.0
"""Distance between the tracks of a column."""


def are_buses(network: Network) -> bool:
    """Return whether every hub and switch with a cable holds more than half of the cabled nodes,
    and no cable connects two of them.
    """
    ends = np.sort(network.wiring.joined_devices, axis=1)
    if len(ends) == 0 or (ends[:, 0] >= network.n_nodes).any():
        return False
    _, n_held = np.unique(np.unique(ends, axis=0)[:, 1], return_counts=True)
    return bool((2 * n_held > len(np.unique(ends[:, 0]))).all())


def draw_buses(network: Network) -> Picture:
    """Return the drawing of nodes between parallel bars."""
    picture, pairs = Picture(), cable_pairs(network)
    bars = sorted({max(pair.a, pair.b) for pair in pairs})
    n_rows = max(1, round((network.n_nodes / NODES_PER_ROW_OF_ONE) ** 0.5))
    n_columns = -(-network.n_nodes // n_rows)
    for node in range(network.n_nodes):
        picture.place(network, node, 0.0, 0.0)
    widest = max(box.width for box in picture.boxes.values())
    pitch = max(PITCH_X, widest + TRACK_PITCH * (len(bars) + 3))
    for node in range(network.n_nodes):
        row, column = divmod(node, n_columns)
        picture.place(network, node, column * pitch, row * ROW_PITCH)
    bottom = (n_rows - 1) * ROW_PITCH
    middle, width = (n_columns - 1) * pitch / 2, n_columns * pitch + TRACK_PITCH
    for index, bar in enumerate(bars):
        outwards, is_below = divmod(index, 2)
        away = BAR_GAP + outwards * BAR_PITCH
        picture.place(network, bar, middle, bottom + away if is_below else -away, width)
    for pair in pairs:
        _connect(picture, network, pair, bars)
    return picture


def _connect(picture: Picture, network: Network, pair: CablePair, bars: list[int]) -> None:
    """Draw a cable along the track of its column and bar."""
    node, bar = sorted((pair.a, pair.b))
    outwards, is_below = divmod(bars.index(bar), 2)
    from_, to, side = picture.boxes[node], picture.boxes[bar], 1 if is_below else -1
    # Stubs of the farther tracks leave the node nearer to its middle, so that none runs along
    # another.
    n_outwards = -(-len(bars) // 2)
    y = from_.y + side * NODE_HEIGHT * 0.35 * (1 - outwards / n_outwards)
    track = from_.x + side * (from_.width / 2 + TRACK_PITCH * (outwards + 1))
    path = line((from_.x, y), (track, y), (track, to.y - side * SWITCH_HEIGHT / 2))
    is_of_front_end = network.front_end in (pair.a, pair.b)
    picture.connect(pair, path, "cable to-front-end" if is_of_front_end else "cable")
