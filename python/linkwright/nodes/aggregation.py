"""Fewer routes: prefixes in the place of the routes to single nodes, where addresses have blocks.

All addresses of a node are in its block, which is reached by the routes to the node's identity.
Neighbouring blocks whose routes are the same, backups included, become one prefix, as wide as it
can be without a block of other routes or of none. It may hold addresses that no node has. A packet
to such an address ends where no prefix holds it: of the prefixes that it follows, each holds the
narrowest, so that a circle would be one for the nodes of that prefix too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.design.addressing import Addresses, low_bits

if TYPE_CHECKING:
    from linkwright.network import Routes

__all__ = ["Aggregated", "aggregated"]


class Aggregated:
    """Routes with prefixes in their place.

    Attributes
    ----------
    row : ndarray of int64, shape (r,)
        Number of the route that each prefix has its gateway, port, metric and table from.
    destination : ndarray of uint8, shape (r, 16)
    prefix_length : ndarray of uint8, shape (r,)
    """

    def __init__(self, row: NDArray[np.int64], routes: Routes, widths: NDArray[np.int64]) -> None:
        self.row = row
        open_bits = widths.astype(np.uint64)
        low = low_bits(routes.destination[row]) >> open_bits << open_bits
        self.destination = routes.destination[row].copy()
        self.destination[:, 8:] = low.astype(">u8").view(np.uint8).reshape(-1, 8)
        self.prefix_length = (routes.prefix_length[row] - widths).astype(np.uint8)


def aggregated(routes: Routes, addresses: Addresses) -> Aggregated:
    """Return the routes to all nodes as prefixes, by node, table and family.

    Parameters
    ----------
    routes : Routes
        Routes to identities and to the subnets of cables, of which the latter are within blocks.
    addresses : Addresses
        Addresses whose blocks are whole.
    """
    found: list[_Prefixes] = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))]
    for is_v6 in np.unique(routes.is_v6).tolist():
        low = low_bits(addresses.bits[addresses.identities_of(is_v6=is_v6)])
        rows = np.flatnonzero(routes.is_v6 == is_v6)
        rows = rows[np.isin(low_bits(routes.destination[rows]), low)]
        blocks = np.sort(low >> np.uint64(addresses.block_bits)).astype(np.int64)
        found += _of_family(routes, rows, blocks, addresses.block_bits)
    rows, widths = (np.concatenate(column) for column in zip(*found, strict=True))
    return Aggregated(rows, routes, widths)


_Prefixes = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Rows of routes, and the bits that the prefix of each leaves open."""


def _of_family(
    routes: Routes, rows: NDArray[np.int64], of_nodes: NDArray[np.int64], block_bits: int
) -> Iterator[_Prefixes]:
    """Yield the prefixes of some routes, those to the identities of one family."""
    block = (low_bits(routes.destination[rows]) >> np.uint64(block_bits)).astype(np.int64)
    order = np.lexsort((routes.metric[rows], block, routes.table[rows], routes.node[rows]))
    rows, block = rows[order], block[order]
    for start, end in _runs(np.column_stack([routes.node[rows], routes.table[rows]])):
        some = rows[start:end]
        for first, last, width in _covers(some, block[start:end], of_nodes, routes):
            yield some[first:last], np.full(last - first, block_bits + width)


def _runs(values: NDArray[np.integer]) -> Iterator[tuple[int, int]]:
    """Yield the first and the end of each run of equal values, or of equal rows of values."""
    if len(values):
        differs = values[1:] != values[:-1]
        cuts = np.flatnonzero(differs.any(axis=1) if differs.ndim == 2 else differs) + 1
        edges = [0, *cuts.tolist(), len(values)]
        yield from pairwise(edges)


def _covers(
    rows: NDArray[np.int64], block: NDArray[np.int64], of_nodes: NDArray[np.int64], routes: Routes
) -> Iterator[tuple[int, int, int]]:
    """Yield the prefixes of one table: its rows of the first of their nodes, and the bits of the
    block's number that they leave open.
    """
    firsts, ends = np.array(list(_runs(block)), dtype=np.int64).T
    at = np.searchsorted(of_nodes, block[firsts])
    says = np.full(len(of_nodes), -1, dtype=np.int64)
    says[at] = _alike(rows, firsts, ends, routes)
    row_of = np.zeros((len(of_nodes), 2), dtype=np.int64)
    row_of[at] = np.column_stack([firsts, ends])
    known, spans = of_nodes.tolist(), row_of.tolist()
    # A prefix is no wider than the number of the last block, so that it stays in the design's.
    most = (known[0] ^ known[-1]).bit_length()
    for start, end in _runs(says):
        node = start
        while says[start] >= 0 and node < end:
            width = min(
                _free(known[node], known[start - 1]) if start else most,
                _free(known[node], known[end]) if end < len(known) else most,
            )
            first, last = spans[node]
            yield first, last, width
            node = bisect_right(known, known[node] | ((1 << width) - 1), node, end)


def _free(block: int, other: int) -> int:
    """Return how many low bits of a block's number may be left open for another to be outside."""
    return (block ^ other).bit_length() - 1


def _alike(
    rows: NDArray[np.int64], firsts: NDArray[np.int64], ends: NDArray[np.int64], routes: Routes
) -> NDArray[np.int64]:
    """Return a number for each block, the same for those with the same routes."""
    rank = np.arange(len(rows)) - np.repeat(firsts, ends - firsts)
    columns = np.column_stack([routes.metric[rows], routes.via[rows], routes.port[rows]])
    said = np.full((len(firsts), int(rank.max()) + 1, 3), -1, dtype=np.int64)
    said[np.repeat(np.arange(len(firsts)), ends - firsts), rank] = columns
    return np.unique(said.reshape(len(firsts), -1), axis=0, return_inverse=True)[1].ravel()
