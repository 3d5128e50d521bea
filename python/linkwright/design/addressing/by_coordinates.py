"""A block of addresses for every node, numbered by its coordinates, so that prefixes aggregate.

The bits of a block's number are those of the coordinates, that of the last axis first; under them
are the node's identity and the /31 (IPv6: /127) of each cable whose first end it is. Routes correct
the last axis first, so that all nodes with another coordinate there are reached alike: a table of
routes has some rows per axis instead of three per node. With `grow_to` each coordinate has the bits
of that side, so that addresses stay when the shape grows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import Layout, NodePorts, Numbers, bits_for
from linkwright.design.addressing.growth import expect_room
from linkwright.design.addressing.per_link import ends_of_cables

__all__ = ["COORDINATES", "by_coordinates"]

COORDINATES = "coordinates"
"""Name of the scheme."""
_IDENTITY = 1
"""Number of the identity in its block; no cable has the subnet of 0 and 1."""


def by_coordinates(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout.

    Raises
    ------
    DesignError
        If nodes share a hub or switch, or the shape is larger than `grow_to`.
    """
    ends = ends_of_cables(ports, COORDINATES)
    if grow_to is not None:
        expect_room(ports, grow_to)
    block = _blocks(ports.coordinates, _side_bits(ports, grow_to))
    side = grow_to or int(ports.coordinates.max()) + 1
    cable = _numbers_in_blocks(ports.node[ends], ports.coordinates, side)
    reserved = 0 if grow_to is None else ports.coordinates.shape[1] * side
    block_bits = bits_for(max(reserved, int(cable.max(initial=0))) + 1) + 1
    number = np.empty(len(ports.node), dtype=np.int64)
    subnet = (block[ports.node[ends[:, 0]]] << block_bits) | (cable << 1)
    number[ends] = subnet[:, None] + [0, 1]
    nodes = np.arange(ports.n_nodes)
    identities = (block << block_bits) | _IDENTITY
    return Layout(
        scheme=COORDINATES,
        links=Numbers(node=ports.node, port=ports.port, number=number, host_bits=1),
        loopbacks=Numbers(node=nodes, port=np.full_like(nodes, -1), number=identities, host_bits=0),
        identity=len(ports.node) + nodes,
        block_bits=block_bits,
    )


def _side_bits(ports: NodePorts, grow_to: int | None) -> list[int]:
    """Return the bits of each coordinate."""
    sides = ports.coordinates.max(axis=0).astype(np.int64) + 1
    return [bits_for(int(side) if grow_to is None else grow_to) for side in sides]


def _blocks(coordinates: NDArray[np.int32], bits: list[int]) -> NDArray[np.int64]:
    """Return the number of each node's block; nodes without coordinates follow all others."""
    found = np.zeros(len(coordinates), dtype=np.int64)
    for axis, n_bits in reversed(list(enumerate(bits))):
        found = (found << n_bits) | coordinates[:, axis]
    is_outside = (coordinates < 0).any(axis=1)
    found[is_outside] = (1 << sum(bits)) + np.arange(is_outside.sum())
    return found


def _numbers_in_blocks(
    ends: NDArray[np.int64], coordinates: NDArray[np.int32], side: int
) -> NDArray[np.int64]:
    """Return the number of each cable in the block of its first end, from 1 upwards.

    A cable along an axis has that of the axis and of the coordinate at its second end, which stay
    when the shape grows; all others of a node follow in their order.
    """
    places = coordinates[ends].astype(np.int64)
    differs = places[:, 0] != places[:, 1]
    axis, n_axes = differs.argmax(axis=1), places.shape[2]
    second = np.take_along_axis(places[:, 1], axis[:, None], axis=1)[:, 0]
    is_along = (places >= 0).all(axis=(1, 2)) & (differs.sum(axis=1) == 1) & (second > 0)
    found: NDArray[np.int64] = axis * side + second
    taken: set[tuple[int, int]] = set()
    after: dict[int, int] = {}
    for cable, owner in enumerate(ends[:, 0].tolist()):
        if is_along[cable] and (owner, int(found[cable])) not in taken:
            taken.add((owner, int(found[cable])))
        else:
            found[cable] = after[owner] = after.get(owner, n_axes * side - 1) + 1
    return found
