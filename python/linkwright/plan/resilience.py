"""What a single failure of a cable, a NIC, a hub or a switch leaves connected, after re-planning.

A failure is *survived* when every two nodes that remain can still reach each other over what is
left, each node forwarding where it must: this is what newly planned tables could do, not what the
present tables do by themselves. Counted once each: every cable, every NIC in use, and every hub or
switch as it is racked (a chassis with all its logical switches; one unit of a stack with the cables
plugged into it). Failures of nodes, pairs of failures and the time until new tables are in place
are not part of this figure: who goes on by itself, pair by pair, is proved in survival.py, which
has no room for very large networks; this figure is linear in their size. After parts died, further
failures are counted, for the nodes that are still joined.

Cables and NICs need one search for bridges [Tarjan 1974: low points of a depth-first search]; hubs
and switches need one labelling of connected components each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from linkwright.plan.joined import component_labels, joined_nodes
from linkwright.plan.units import RackedUnits

if TYPE_CHECKING:
    from linkwright.network import Network

COUNTS = (
    "fraction of single failures of a cable, a NIC, a hub or a switch (chassis and stack units as "
    "racked) after which all nodes still reach each other once the tables are planned anew; NICs "
    "and cables count one each"
)


@dataclass(frozen=True)
class Tally:
    """How many single failures of one kind of part are survived."""

    n_failures: int
    n_survived: int


@dataclass(frozen=True)
class Resilience:
    """Single failures that are survived, by kind of part and in all."""

    cables: Tally
    nics: Tally
    hubs: Tally
    switches: Tally

    @property
    def total(self) -> Tally:
        """All single failures together."""
        kinds = (self.cables, self.nics, self.hubs, self.switches)
        return Tally(sum(k.n_failures for k in kinds), sum(k.n_survived for k in kinds))

    @property
    def fraction(self) -> float:
        """The share of single failures that is survived; 1 where nothing can fail."""
        total = self.total
        return total.n_survived / total.n_failures if total.n_failures else 1.0


def resilience(network: Network) -> Resilience:
    """Return how many single failures leave all nodes connected.

    Parameters
    ----------
    network : Network
        The compiled network.

    Returns
    -------
    Resilience
        Counts per kind of part.
    """
    ends = network.wiring.joined_devices
    is_node = joined_nodes(network)
    harmful = separating_cables(ends, is_node)
    n_nics, n_harmful_nics = int(is_node[ends].sum()), int(is_node[ends[harmful]].sum())
    return Resilience(
        cables=Tally(len(ends), int((~harmful).sum())),
        nics=Tally(n_nics, n_nics - n_harmful_nics),
        hubs=_unit_tally(network, ends, is_node, kind="hub"),
        switches=_unit_tally(network, ends, is_node, kind="switch"),
    )


def _unit_tally(
    network: Network, ends: npt.NDArray[np.int64], is_node: npt.NDArray[np.bool_], *, kind: str
) -> Tally:
    racked = RackedUnits.of(network)
    wanted = [index for index, unit in enumerate(racked.units) if unit.kind == kind]
    n_failures = n_survived = 0
    for index in wanted:
        lost = (racked.end_unit == index).any(axis=1)
        if lost.any():  # nothing more dies with a box that is dead already
            n_failures += 1
            n_survived += nodes_are_connected(ends[~lost], is_node)
    return Tally(n_failures, n_survived)


def nodes_are_connected(ends: npt.NDArray[np.int64], is_node: npt.NDArray[np.bool_]) -> bool:
    """Return whether all nodes lie in one connected component.

    Parameters
    ----------
    ends : ndarray of int64, shape (n_cables, 2)
        The devices at the two ends of each cable.
    is_node : ndarray of bool, shape (n_devices,)
        Which devices are nodes.
    """
    label = component_labels(ends, len(is_node))[is_node]
    return bool((label == label[0]).all()) if len(label) else True


def separating_cables(
    ends: npt.NDArray[np.int64], is_node: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return which cables, taken out alone, part two nodes from each other.

    Parameters
    ----------
    ends : ndarray of int64, shape (n_cables, 2)
        The devices at the two ends of each cable.
    is_node : ndarray of bool, shape (n_devices,)
        Which devices are nodes.

    Returns
    -------
    ndarray of bool, shape (n_cables,)
    """
    separates = np.zeros(len(ends), dtype=np.bool_)
    for tree in _depth_first_trees(ends, len(is_node)):
        _mark_bridges(tree, is_node, separates)
    return separates


@dataclass(frozen=True)
class _Tree:
    """One depth-first tree: devices in order of discovery, and what leads to each."""

    order: list[int]
    parent: dict[int, int]
    parent_cable: dict[int, int]
    low: dict[int, int]


def _depth_first_trees(ends: npt.NDArray[np.int64], n_devices: int) -> list[_Tree]:
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(n_devices)]
    for cable, (a, b) in enumerate(ends.tolist()):
        neighbours[a].append((b, cable))
        neighbours[b].append((a, cable))
    index = [-1] * n_devices
    return [_grow(root, neighbours, index) for root in range(n_devices) if index[root] < 0]


def _grow(root: int, neighbours: list[list[tuple[int, int]]], index: list[int]) -> _Tree:
    tree = _Tree(order=[root], parent={}, parent_cable={root: -1}, low={root: 0})
    index[root] = 0
    stack = [(root, iter(neighbours[root]))]
    while stack:
        device, rest = stack[-1]
        for neighbour, cable in rest:
            if cable == tree.parent_cable[device]:
                continue
            if index[neighbour] >= 0:
                tree.low[device] = min(tree.low[device], index[neighbour])
                continue
            index[neighbour] = tree.low[neighbour] = len(tree.order)
            tree.order.append(neighbour)
            tree.parent[neighbour], tree.parent_cable[neighbour] = device, cable
            stack.append((neighbour, iter(neighbours[neighbour])))
            break
        else:
            stack.pop()
            if stack:
                above = stack[-1][0]
                tree.low[above] = min(tree.low[above], tree.low[device])
    return tree


def _mark_bridges(
    tree: _Tree, is_node: npt.NDArray[np.bool_], separates: npt.NDArray[np.bool_]
) -> None:
    """Mark the tree's bridges with nodes on both sides."""
    below = {device: int(is_node[device]) for device in tree.order}
    for device in reversed(tree.order[1:]):
        below[tree.parent[device]] += below[device]
    in_all = below[tree.order[0]]
    for position, device in enumerate(tree.order[1:], start=1):
        if tree.low[device] == position and 0 < below[device] < in_all:
            separates[tree.parent_cable[device]] = True
