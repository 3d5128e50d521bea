"""Messages along the rows or columns of a grid of ranks, in all of its lines at once.

`members` are the ranks of the lines, shape (n_lines, length); messages begin at the first rank of
each line. Sizes are bytes, one per line, shape (n_lines,). The order of the steps is that of every
rank's work.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.steps import Steps, receive, send, start_receive, start_send, wait_all

__all__ = [
    "BroadcastVariant",
    "Ranks",
    "Sizes",
    "along",
    "binary_exchange",
    "broadcast",
    "spread_and_roll",
]

BroadcastVariant = Literal["1ring", "1ring-m", "2ring", "2ring-m", "long", "long-m"]
"""Broadcast of a panel to the other columns; names as in the description, m for "modified"."""

Ranks = NDArray[np.int64]
Sizes = NDArray[np.int64]


def broadcast(variant: BroadcastVariant, members: Ranks, sizes: Sizes) -> list[Steps]:
    """Return a broadcast of the first of every line to the others."""
    length = members.shape[1]
    if variant.startswith("long"):
        if variant == "long" or length < 3:
            return spread_and_roll(members, sizes)
        rest = np.delete(members, 1, axis=1)
        return [*along(members, [(0, 1)], sizes), *spread_and_roll(rest, sizes)]
    return along(members, _ring_edges(variant, length), sizes)


def spread_and_roll(members: Ranks, sizes: Sizes) -> list[Steps]:
    """Return a broadcast that cuts the data: pieces are spread by a binary tree, then rolled."""
    length = members.shape[1]
    piece = -(-sizes // length)
    return [*_spread(members, piece), *_roll(members, piece)]


def binary_exchange(members: Ranks, sizes: Sizes) -> list[Steps]:
    """Return exchanges with ranks at distance 1, 2, 4, ... after which every rank has all data.

    Ranks beyond the largest power of two first send theirs to a lower rank, and receive the result.
    """
    length = members.shape[1]
    power = 1 << (length.bit_length() - 1)
    extra = [(place, place - power) for place in range(power, length)]
    place = np.arange(power)
    swaps: list[Steps] = []
    distance = 1
    while distance < power:
        swaps += _exchange(members, place, place ^ distance, sizes)
        distance *= 2
    back = [(near, far) for far, near in extra]
    return [*along(members, extra, sizes), *swaps, *along(members, back, sizes)]


def _ring_edges(variant: BroadcastVariant, length: int) -> list[tuple[int, int]]:
    """Return sender and receiver of each message, in an order in which a sender already has the
    data.

    The modified rings leave out the rank that sends next, so that it need not forward.
    """
    first = [(0, 1)] if variant.endswith("-m") and length > 1 else []
    begin = 1 + len(first)
    is_double = variant.startswith("2ring")
    middle = begin + (length - begin) // 2 if is_double else length
    heads = [(0, head) for head in (begin, middle) if begin <= head < length]
    rest = [(place - 1, place) for place in range(begin + 1, length) if place != middle]
    return [*first, *dict.fromkeys(heads), *rest]


def along(members: Ranks, edges: Iterable[tuple[int, int]], sizes: Sizes) -> list[Steps]:
    """Return messages from place to place, one after the other."""
    return [
        part
        for a, b in edges
        for part in (
            send(members[:, a], members[:, b], sizes),
            receive(members[:, b], members[:, a]),
        )
    ]


def _exchange(members: Ranks, places: Ranks, partners: Ranks, sizes: Sizes) -> list[Steps]:
    """Return messages from places to partners in which all ranks send and receive at once."""
    source, destination = members[:, places], members[:, partners]
    return [
        start_receive(destination.ravel(), source.ravel()),
        start_send(source.ravel(), destination.ravel(), np.repeat(sizes, len(places))),
        wait_all(np.union1d(source, destination)),
    ]


def _spread(members: Ranks, piece: Sizes) -> list[Steps]:
    """Return the tree: a rank with pieces for a range of places sends the upper half on."""
    length = members.shape[1]
    parts: list[Steps] = []
    stride = 1 << ((length - 1).bit_length() - 1) if length > 1 else 0
    while stride:
        for place in range(0, length - stride, 2 * stride):
            pieces = min(stride, length - place - stride)
            parts += along(members, [(place, place + stride)], piece * pieces)
        stride //= 2
    return parts


def _roll(members: Ranks, piece: Sizes) -> list[Steps]:
    """Return the exchanges of neighbours, alternating between the two sides.

    In a ring of odd length, where places do not pair up, every rank sends its last piece on.
    """
    length = members.shape[1]
    place = np.arange(length)
    parts: list[Steps] = []
    for turn in range(length - 1):
        is_odd = length % 2 == 1
        partner = place + 1 if is_odd else place + np.where((place + turn) % 2 == 0, 1, -1)
        parts += _exchange(members, place, partner % length, piece)
    return parts
