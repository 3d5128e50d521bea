"""Trees and fat trees of switches: the root or the core on top, lower switches below, the nodes of
each leaf in a block.

The level of a switch is its distance from the nearest node; the width of blocks makes the whole
drawing about twice as wide as high. Leaves under the same switches are adjacent, like a pod. The
farther the cables between two levels lead to the sides, the larger the distance of the levels.
Parallel uplinks are one thick line. The switch of a second network of the same nodes is above the
first. A front end on a switch without nodes of its own is to the right of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from linkwright.network import NODE
from linkwright.views.drawing.picture import (
    LETTER_WIDTH,
    PITCH_X,
    PITCH_Y,
    SWITCH_HEIGHT,
    SWITCH_WIDTH,
    CablePair,
    Picture,
    cable_pairs,
    line,
)

if TYPE_CHECKING:
    from linkwright.network import Network

NODE_PITCH_X, NODE_PITCH_Y = 0.86 * PITCH_X, 0.6 * PITCH_Y
LEVEL_HEIGHT = 96.0
BLOCK_GAP = 0.5
"""Room between the blocks of two switches, in pitches."""
POD_GAP = 1.0
"""Additional room between the blocks of leaves under different switches."""
FLATTEST = 4.0
"""Largest sideways extent of a cable between two levels, as a multiple of its height."""
WANTED_RATIO = 2.0


def draw_tree(network: Network) -> Picture:
    """Return the drawing of nodes under levels of switches."""
    picture, pairs = Picture(), cable_pairs(network)
    neighbours = _neighbours(network, pairs)
    levels = _levels(network, neighbours)
    blocks = _blocks(network, levels[0], neighbours)
    planes = [leaf for leaf in levels[0] if leaf not in blocks]
    if planes:
        levels.insert(1, planes)
    n_columns = _best_columns([len(block) for block in blocks.values()], len(levels))
    left, above = 0.0, _above(network, next(iter(blocks)), neighbours)
    for leaf, block in blocks.items():
        if above != (above := _above(network, leaf, neighbours)):
            left += POD_GAP * NODE_PITCH_X
        columns = max(1, min(n_columns, len(block)))
        for index, node in enumerate(block):
            row, column = divmod(index, columns)
            x = left + column * NODE_PITCH_X
            picture.place(network, node, x, LEVEL_HEIGHT * 0.62 + row * NODE_PITCH_Y)
        picture.place(network, leaf, left + (columns - 1) * NODE_PITCH_X / 2, 0.0)
        left += (columns + BLOCK_GAP) * NODE_PITCH_X
    y = 0.0
    for level in levels[1:]:
        y = _place_level(picture, network, level, neighbours, y)
    if network.front_end is not None and network.front_end not in picture.boxes:
        _place_next_to(picture, network, network.front_end, neighbours[network.front_end][0])
    for pair in pairs:
        _connect(picture, network, pair, is_deep=any(len(b) > n_columns for b in blocks.values()))
    return picture


def _neighbours(network: Network, pairs: list[CablePair]) -> list[list[int]]:
    neighbours: list[list[int]] = [[] for _ in network.device_names]
    for pair in pairs:
        neighbours[pair.a].append(pair.b)
        neighbours[pair.b].append(pair.a)
    return [sorted(near) for near in neighbours]


def _above(network: Network, leaf: int, neighbours: list[list[int]]) -> list[int]:
    """Return the switches directly above a leaf."""
    return [near for near in neighbours[leaf] if network.wiring.kind[near] != NODE]


def _levels(network: Network, neighbours: list[list[int]]) -> list[list[int]]:
    """Return the switches by their distance from the nearest compute node."""
    level = list(range(network.n_compute))
    seen = set(np.flatnonzero(network.wiring.kind == NODE).tolist())
    levels: list[list[int]] = []
    while True:
        level = sorted({near for device in level for near in neighbours[device]} - seen)
        if not level:
            return levels
        levels.append(level)
        seen.update(level)


def _blocks(
    network: Network, leaves: list[int], neighbours: list[list[int]]
) -> dict[int, list[int]]:
    """Return the nodes drawn under each leaf: every node once, under its first switch.

    A leaf whose nodes are all under others, such as the switch of a second network, has no block.
    """
    drawn: set[int] = set()
    blocks = {}
    for leaf in leaves:
        near = [d for d in neighbours[leaf] if network.wiring.kind[d] == NODE]
        own = [d for d in near if d not in drawn]
        if own:
            blocks[leaf] = own
            drawn.update(own)
    return blocks


def _best_columns(block_sizes: list[int], n_levels: int) -> int:
    """Return the columns per block that bring the drawing nearest to the wanted ratio."""

    def misfit(columns: int) -> float:
        n_rows = max(-(-size // columns) for size in block_sizes)
        width = sum(min(columns, size) + BLOCK_GAP for size in block_sizes) * NODE_PITCH_X
        height = n_rows * NODE_PITCH_Y + n_levels * LEVEL_HEIGHT
        return abs(math.log(width / height / WANTED_RATIO))

    return min(range(1, max(block_sizes) + 1), key=misfit)


def _place_level(
    picture: Picture,
    network: Network,
    level: list[int],
    neighbours: list[list[int]],
    below_y: float,
) -> float:
    """Put each switch over the middle of the devices below it, and keep neighbours apart; return
    the height of the level.
    """
    placed = {device: box.x for device, box in picture.boxes.items()}
    below = {
        switch: [placed[device] for device in neighbours[switch] if device in placed]
        for switch in level
    }
    wanted = {switch: sum(xs) / len(xs) for switch, xs in below.items()}
    order = sorted(level, key=lambda switch: (wanted[switch], switch))
    least_gap = _least_gap(network, level, max(placed.values()) - min(placed.values()))
    middle = sum(wanted.values()) / len(wanted)
    right = -math.inf
    xs = []
    for switch in order:
        right = max(wanted[switch], right + least_gap)
        xs.append(right)
    shift = middle - sum(xs) / len(xs)
    reach = max(
        abs(x + shift - end) for switch, x in zip(order, xs, strict=True) for end in below[switch]
    )
    y = below_y - max(LEVEL_HEIGHT, reach / FLATTEST)
    for switch, x in zip(order, xs, strict=True):
        picture.place(network, switch, x + shift, y)
    return y


def _least_gap(network: Network, level: list[int], room: float) -> float:
    """Return the distance of neighbours in a level: less than usual if they are too many for the
    room below, but never so little that names touch.
    """
    widest = max(LETTER_WIDTH * len(network.device_names[switch]) + 10 for switch in level)
    fitting = room / max(len(level) - 1, 1)
    return max(min(1.6 * PITCH_X, fitting), max(SWITCH_WIDTH, widest) + 14)


def _place_next_to(picture: Picture, network: Network, node: int, switch: int) -> None:
    """Put a node to the right of the level of its switch."""
    y = picture.boxes[switch].y
    right = max(box.corners[2] for box in picture.boxes.values() if box.y == y)
    picture.place(network, node, right + PITCH_X, y)


def _connect(picture: Picture, network: Network, pair: CablePair, *, is_deep: bool) -> None:
    is_box = network.wiring.kind != NODE
    by_kind = sorted((pair.a, pair.b), key=lambda device: (bool(is_box[device]), device))
    a, b = (picture.boxes[device] for device in by_kind)
    if is_box[pair.a] == is_box[pair.b]:
        picture.connect(pair, line((a.x, a.y), (b.x, b.y)), "cable uplink")
        return
    style = "cable to-front-end" if network.front_end in (pair.a, pair.b) else "cable"
    if a.y == b.y:
        picture.connect(pair, line((a.x, a.y), (b.x, b.y)), style)
        return
    rim = b.y + SWITCH_HEIGHT / 2
    if not is_deep:
        reach = b.width / 2 - 4
        end = b.x + min(max(0.4 * (a.x - b.x), -reach), reach)
        picture.connect(pair, line((a.x, a.y), (end, rim)), style)
        return
    track = a.x - NODE_PITCH_X / 2
    bend = rim + 14
    picture.connect(pair, line((a.x, a.y), (track, a.y), (track, bend), (b.x, rim)), style)
