"""The figures of a graph without formulas, counted on its wiring: distances over segments, and an
equal split.

Packets are taken to cross as few segments as possible. Routes that prefer faster links may cross
more, so the distances are lower bounds; the split is one of many, and an upper bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.wiring import HUB, SWITCH, Wiring

__all__ = ["counted_forms"]


def counted_forms(wiring: Wiring) -> ClosedForms:
    """Return the counted figures of a wiring without a front end."""
    n = wiring.n_compute
    member = _members(wiring, _segments(wiring))
    hops = _hops(member)[:n, :n][~np.eye(n, dtype=np.bool_)]
    reached = hops[hops > 0]
    kinds = wiring.kind
    return ClosedForms(
        n_nodes=n,
        n_cables=len(wiring.cable_a),
        n_switches=int((kinds == SWITCH).sum()),
        n_hubs=int((kinds == HUB).sum()),
        nics_per_node=int(wiring.n_ports[:n].max()),
        max_nodes=None,
        diameter_hops=int(reached.max(initial=1)),
        forwards_mean=float(reached.mean() - 1) if len(reached) else 0.0,
        forwards_worst=int(reached.max(initial=1)) - 1,
        switches_best=0,
        switches_worst=0,
        are_path_bounds=True,
        bisection_links=_cut(member, n),
        bisection_is_exact=False,
        ports_per_node=_ports_per_node(wiring),
        source="counted on the graph of the design",
    )


def _segments(wiring: Wiring) -> NDArray[np.int64]:
    """Return the segment of each cable: hubs and switches that do not route join their cables."""
    ends = wiring.joined_devices
    label = np.arange(len(ends))
    is_box = wiring.bridges[ends]
    lowest = np.full(len(wiring.kind), len(ends))
    while True:
        before = label
        for side in (0, 1):
            np.minimum.at(lowest, ends[is_box[:, side], side], label[is_box[:, side]])
        at_boxes = np.where(is_box, lowest[ends], len(ends)).min(axis=1)
        label = np.minimum(label, at_boxes)
        if np.array_equal(label, before):
            return np.unique(label, return_inverse=True)[1].astype(np.int64)


def _members(wiring: Wiring, segment: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return which node is on which segment, shape (n_nodes, n_segments), as 0 and 1."""
    member = np.zeros((wiring.n_nodes, int(segment.max(initial=-1)) + 1), dtype=np.float32)
    ends = wiring.joined_devices
    for side in (0, 1):
        at_node = ends[:, side] < wiring.n_nodes
        member[ends[at_node, side], segment[at_node]] = 1
    return member


def _hops(member: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the fewest segments between all nodes; 0 where there is no path."""
    n = len(member)
    hops = np.zeros((n, n), dtype=np.int64)
    reached = np.eye(n, dtype=np.bool_)
    for distance in range(1, n):
        new = ((reached @ member > 0) @ member.T > 0) & ~reached
        if not new.any():
            break
        hops[new] = distance
        reached |= new
    return hops


def _cut(member: NDArray[np.float32], n_compute: int) -> float:
    """Return the links that lead from the first half of the nodes to the others."""
    first = member[: n_compute // 2].sum(axis=0)
    return float(np.minimum(first, member.sum(axis=0) - first).sum())


def _ports_per_node(wiring: Wiring) -> dict[str, float]:
    roles, codes = wiring.end_roles
    counts = np.bincount(codes.ravel(), minlength=len(roles)).tolist()
    return {role: count / wiring.n_compute for role, count in zip(roles, counts, strict=True)}
