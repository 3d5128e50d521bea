"""One subnet per stack, with the two groups on it in separate halves [STACK-2001, erratum 8].

A node at position x has host x + 1 on the stack that starts at its group (its E or N interface),
and host x + 1 + half on the one that ends there (W or S). The half is 128 for groups of up to 126
nodes, so that the ring has the addresses of the paper, with W moved to free numbers; larger groups
use the next power of two. Forwarders, then the front end, follow the last node of the half.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing.addresses import Layout, NodePorts, Numbers
from linkwright.errors import DesignError

__all__ = ["stack_mesh", "stack_ring"]

_LEAST_HALF = 128
_NO_STACKS = "choose 'per-segment' or 'per-link' addressing"


@dataclass(frozen=True)
class _Stacks:
    """The two groups that each segment connects; `s` segments, `g` axes of the groups."""

    axis: NDArray[np.int64]
    """shape (s,): axis along which the groups are neighbours."""
    first: NDArray[np.int64]
    """shape (s, g): the group whose E or N interfaces are on it."""


def stack_ring(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout of a ring of groups: stack i has subnet i, whatever the number of stages.

    Raises
    ------
    DesignError
        If the nodes are not a ring of groups, or `grow_to` is smaller than a group.
    """
    if len(ports.shape) != 2:
        raise DesignError("stack-ring addressing needs groups of nodes in a ring", _NO_STACKS)
    return _layout("stack-ring", ports, grow_to)


def stack_mesh(ports: NodePorts, *, grow_to: int | None) -> Layout:
    """Return the layout of a grid of groups, row by row, X before Y within a group.

    With `grow_to`, which then bounds the length of a row as well, growth does not renumber.

    Raises
    ------
    DesignError
        If the nodes are not a grid of groups, or `grow_to` is smaller than a group or a row.
    """
    if len(ports.shape) < 3:
        raise DesignError("stack-mesh addressing needs groups of nodes on a grid", _NO_STACKS)
    return _layout("stack-mesh", ports, grow_to)


def _layout(scheme: str, ports: NodePorts, grow_to: int | None) -> Layout:
    """Return the layout; a node's identity is the address of its first NIC, E if it has one."""
    needed = max(ports.shape[1:])
    if grow_to is not None and grow_to < needed:
        raise DesignError(
            f"'grow_to' is {grow_to}, but a group or a row has {needed}",
            f"set grow_to: {needed} or more",
        )
    stacks = _stacks(scheme, ports)
    host, half = _hosts(ports, grow_to or ports.shape[-1])
    subnet, segment = _subnets(stacks, ports, grow_to), ports.segment
    if len(np.unique(subnet)) < len(subnet):
        raise DesignError(
            f"{scheme} addressing needs one stack between two neighbouring groups, here are "
            "several",
            _NO_STACKS,
        )
    at = ports.coordinates[ports.node, stacks.axis[segment]]
    is_second = (at >= 0) & (at != stacks.first[segment, stacks.axis[segment]])
    host_bits = (2 * half).bit_length() - 1
    return Layout(
        scheme=scheme,
        links=Numbers(
            node=ports.node,
            port=ports.port,
            number=(subnet[segment] << host_bits) | (host[ports.node] + is_second * half),
            host_bits=host_bits,
        ),
        loopbacks=None,
        identity=np.searchsorted(ports.node, np.arange(ports.n_nodes), side="left"),
    )


def _stacks(scheme: str, ports: NodePorts) -> _Stacks:
    """Return the groups that each segment connects.

    Raises
    ------
    DesignError
        If a segment does not connect two neighbouring groups.
    """
    groups = ports.coordinates[ports.node][:, :-1].astype(np.int64)
    on_grid = (groups >= 0).all(axis=1)
    groups, segment = groups[on_grid], ports.segment[on_grid]
    size = (ports.n_segments, groups.shape[1])
    low, high = np.full(size, np.iinfo(np.int64).max), np.full(size, -1)
    np.minimum.at(low, segment, groups)
    np.maximum.at(high, segment, groups)
    axis, each = np.argmax(high > low, axis=1), np.arange(len(low))
    sides = np.asarray(ports.shape[:-1])[axis]
    gap = (high - low)[each, axis]
    is_end = (groups == low[segment]).all(axis=1) | (groups == high[segment]).all(axis=1)
    is_pair = ((high > low).sum(axis=1) == 1) & ((gap == 1) | (gap == sides - 1))
    if not (is_pair.all() and is_end.all()):
        raise DesignError(
            f"{scheme} addressing needs a stack between each two neighbouring groups, here "
            "segments connect other nodes",
            _NO_STACKS,
        )
    first = np.where((gap == 1)[:, None], low, high)
    return _Stacks(axis, first)


def _hosts(ports: NodePorts, n_places: int) -> tuple[NDArray[np.int64], int]:
    """Return the host number of each node in the lower half, and the size of a half.

    Hosts are reserved for `n_places` nodes; the last host of the upper half is the broadcast.
    """
    place = ports.coordinates[:, -1].astype(np.int64)
    size = ports.shape[-1]
    n_extra = max(int(place.max()) + 1 - size, 0)
    host = np.where(place < size, place, place - size + n_places) + 1
    host[place < 0] = n_places + n_extra + 1 + np.arange(int((place < 0).sum()))
    half = _LEAST_HALF
    while half - 2 < int(host.max()):
        half *= 2
    return host, half


def _subnets(stacks: _Stacks, ports: NodePorts, grow_to: int | None) -> NDArray[np.int64]:
    """Return the number of each stack: its first group row by row, then its dimension, X first."""
    n_axes = stacks.first.shape[1]
    number = np.zeros(len(stacks.axis), dtype=np.int64)
    for axis, side in enumerate(ports.shape[:-1]):
        number = number * (grow_to or side) + stacks.first[:, axis]
    return np.asarray(number * n_axes + (n_axes - 1 - stacks.axis), dtype=np.int64)
