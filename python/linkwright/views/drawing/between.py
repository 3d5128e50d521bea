"""Any network without a drawing of its own: nodes on a grid, each hub or switch in the gap nearest
to its neighbours, cables straight.

Nodes without coordinates fill a grid that is about as wide as high. Gaps lie between four nodes, so
that no box covers another; they continue outside the grid.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from linkwright.network import NODE
from linkwright.views.drawing.grid import place_on_grid
from linkwright.views.drawing.picture import PITCH_X, PITCH_Y, Picture, Point, cable_pairs, line

if TYPE_CHECKING:
    from linkwright.network import Network

STRETCH = 1.7
"""A grid with hubs and switches between its nodes is wider than one without."""


def draw_between(network: Network) -> Picture:
    """Return the drawing of nodes with hubs and switches between them."""
    picture, pairs = Picture(), cable_pairs(network)
    for node in np.flatnonzero(network.wiring.kind == NODE).tolist():
        picture.place(network, node, *_node_point(network, node))
    neighbours: dict[int, list[int]] = {}
    for pair in pairs:
        neighbours.setdefault(pair.a, []).append(pair.b)
        neighbours.setdefault(pair.b, []).append(pair.a)
    taken: set[tuple[int, int]] = set()
    for device in np.flatnonzero(network.wiring.kind != NODE).tolist():
        near = [
            picture.boxes[other] for other in neighbours.get(device, []) if other in picture.boxes
        ]
        middle = (
            (sum(b.x for b in near) / len(near), sum(b.y for b in near) / len(near))
            if near
            else (0.0, 0.0)
        )
        picture.place(network, device, *_nearest_gap(middle, taken))
    for pair in pairs:
        a, b = picture.boxes[pair.a], picture.boxes[pair.b]
        is_front_end = network.front_end in (pair.a, pair.b)
        style = "cable to-front-end" if is_front_end else "cable"
        picture.connect(pair, line((a.x, a.y), (b.x, b.y)), style)
    picture.frame_chassis(network)
    return picture


def _node_point(network: Network, node: int) -> Point:
    if node == network.front_end:
        x, y = place_on_grid((1, 1), [0, 0])
        return x - STRETCH * PITCH_X, y - STRETCH * PITCH_Y
    place = network.wiring.coordinates[node].tolist()
    if len(network.shape) > 1 and min(place) >= 0:
        x, y = place_on_grid(network.shape, place)
        # Blocks are a fraction of a pitch apart; gaps are found only between whole pitches.
        x, y = math.ceil(x / PITCH_X - 0.01) * PITCH_X, math.ceil(y / PITCH_Y - 0.01) * PITCH_Y
    else:
        n_columns = math.isqrt(network.n_compute - 1) + 1
        row, column = divmod(node, n_columns)
        # Rows run to and fro, so that the cables of a ring are sides of the grid.
        column = n_columns - 1 - column if row % 2 else column
        x, y = column * PITCH_X, row * PITCH_Y
    return x * STRETCH, y * STRETCH


def _nearest_gap(middle: Point, taken: set[tuple[int, int]]) -> Point:
    """Return the free gap nearest to a point, and take it."""
    width, height = STRETCH * PITCH_X, STRETCH * PITCH_Y
    column, row = round(middle[0] / width - 0.5), round(middle[1] / height - 0.5)

    def distance(gap: tuple[int, int]) -> tuple[float, tuple[int, int]]:
        x, y = (gap[0] + 0.5) * width, (gap[1] + 0.5) * height
        return (x - middle[0]) ** 2 + (y - middle[1]) ** 2, gap

    for reach in itertools.count(1):
        around = itertools.product(
            range(column - reach, column + reach + 1), range(row - reach, row + reach + 1)
        )
        free = [gap for gap in around if gap not in taken]
        if free:
            best = min(free, key=distance)
            taken.add(best)
            return (best[0] + 0.5) * width, (best[1] + 0.5) * height
    raise AssertionError("there is always a gap further out")
