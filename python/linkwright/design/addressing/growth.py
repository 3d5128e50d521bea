"""Numbers of nodes and cables that stay when a shape grows: places in a box whose side along every
axis is the longest one planned for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import NodePorts
from linkwright.errors import DesignError

__all__ = ["expect_room", "places_of_links", "places_of_nodes"]


def expect_room(ports: NodePorts, side: int) -> None:
    """Refuse a shape that is larger than the box."""
    longest = int(ports.coordinates.max()) + 1
    if longest > side:
        raise DesignError(
            f"'grow_to' is {side}, but a side has {longest} nodes",
            f"set grow_to: {longest} or more",
        )


def places_of_nodes(ports: NodePorts, side: int) -> NDArray[np.int64]:
    """Return the place of each node in the box; nodes without coordinates follow.

    Raises
    ------
    DesignError
        If the shape is larger than the box.
    """
    expect_room(ports, side)
    coordinates = ports.coordinates.astype(np.int64)
    is_inside: NDArray[np.bool_] = np.min(coordinates, axis=1) >= 0
    return _in_order(_in_box(coordinates, side), is_inside, side ** coordinates.shape[1])


def places_of_links(ports: NodePorts, side: int) -> NDArray[np.int64]:
    """Return the place of the cable of each segment: by its first node, its axis, and the
    coordinate of its second node along this axis. Cables that run along no axis follow.
    """
    order = np.argsort(ports.segment, kind="stable")
    ends = ports.coordinates[ports.node[order].reshape(-1, 2)].astype(np.int64)
    differs = ends[:, 0] != ends[:, 1]
    is_inside = (ends >= 0).all(axis=(1, 2)) & (differs.sum(axis=1) == 1)
    axis, n_axes = differs.argmax(axis=1), ends.shape[2]
    second = np.take_along_axis(ends.max(axis=1), axis[:, None], axis=1)[:, 0]
    places = (_in_box(ends.min(axis=1), side) * n_axes + axis) * side + second
    return _in_order(places, is_inside, side ** (n_axes + 1) * n_axes)


def _in_box(coordinates: NDArray[np.int64], side: int) -> NDArray[np.int64]:
    found: NDArray[np.int64] = coordinates @ side ** np.arange(coordinates.shape[1])[::-1]
    return found


def _in_order(
    places: NDArray[np.int64], is_inside: NDArray[np.bool_], end: int
) -> NDArray[np.int64]:
    """Return the places, and from `end` on those of what is not inside the box."""
    found: NDArray[np.int64] = np.where(is_inside, places, end + np.cumsum(~is_inside) - 1)
    return found
