"""P-Meshes: nodes on a grid, and for each line of a dimension its switch at the rim.

A line is drawn as a track beside its nodes that ends in its switch: rows above their nodes with
switches on the right, columns right of their nodes with switches below. Lines of further dimensions
join blocks of the grid; their switches form a block of their own, and their cables are arcs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.network import NODE
from linkwright.views.drawing.grid import BLOCK_GAP, grid_point, place_on_grid
from linkwright.views.drawing.scene import (
    NODE_HEIGHT,
    NODE_WIDTH,
    PITCH_X,
    PITCH_Y,
    CablePair,
    Point,
    Scene,
    bow,
    cable_pairs,
    line,
)

if TYPE_CHECKING:
    from linkwright.network import Network

ROW_TRACK = 19.0
"""How far the track of a row lies above its nodes' centres."""
COLUMN_TRACK = 26.0
"""How far the track of a column lies to the right of its nodes' centres."""
SPREAD_X, SPREAD_Y = 1.25, 1.1
"""A grid with tracks is wider than one without."""


def draw_lines(network: Network) -> Scene:
    """Return the drawing of nodes whose rows and columns each share a switch."""
    scene = Scene()
    for device in range(len(network.device_names)):
        if device != network.front_end:
            scene.place(network, device, *_point(network, device))
    pairs = cable_pairs(network)
    for pair in pairs:
        if network.front_end in (pair.a, pair.b):
            _attach_front_end(scene, network, pair)
        else:
            _connect(scene, network, pair)
    scene.frame_chassis(network)
    return scene


def _point(network: Network, device: int) -> Point:
    x, y = grid_point(network, device)
    x, y = x * SPREAD_X, y * SPREAD_Y
    if network.device_kind[device] == NODE:
        return x, y
    dimension, shape = _dimension(network, device), network.shape
    if dimension == 0:
        return x + SPREAD_X * (shape[-1] * PITCH_X), y - ROW_TRACK
    if dimension == 1:
        return x + COLUMN_TRACK, y + SPREAD_Y * shape[-2] * PITCH_Y
    return _beyond_all_blocks(network, dimension, (x, y))


def _beyond_all_blocks(network: Network, dimension: int, point: Point) -> Point:
    """Return the place of a switch that joins blocks: a block after the last along its axis."""
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
    extends = [value < 0 for value in network.device_coordinates[switch].tolist()]
    return list(reversed(extends)).index(True)


def _connect(scene: Scene, network: Network, pair: CablePair) -> None:
    node, switch = sorted((pair.a, pair.b))
    from_, to = scene.boxes[node], scene.boxes[switch]
    dimension = _dimension(network, switch)
    style = f"cable track dimension-{dimension % 4}"
    if dimension == 0:
        stub = from_.x - NODE_WIDTH / 4
        path = line((stub, from_.y - NODE_HEIGHT / 2), (stub, to.y), (to.x, to.y))
    elif dimension == 1:
        stub = from_.y + NODE_HEIGHT / 4
        path = line((from_.x + NODE_WIDTH / 2, stub), (to.x, stub), (to.x, to.y))
    else:
        path = bow((from_.x, from_.y), (to.x, to.y), 0.35 * PITCH_Y)
        style += " long"
    scene.connect(pair, path, style)


def _attach_front_end(scene: Scene, network: Network, pair: CablePair) -> None:
    front_end = network.front_end
    other = scene.boxes[pair.a if pair.b == front_end else pair.b]
    right = max(box.corners[2] for box in scene.boxes.values())
    assert front_end is not None
    scene.place(network, front_end, right + 0.7 * PITCH_X, other.y)
    box = scene.boxes[front_end]
    scene.connect(pair, line((other.x, other.y), (box.x, box.y)), "cable to-front-end")
