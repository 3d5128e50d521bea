"""The `d.[n].h` packing of [PMESH-1998]: bits of the dimension, then the line, then the position on
the line.

With d dimensions and sides of at most n: ceil(log2 d) bits for the dimension, (d - 1) ceil(log2 n)
for the coordinates other than the one along the line (highest dimension first, counted from 0),
ceil(log2(n + 2)) for the host (counted from 1). An n chosen once (`grow_to`) lets the mesh grow
without renumbering. A front end takes host n + 1, which no node of a grown line can have.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import Layout, NodePorts, Numbers, bits_for
from linkwright.errors import DesignError

__all__ = ["p_mesh"]


def p_mesh(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the P-Mesh layout of nodes whose every segment is a line of a grid.

    A node's identity is its address in the highest dimension that it has: packets for it are
    forwarded in dimension order, X first, and reach it on the connected subnet.

    Raises
    ------
    DesignError
        If segments are not lines of a grid, `grow_to` is too small, or the front end's host
        number does not fit.
    """
    d, n = len(ports.shape), grow_to or max(ports.shape)
    if n < max(ports.shape):
        raise DesignError(
            f"'grow_to' is {n}, but a side is {max(ports.shape)} long",
            f"set grow_to: {max(ports.shape)} or more",
        )
    axis, corner = _lines(ports)
    side_bits, host_bits = bits_for(n), bits_for(n + 2)
    subnet = _subnets(axis, corner, side_bits)
    dimension = d - 1 - axis
    on_grid = ports.node < ports.n_compute
    along = ports.coordinates[ports.node, axis[ports.segment]]
    host = np.where(on_grid, along, n) + 1
    if not on_grid.all() and n + 1 >= (1 << host_bits) - 1:
        raise DesignError(
            f"the front end needs host number {n + 1}, but lines of {n} leave room for {n} hosts",
            f"set grow_to: {n + 1} under 'addressing'",
        )
    line = (dimension << ((d - 1) * side_bits)) | subnet
    if bits_for(d) + (d - 1) * side_bits + host_bits > 63:
        raise DesignError(
            f"p-mesh addressing of {d} dimensions with sides of up to {n} needs more than 63 bits",
            "choose a smaller grow_to or fewer dimensions",
        )
    return Layout(
        scheme="p-mesh",
        links=Numbers(
            node=ports.node,
            port=ports.port,
            number=(line[ports.segment] << host_bits) | host,
            host_bits=host_bits,
        ),
        loopbacks=None,
        identity=np.searchsorted(ports.node, np.arange(ports.n_nodes), side="right") - 1,
    )


def _lines(ports: NodePorts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, per segment, the axis it runs along, and the coordinates of its first node, shape
    (s, d).
    """
    on_grid = ports.node < ports.n_compute
    place = ports.coordinates[ports.node[on_grid]].astype(np.int64)
    segment = ports.segment[on_grid]
    shape = (ports.n_segments, len(ports.shape))
    low = np.full(shape, np.iinfo(np.int64).max)
    high = np.full(shape, -1)
    np.minimum.at(low, segment, place)
    np.maximum.at(high, segment, place)
    runs = high > low
    members = np.bincount(segment, minlength=len(runs))
    axis = np.argmax(runs, axis=1)
    full_line = members == np.asarray(ports.shape)[axis]
    once = len(np.unique(np.column_stack([axis, low]), axis=0)) == len(axis)
    if not (once and np.all(runs.sum(axis=1) == 1) and np.all(full_line)):
        raise DesignError(
            "p-mesh addressing needs every line of a grid on one segment, "
            "here segments are no lines, or several are the same line",
            "choose 'per-segment' or 'per-link' addressing",
        )
    return axis, low


def _subnets(
    axis: NDArray[np.int64], corner: NDArray[np.int64], side_bits: int
) -> NDArray[np.int64]:
    """Return the packed coordinates of each line other than the one along it.

    The highest dimension is the first axis, so that iterating over the axes in order packs it
    highest.
    """
    packed = np.zeros(len(axis), dtype=np.int64)
    for column in range(corner.shape[1]):
        packed = np.where(axis == column, packed, (packed << side_bits) | corner[:, column])
    return packed
