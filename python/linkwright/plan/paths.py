"""The numbers of switches and forwarding nodes between compute nodes, counted on the built network;
routed switches count as switches.

A hop crosses the hubs and switches of one segment. If all segments of the compute nodes hold the
same number of switches, one or none, a path of h hops crosses h times that number; if all pairs
share a segment, the distance between their switches counts. In every other network the pairs are
followed one by one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.network import NODE, SWITCH

if TYPE_CHECKING:
    from linkwright.network import Network

MOST_COUNTED = 4096
"""Compute nodes up to which all pairs are counted."""
NEVER = 65535
"""Marks a pair that does not communicate, in the matrix of forwards."""


@dataclass(frozen=True)
class PathClass:
    """A class of paths between compute nodes with equal numbers of switches and forwards."""

    n_switches: int
    n_forwards: int


@dataclass(frozen=True)
class PathCounts:
    """Distances between the compute nodes, over their identity addresses.

    Attributes
    ----------
    classes : tuple of PathClass
        Every combination that occurs, sorted.
    forwards_mean : float
        Number of forwarding nodes, averaged over all ordered pairs of different nodes.
    forwards_worst : int
        Number of forwarding nodes for the worst pair.
    is_counted : bool
        Whether the pairs were counted; networks of more than 4096 nodes have the formulas' best and
        worst path instead.
    """

    classes: tuple[PathClass, ...]
    forwards_mean: float
    forwards_worst: int
    is_counted: bool


def count_paths(network: Network) -> PathCounts:
    """Return the path classes of all ordered pairs of different compute nodes that communicate."""
    if network.n_compute > MOST_COUNTED:
        return _by_formula(network)
    identities = network.addresses.identity[: network.n_compute]
    forwards = network.core.forwards(identities)
    communicates = (forwards != NEVER) & ~np.eye(len(forwards), dtype=np.bool_)
    of_pairs = forwards[communicates]
    per_segment = _switches_per_segment(network)
    if len(per_segment) == 1:
        found = {PathClass(per_segment[0] * (f + 1), f) for f in np.unique(of_pairs).tolist()}
    elif not of_pairs.any():
        found = {PathClass(n, 0) for n in _switch_distances(network)}
    else:
        found = _followed(network, communicates)
    return PathCounts(
        classes=tuple(sorted(found, key=lambda one: (one.n_forwards, one.n_switches))),
        forwards_mean=float(of_pairs.mean()) if len(of_pairs) else 0.0,
        forwards_worst=int(of_pairs.max(initial=0)),
        is_counted=True,
    )


def _by_formula(network: Network) -> PathCounts:
    closed = network.closed
    best = PathClass(closed.switches_best, 0)
    worst = PathClass(closed.switches_worst, closed.forwards_worst)
    classes = (best,) if best == worst else (best, worst)
    return PathCounts(classes, closed.forwards_mean, closed.forwards_worst, is_counted=False)


def _switches_per_segment(network: Network) -> list[int]:
    """Return the possible numbers of switches on a path through a segment of the compute nodes, or
    none if they vary, as they may where switches route.
    """
    if network.wiring.is_routed_switch.any():
        return []
    fabric = network.core.fabric
    segment = fabric.port_segment
    ends = np.concatenate([network.wiring.cable_a, network.wiring.cable_b])
    places = segment[network.port_ids(ends)]
    of_compute = np.unique(places[ends[:, 0] < network.n_compute])
    n_boxes = np.zeros(fabric.n_segments, dtype=np.int64)
    n_switches = np.zeros(fabric.n_segments, dtype=np.int64)
    for device in np.flatnonzero(network.wiring.kind != NODE):
        if network.wiring.n_ports[device]:
            place = segment[network.port_start[device]]
            n_boxes[place] += 1
            n_switches[place] += network.wiring.kind[device] == SWITCH
    if (n_boxes[of_compute] > 1).any():
        return []
    return [int(number) for number in np.unique(n_switches[of_compute])]


def _switch_distances(network: Network) -> set[int]:
    """Return the numbers of switches on the paths between compute nodes within their segments."""
    neighbours = _neighbours_without_nodes(network)
    forth = network.wiring.joined_devices
    ends = np.concatenate([forth, forth[:, ::-1]])
    boxes = ends[ends[:, 0] < network.n_compute][:, 1]
    holders, n_held = np.unique(boxes, return_counts=True)
    is_holder = np.isin(np.arange(len(network.device_names)), holders)
    weight = (network.wiring.kind == SWITCH).astype(np.int64)
    found: set[int] = set()
    for holder, held in zip(holders.tolist(), n_held.tolist(), strict=True):
        crossed = _crossed_from(holder, neighbours, weight)
        reached = is_holder & (crossed >= 0)
        reached[holder] = held > 1
        found |= set(crossed[reached].tolist())
    return found


def _neighbours_without_nodes(network: Network) -> list[list[int]]:
    neighbours: list[list[int]] = [[] for _ in network.device_names]
    is_node = network.wiring.kind == NODE
    for a, b in zip(
        network.wiring.cable_a[:, 0].tolist(), network.wiring.cable_b[:, 0].tolist(), strict=True
    ):
        if not is_node[a] and not is_node[b]:
            neighbours[a].append(b)
            neighbours[b].append(a)
    return neighbours


def _crossed_from(
    start: int, neighbours: list[list[int]], weight: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return the number of switches on the path from `start` to each device, both included; -1 if
    it is unreachable.
    """
    crossed = np.full(len(neighbours), -1, dtype=np.int64)
    crossed[start] = weight[start]
    queue = deque([start])
    while queue:
        device = queue.popleft()
        for other in neighbours[device]:
            if crossed[other] < 0:
                crossed[other] = crossed[device] + weight[other]
                queue.append(other)
    return crossed


def _followed(network: Network, communicates: npt.NDArray[np.bool_]) -> set[PathClass]:
    found = set()
    identities = network.addresses.identity[: network.n_compute]
    for node, reached in enumerate(communicates):
        to = identities[reached]
        paths = network.core.paths(np.full(len(to), node, dtype=np.uint32), to)
        kinds = network.wiring.kind[paths.device]
        n_switches, n_nodes = (
            np.add.reduceat(kinds == kind, paths.start[:-1], dtype=np.int64)
            for kind in (SWITCH, NODE)
        )
        found |= set(zip(n_switches.tolist(), (n_nodes - 2).tolist(), strict=True))
    return {PathClass(n_switches, n_forwards) for n_switches, n_forwards in found}
