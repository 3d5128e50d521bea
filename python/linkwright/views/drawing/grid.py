"""Meshes and tori: nodes on a grid, wraparound cables as flat arcs, further axes as blocks side by
side.

The last axis runs to the right and the one before it downwards; the two before those set the
position of the block in the same manner, and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.views.drawing.picture import (
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

BLOCK_GAP = 0.8
"""Room between blocks, in pitches."""


def draw_grid(network: Network) -> Picture:
    """Return the drawing of nodes cabled to their neighbours on a grid."""
    picture = Picture()
    for node in range(network.n_compute):
        picture.place(network, node, *grid_point(network, node))
    if network.front_end is not None:
        left, top = grid_point(network, 0)
        picture.place(network, network.front_end, left - 0.7 * PITCH_X, top - 0.75 * PITCH_Y)
    for pair in cable_pairs(network):
        _connect(picture, network, pair)
    return picture


def grid_point(network: Network, device: int) -> Point:
    """Return the point at the coordinates of a device; axes along which it extends count as 0."""
    coordinates = [max(value, 0) for value in network.wiring.coordinates[device].tolist()]
    return place_on_grid(network.shape, coordinates)


def place_on_grid(shape: tuple[int, ...], coordinates: list[int]) -> Point:
    """Return the point of coordinates in a grid of any number of dimensions."""
    place, stride = [0.0, 0.0], [1.0, 1.0]
    for dimension, axis in enumerate(reversed(range(len(shape)))):
        direction = dimension % 2
        place[direction] += coordinates[axis] * stride[direction]
        stride[direction] = stride[direction] * shape[axis] + BLOCK_GAP
    return place[0] * PITCH_X, place[1] * PITCH_Y


def _connect(picture: Picture, network: Network, pair: CablePair) -> None:
    a, b = (picture.boxes[device] for device in (pair.a, pair.b))
    start, end = sorted([(a.x, a.y), (b.x, b.y)])
    if network.front_end in (pair.a, pair.b):
        picture.connect(pair, line(start, end), "cable to-front-end")
        return
    dx, dy = end[0] - start[0], end[1] - start[1]
    is_short = abs(dx) + abs(dy) <= 1.01 * (PITCH_X if dx else PITCH_Y)
    if is_short:
        picture.connect(pair, line(start, end))
    elif dx:
        picture.connect(pair, bow(start, end, 0.4 * PITCH_Y), "cable long")
    else:
        picture.connect(pair, bow(start, end, 0.45 * PITCH_X), "cable long")
