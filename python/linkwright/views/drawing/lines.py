"""P-Meshes and meshes of buses: nodes on a grid, and for each line its switch or hub at the rim.

A line is drawn as a track along its nodes that ends in its box: rows above their nodes with boxes
on the right, columns right of their nodes with boxes below. Lines of further dimensions connect
blocks of the grid, and their boxes form a separate block: lines of the third dimension have a track
each below their nodes, the cables of others are arcs. A switch that connects the lines of a
dimension is beyond them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwright.network import NODE
from linkwright.views.drawing.grid import BLOCK_GAP, grid_point, place_on_grid
from linkwright.views.drawing.picture import (
    NODE_HEIGHT,
    NODE_WIDTH,
    PITCH_X,
    PITCH_Y,
    CablePair,
    Picture,
    Point,
    bow,
    cable_pairs,
    line,
)

if TYPE_CHECKING:
    from linkwright.network import Network

ROW_TRACK = 19.0
"""Height of the track of a row above its nodes' centres."""
COLUMN_TRACK = 26.0
"""Distance of the track of a column to the right of its nodes' centres."""
DEPTH_TRACKS = (4.0, 25.0)
"""Distances of the tracks of the third dimension below its nodes, the first and the last."""
SPREAD_X, SPREAD_Y = 1.25, 1.1
"""A grid with tracks is wider than one without."""


def has_lines(network: Network) -> bool:
    """Return whether every hub or switch serves one line, or connects the lines of one dimension.

    A line extends along one axis and has a coordinate on the others.
    """
    if len(network.shape) < 2:
        return False
    lines = [_is_line(network, device) for device in range(network.n_nodes, _n_devices(network))]
    return any(lines) and (all(lines) or _are_joined(network))


def draw_lines(network: Network) -> Picture:
    """Return the drawing of nodes whose rows and columns each share a box."""
    picture, pairs = Picture(), cable_pairs(network)
    for device in range(_n_devices(network)):
        is_line = device >= network.n_nodes and _is_line(network, device)
        if is_line or (device < network.n_nodes and device != network.front_end):
            picture.place(network, device, *_point(network, device))
    _place_joining(picture, network, pairs)
    of_front_end = [pair for pair in pairs if network.front_end in (pair.a, pair.b)]
    for pair in pairs:
        if pair in of_front_end:
            _attach_front_end(picture, network, pair, is_station=len(of_front_end) > 1)
        else:
            _connect(picture, network, pair)
    picture.frame_chassis(network)
    return picture


def _n_devices(network: Network) -> int:
    return len(network.device_names)


def _is_line(network: Network, box: int) -> bool:
    return int((network.wiring.coordinates[box] < 0).sum()) == 1


def _are_joined(network: Network) -> bool:
    """Return whether there are rows and columns, and each box that is neither connects all of one
    kind; a tree has rows only, the leaves.
    """
    ends = network.wiring.joined_devices
    is_line = (network.wiring.coordinates < 0).sum(axis=1) == 1
    is_line[: network.n_nodes] = False
    is_joining = ~is_line
    is_joining[: network.n_nodes] = False
    axes = {_dimension(network, line) for line in np.flatnonzero(is_line).tolist()}
    uplinks = ends[is_joining[ends].any(axis=1)]
    if len(network.shape) != 2 or len(axes) != 2:
        return False
    if not (is_line[uplinks].sum(axis=1) == 1).all():
        return False
    joined = {
        (switch, _dimension(network, line))
        for line, switch in (sorted(pair) for pair in uplinks.tolist())
    }
    return len(joined) == len({switch for switch, _ in joined}) == len({d for _, d in joined})


def _place_joining(picture: Picture, network: Network, pairs: list[CablePair]) -> None:
    """Put each switch that connects lines beyond the middle of them."""
    lines: dict[int, list[int]] = {}
    for pair in pairs:
        line_box, switch = sorted((pair.a, pair.b))
        if line_box >= network.n_nodes:
            lines.setdefault(switch, []).append(line_box)
    for switch, joined in lines.items():
        boxes = [picture.boxes[each] for each in joined]
        x, y = (sum(place) / len(boxes) for place in zip(*((b.x, b.y) for b in boxes), strict=True))
        is_right = _dimension(network, joined[0]) == 0
        dx, dy = (1.9 * PITCH_X, 0.0) if is_right else (0.0, 1.3 * PITCH_Y)
        picture.place(network, switch, x + dx, y + dy)


def _point(network: Network, device: int) -> Point:
    x, y = grid_point(network, device)
    x, y = x * SPREAD_X, y * SPREAD_Y
    if network.wiring.kind[device] == NODE:
        return x, y
    dimension, shape = _dimension(network, device), network.shape
    if dimension == 0:
        return x + SPREAD_X * (shape[-1] * PITCH_X), y - ROW_TRACK
    if dimension == 1:
        return x + COLUMN_TRACK, y + SPREAD_Y * shape[-2] * PITCH_Y
    return _beyond_all_blocks(network, dimension, (x, y))


def _beyond_all_blocks(network: Network, dimension: int, point: Point) -> Point:
    """Return the point of a switch that connects blocks: a block after the last along its axis."""
    shape = network.shape
    axis = len(shape) - 1 - dimension
    past = [0] * len(shape)
    past[axis] = shape[axis]
    dx, dy = place_on_grid(shape, past)
    gap = (1 + BLOCK_GAP) if dimension % 2 == 0 else BLOCK_GAP
    shift = (gap * PITCH_X, 0.0) if dimension % 2 == 0 else (0.0, gap * PITCH_Y)
    return point[0] + dx * SPREAD_X + shift[0], point[1] + dy * SPREAD_Y + shift[1]


def _dimension(network: Network, switch: int) -> int:
    """Return the dimension along which a line's switch extends; 0 is the last axis."""
    extends = [value < 0 for value in network.wiring.coordinates[switch].tolist()]
    return list(reversed(extends)).index(True)


def _connect(picture: Picture, network: Network, pair: CablePair) -> None:
    node, switch = sorted((pair.a, pair.b))
    from_, to = picture.boxes[node], picture.boxes[switch]
    is_uplink = node >= network.n_nodes
    dimension = _dimension(network, node if is_uplink else switch)
    style = f"cable track dimension-{dimension % 4}"
    if is_uplink and dimension == 0:
        middle = (from_.corners[2] + to.corners[0]) / 2
        path = line((from_.x, from_.y), (middle, from_.y), (middle, to.y), (to.x, to.y))
    elif is_uplink:
        middle = (from_.corners[3] + to.corners[1]) / 2
        path = line((from_.x, from_.y), (from_.x, middle), (to.x, middle), (to.x, to.y))
    elif dimension == 0:
        stub = from_.x - NODE_WIDTH / 4
        path = line((stub, from_.y - NODE_HEIGHT / 2), (stub, to.y), (to.x, to.y))
    elif dimension == 1:
        stub = from_.y + NODE_HEIGHT / 4
        path = line((from_.x + NODE_WIDTH / 2, stub), (to.x, stub), (to.x, to.y))
    elif dimension == 2:
        first, last = DEPTH_TRACKS
        share = network.wiring.coordinates[node, -1] / max(network.shape[-1] - 1, 1)
        track = from_.y + NODE_HEIGHT / 2 + last + (first - last) * float(share)
        path = line((from_.x, from_.y), (from_.x, track), (to.x, track), (to.x, to.y))
    else:
        path = bow((from_.x, from_.y), (to.x, to.y), 0.35 * PITCH_Y)
        style += " long"
    picture.connect(pair, path, style)


def _attach_front_end(
    picture: Picture, network: Network, pair: CablePair, *, is_station: bool
) -> None:
    """Put the front end next to its box, or as one more station before the first row and column."""
    front_end = network.front_end
    assert front_end is not None
    other = pair.a if pair.b == front_end else pair.b
    to = picture.boxes[other]
    if front_end not in picture.boxes:
        right = max(box.corners[2] for box in picture.boxes.values())
        place = (-PITCH_X, -1.1 * PITCH_Y) if is_station else (right + 0.7 * PITCH_X, to.y)
        picture.place(network, front_end, *place)
    box = picture.boxes[front_end]
    if not is_station:
        path = line((to.x, to.y), (box.x, box.y))
    elif _dimension(network, other) == 0:
        path = line((box.x, box.y), (box.x, to.y), (to.x, to.y))
    else:
        path = line((box.x, box.y), (to.x, box.y), (to.x, to.y))
    picture.connect(pair, path, "cable to-front-end")
