"""Pairs of nodes that share a medium, and pairs that do not, chosen so that load is spread evenly.

A medium carries one frame at a time, or one per direction: a bus, a hub with all hubs stacked to
it, a cable between two nodes. A switch separates media. The local-wire and remote-wire runs of
[BEOWULF-1996] use such pairs.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import inf

import numpy as np
from numpy.typing import NDArray

from linkwright.network import HUB, NODE, Network

__all__ = ["local_pairs", "remote_pairs"]

_MOST_SWAPPED = 64
"""Largest number of nodes whose swaps are tried, of which there are as many as pairs of nodes."""


def local_pairs(network: Network, n_pairs: int) -> list[tuple[int, int]]:
    """Return pairs of compute nodes that share a medium, no node twice, one pair per medium first.

    Fewer than `n_pairs` are returned if there are no more.

    Examples
    --------
    >>> import linkwright
    >>> mesh = linkwright.Cluster.parse("{name: m, topology: {kind: routed-mesh, shape: [2, 2]}}")
    >>> local_pairs(linkwright.compile(mesh), 7)
    [(0, 1), (2, 3)]
    """
    media = _media(network)
    owner: dict[int, int] = {}
    n_found, is_growing = 0, True
    while is_growing:
        is_growing = False
        for medium in range(len(media)):
            if n_found < n_pairs and _claim_two(medium, media, owner):
                n_found, is_growing = n_found + 1, True
    nodes: dict[int, list[int]] = {}
    for node in sorted(owner):
        nodes.setdefault(owner[node], []).append(node)
    return sorted(
        (own[place], own[place + 1]) for own in nodes.values() for place in range(0, len(own), 2)
    )


def remote_pairs(network: Network, n_pairs: int) -> list[tuple[int, int]]:
    """Return pairs of compute nodes that share no medium, no node twice; else as `local_pairs`.

    Each pair is the one whose messages share the fewest devices with those of the pairs before it.
    In networks of up to 64 nodes, nodes of two pairs, or a node of a pair and a free one, are then
    swapped as long as that spreads the use of devices and nodes more evenly.
    """
    apart = _Apart(network)
    uses = np.zeros(len(network.wiring.kind), dtype=np.int64)
    free = np.arange(network.n_compute)
    pairs: list[tuple[int, int]] = []
    while len(free) and len(pairs) < n_pairs:
        first, free = int(free[0]), free[1:]
        others = free[apart.of(first)[free]]
        if not len(others):
            free = _part(first, free, pairs, apart)
            continue
        other, device = _crossed(network, first, others)
        least = np.lexsort(_loads(uses, other, device, len(others)))[0]
        pairs.append((first, int(others[least])))
        free = free[free != others[least]]
        uses[device[other == least]] += 1
    return pairs if network.n_compute > _MOST_SWAPPED else _swapped(network, pairs, apart)


def _swapped(
    network: Network, pairs: list[tuple[int, int]], apart: _Apart
) -> list[tuple[int, int]]:
    """Return the pairs after every swap of two nodes that reduces the sum of the squared uses."""
    ways, n = _Ways(network, apart), 2 * len(pairs)
    used = {node for pair in pairs for node in pair}
    free = [node for node in range(network.n_compute) if node not in used]
    nodes = [node for pair in pairs for node in pair] + free
    least, is_reduced = ways.load(nodes[:n]), True
    while is_reduced:
        is_reduced = False
        for i, j in combinations(range(len(nodes)), 2):
            if i < n:
                nodes[i], nodes[j] = nodes[j], nodes[i]
                load = ways.load(nodes[:n])
                if load < least:
                    least, is_reduced = load, True
                else:
                    nodes[i], nodes[j] = nodes[j], nodes[i]
    return [(min(pair), max(pair)) for pair in zip(nodes[:n:2], nodes[1:n:2], strict=True)]


class _Ways:
    """The devices between nodes that share no medium, with the nodes at both ends."""

    def __init__(self, network: Network, apart: _Apart) -> None:
        self._between: dict[tuple[int, int], list[int]] = {}
        for node in range(network.n_compute):
            others = np.flatnonzero(apart.of(node))
            which, device = _crossed(network, node, others)
            for place, other in enumerate(others.tolist()):
                self._between[node, other] = [node, other, *device[which == place].tolist()]

    def load(self, nodes: list[int]) -> float:
        """Return the sum of the squares of the uses of devices and nodes by pairs of consecutive
        nodes; infinity if two of a pair share a medium.
        """
        pairs = list(zip(nodes[::2], nodes[1::2], strict=True))
        if not all(pair in self._between for pair in pairs):
            return inf
        uses = Counter(device for pair in pairs for device in self._between[pair])
        return sum(n * n for n in uses.values())


class _Apart:
    """For each node, the nodes with which it shares no medium."""

    def __init__(self, network: Network) -> None:
        self._media = [np.array(nodes) for nodes in _media(network)]
        self._of_node: list[list[int]] = [[] for _ in range(network.n_compute)]
        for medium, nodes in enumerate(self._media):
            for node in nodes.tolist():
                self._of_node[node].append(medium)

    def of(self, node: int) -> NDArray[np.bool_]:
        """Return which compute nodes share no medium with `node`, which shares its own."""
        is_apart = np.ones(len(self._of_node), dtype=np.bool_)
        is_apart[node] = False
        for medium in self._of_node[node]:
            is_apart[self._media[medium]] = False
        return is_apart


def _part(
    first: int, free: NDArray[np.intp], pairs: list[tuple[int, int]], apart: _Apart
) -> NDArray[np.intp]:
    """Swap partners of a pair, if possible, so that each is apart from `first` or another free
    node.

    The nodes that are free afterwards are returned.
    """
    is_apart = apart.of(first)
    for place, (a, b) in enumerate(pairs):
        for near, far in ((a, b), (b, a)):
            others = free[apart.of(far)[free]] if is_apart[near] else free[:0]
            if len(others):
                pairs[place : place + 1] = [(near, first), (far, int(others[0]))]
                return np.setdiff1d(free, others[:1])
    return free


def _crossed(
    network: Network, node: int, others: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the devices between a node and each of some others, in both directions: index of the
    other node, and the device, none twice.
    """
    n, n_devices = len(others), len(network.wiring.kind)
    here = np.full(n, node, dtype=np.uint32)
    paths = network.core.paths(
        np.concatenate([here, others.astype(np.uint32)]),
        network.addresses.identity[np.concatenate([others, here])],
    )
    is_between = np.ones(len(paths.device), dtype=np.bool_)
    is_between[paths.start[:-1]] = is_between[paths.start[1:] - 1] = False
    other = np.repeat(np.tile(np.arange(n), 2), np.diff(paths.start))
    both = np.unique((other * n_devices + paths.device)[is_between])
    return both // n_devices, both % n_devices


def _loads(
    uses: NDArray[np.int64], route: NDArray[np.int64], device: NDArray[np.int64], n_routes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the summed uses of all devices of each route, and the use of its busiest device."""
    together, busiest = np.zeros((2, n_routes), dtype=np.int64)
    np.add.at(together, route, uses[device])
    np.maximum.at(busiest, route, uses[device])
    return together, busiest


def _media(network: Network) -> list[list[int]]:
    """Return the compute nodes of every medium that connects at least two."""
    ends = network.wiring.joined_devices
    kind = network.wiring.kind
    first_hub = _first_hub(network, ends)
    is_cable = (kind[ends] == NODE).all(axis=1)
    # A cable between nodes is a medium of its own, numbered after the devices.
    cables = np.flatnonzero(is_cable)
    node, medium = [ends[cables].ravel()], [np.repeat(len(kind) + cables, 2)]
    for near, far in ((0, 1), (1, 0)):
        at_hub = (kind[ends[:, near]] == NODE) & (kind[ends[:, far]] == HUB)
        node.append(ends[at_hub, near])
        medium.append(first_hub[ends[at_hub, far]])
    joined = np.stack([np.concatenate(medium), np.concatenate(node)], axis=1)
    joined = np.unique(joined[joined[:, 1] < network.n_compute], axis=0)
    media = np.split(joined[:, 1], np.flatnonzero(np.diff(joined[:, 0])) + 1)
    return [nodes.tolist() for nodes in media if len(nodes) > 1]


def _first_hub(network: Network, ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for every hub the first of the hubs that are cabled together with it."""
    first = np.arange(len(network.wiring.kind))
    stacked = ends[(network.wiring.kind[ends] == HUB).all(axis=1)]
    while stacked.size and (first[stacked[:, 0]] != first[stacked[:, 1]]).any():
        lower = first[stacked].min(axis=1)
        np.minimum.at(first, stacked[:, 0], lower)
        np.minimum.at(first, stacked[:, 1], lower)
    return first


def _claim_two(medium: int, media: list[list[int]], owner: dict[int, int]) -> bool:
    """Give a medium two more nodes, if both are available."""
    before = dict(owner)
    if _claim(medium, media, owner) and _claim(medium, media, owner):
        return True
    owner.clear()
    owner.update(before)
    return False


def _claim(medium: int, media: list[list[int]], owner: dict[int, int]) -> bool:
    """Give a medium one more node; other media swap theirs if that frees one (Kuhn's paths)."""
    taker: dict[int, int] = {}
    reached_by: dict[int, int] = {}
    asked = [medium]
    for current in asked:
        for node in media[current]:
            if node in taker or owner.get(node) == current:
                continue
            taker[node] = current
            if node not in owner:
                _hand_over(node, medium, taker, reached_by, owner)
                return True
            if owner[node] not in (medium, *reached_by):
                reached_by[owner[node]] = node
                asked.append(owner[node])
    return False


def _hand_over(
    node: int, medium: int, taker: dict[int, int], reached_by: dict[int, int], owner: dict[int, int]
) -> None:
    """Move each node of a path to the medium that claimed it."""
    while taker[node] != medium:
        owner[node] = taker[node]
        node = reached_by[taker[node]]
    owner[node] = medium
