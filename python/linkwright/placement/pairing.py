"""Pairs of nodes that share a medium, and pairs that do not, chosen so that load is spread evenly.

A medium is what carries one frame at a time, or one each way: a bus, a hub with those stacked to
it, a cable between two nodes. A switch parts media. The local-wire and remote-wire runs of
[BEOWULF-1996] are such pairs.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from linkwright.network import HUB, NODE, Network

__all__ = ["local_pairs", "remote_pairs"]


def local_pairs(network: Network, n_pairs: int) -> list[tuple[int, int]]:
    """Return pairs of compute nodes that share a medium, no node twice, one pair per medium first.

    Fewer than `n_pairs` are returned when there are no more.

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

    Each is the one whose messages cross what those of the pairs before cross least.
    """
    media = _media(network)
    of_node: dict[int, set[int]] = {node: set() for node in range(network.n_compute)}
    for medium, nodes in enumerate(media):
        for node in nodes:
            of_node[node].add(medium)
    uses: Counter[int] = Counter()
    free = list(of_node)
    pairs: list[tuple[int, int]] = []
    while free and len(pairs) < n_pairs:
        first = free.pop(0)
        others = [node for node in free if not of_node[first] & of_node[node]]
        if others:
            ways = {node: _crossed(network, first, node) for node in others}
            second = min(others, key=lambda node: _load(uses, ways[node]))
            free.remove(second)
            pairs.append((first, second))
            uses.update(ways[second])
        else:
            _part(first, free, pairs, of_node)
    return pairs


def _part(
    first: int, free: list[int], pairs: list[tuple[int, int]], of_node: dict[int, set[int]]
) -> None:
    """Part a pair, so that each of it is apart from `first` or another free node, if any can be."""
    for place, (a, b) in enumerate(pairs):
        for near, far in ((a, b), (b, a)):
            if of_node[first] & of_node[near]:
                continue
            for other in free:
                if not of_node[other] & of_node[far]:
                    free.remove(other)
                    pairs[place : place + 1] = [(near, first), (far, other)]
                    return


def _crossed(network: Network, a: int, b: int) -> set[int]:
    """Return the devices between two nodes, on the way there and back."""
    ways = ((a, int(network.identity[b])), (b, int(network.identity[a])))
    paths = (network.core.path(source, target) for source, target in ways)
    return {device for path in paths for device, _, _ in path[1:-1]}


def _load(uses: Counter[int], devices: set[int]) -> tuple[int, int]:
    """Return how often the busiest of some devices is used, and all of them together."""
    return max((uses[one] for one in devices), default=0), sum(uses[one] for one in devices)


def _media(network: Network) -> list[list[int]]:
    """Return the compute nodes of every medium that joins at least two."""
    ends = np.stack([network.cable_a[:, 0], network.cable_b[:, 0]], axis=1).astype(np.int64)
    kind = network.device_kind
    first_hub = _first_hub(network, ends)
    is_cable = (kind[ends] == NODE).all(axis=1)
    # A cable between nodes is a medium of its own; numbers of devices come before.
    cables = np.flatnonzero(is_cable)
    node, medium = [ends[cables].ravel()], [np.repeat(len(kind) + cables, 2)]
    for near, far in ((0, 1), (1, 0)):
        at_hub = (kind[ends[:, near]] == NODE) & (kind[ends[:, far]] == HUB)
        node.append(ends[at_hub, near])
        medium.append(first_hub[ends[at_hub, far]])
    nodes, media = np.concatenate(node), np.concatenate(medium)
    computes = nodes < network.n_compute
    joined: dict[int, set[int]] = {}
    for one, of_medium in zip(nodes[computes].tolist(), media[computes].tolist(), strict=True):
        joined.setdefault(of_medium, set()).add(one)
    return [sorted(joined[key]) for key in sorted(joined) if len(joined[key]) > 1]


def _first_hub(network: Network, ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first of the hubs that are cabled together, for every hub."""
    first = np.arange(len(network.device_kind))
    stacked = ends[(network.device_kind[ends] == HUB).all(axis=1)]
    while stacked.size and (first[stacked[:, 0]] != first[stacked[:, 1]]).any():
        lower = first[stacked].min(axis=1)
        np.minimum.at(first, stacked[:, 0], lower)
        np.minimum.at(first, stacked[:, 1], lower)
    return first


def _claim_two(medium: int, media: list[list[int]], owner: dict[int, int]) -> bool:
    """Give a medium two more nodes, if it can have both."""
    before = dict(owner)
    if _claim(medium, media, owner) and _claim(medium, media, owner):
        return True
    owner.clear()
    owner.update(before)
    return False


def _claim(medium: int, media: list[list[int]], owner: dict[int, int]) -> bool:
    """Give a medium one more node; others exchange theirs where that frees one (Kuhn's paths)."""
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
    """Move each node of a path to the medium that asked for it."""
    while taker[node] != medium:
        owner[node] = taker[node]
        node = reached_by[taker[node]]
    owner[node] = medium
