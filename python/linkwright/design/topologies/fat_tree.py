"""A k-ary fat tree of equal switches in three levels, which spread flows over all shortest paths
[FATTREE-2008].

A pod has k/2 edge and k/2 aggregation switches of k ports. An edge switch has k/2 nodes and a cable
to each aggregation switch of its pod. Core switch j of group i has a cable to aggregation switch i
of every pod. With fewer nodes than the tree can hold, whole pods are left out, and with a single
pod the core; the nodes are spread evenly over the remaining edge switches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.topology import NodeCount, Topology
from linkwright.design.topologies.wiring import (
    MOST_NODES,
    UPLINK,
    Boxes,
    Cables,
    Limits,
    Wiring,
    assemble,
    require_ports,
)
from linkwright.errors import DesignError

__all__ = ["FatTree"]


@dataclass(frozen=True)
class _Plan:
    """The built part of the whole tree: pods and cores, and the nodes of each edge switch."""

    pods: int
    cores: int
    nodes_of_edge: NDArray[np.int64]


class FatTree(Topology):
    """Pods of edge and aggregation switches under core switches, all alike.

    Give `k` for the whole tree of k^3/4 nodes, `nodes` for the smallest that holds them, or both
    for larger switches than they need.
    """

    default_addressing = "per-segment"

    examples = (
        {"nodes": 5},
        {"nodes": 3},
        {"k": 4},
        {"nodes": 15},
        {"nodes": 600},
    )

    kind: Literal["fat-tree"] = "fat-tree"
    k: Annotated[int, Field(strict=True, ge=2, le=4096)] | None = None
    """Ports of every switch, an even number. Default: the smallest that holds `nodes`."""
    nodes: NodeCount | None = None

    @model_validator(mode="after")
    def _check_size(self) -> FatTree:
        if self.k is None and self.nodes is None:
            raise DesignError(
                "a fat tree needs 'k' or 'nodes'", "for example {kind: fat-tree, k: 4}"
            )
        if self.k is not None and self.k % 2:
            raise DesignError(
                f"a fat tree of {self.k}-port switches cannot be built: half of the ports lead up",
                f"set k: {self.k + 1}",
            )
        if self.n_nodes > _capacity(self._k):
            raise DesignError(
                f"{self.label} does not fit under switches of {self._k} ports, which hold "
                f"{_capacity(self._k):,} nodes",
                f"set k: {_least_k(self.n_nodes)}, or leave it out",
            )
        if self.n_nodes > MOST_NODES:
            raise DesignError(
                f"{self.label} has {self.n_nodes:,} nodes, at most {MOST_NODES:,} can be built",
                "choose a smaller k",
            )
        if self.n_nodes < self._pods(0) * self._half:
            raise DesignError(
                f"{self.label} has fewer nodes than edge switches of {self._k} ports",
                f"set k: {_least_k(self.n_nodes)}, or leave it out",
            )
        return self

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return self.nodes or _capacity(self.k or 0)

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on the first edge switch."""
        self._check_ports(limits)
        plan, half = self._plan(front_end=front_end), self._half
        n, first = self.n_nodes, self.n_nodes + int(front_end)
        n_edges = len(plan.nodes_of_edge)
        edge = np.repeat(np.arange(n_edges), plan.nodes_of_edge)
        starts = np.cumsum(plan.nodes_of_edge) - plan.nodes_of_edge
        place = np.arange(n) - np.repeat(starts, plan.nodes_of_edge)
        nodes = Cables(
            a=np.column_stack([np.arange(n), np.zeros(n, dtype=np.int64)]),
            b=np.column_stack([first + edge, place]),
        )
        return assemble(
            shape=(plan.pods, half, int(plan.nodes_of_edge.max())),
            nodes=np.column_stack([edge // half, edge % half, place]).astype(np.int32),
            boxes=self._boxes(plan),
            cables=[nodes, *self._uplinks(plan, first)],
            front_end=front_end,
            front_end_at=(first,),
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [FATTREE-2008, sec. 3], less the pods that are left out."""
        plan, n, half = self._plan(front_end=False), self.n_nodes, self._half
        n_edges = plan.pods * half
        levels_up = 2 if plan.cores else 1
        return ClosedForms(
            n_nodes=n,
            n_cables=n + levels_up * n_edges * half,
            n_switches=2 * n_edges + plan.cores,
            n_hubs=0,
            nics_per_node=1,
            max_nodes=_capacity((limits.switch_ports or 0) // 2 * 2),
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=1 if n > n_edges else 3 if half > 1 else 5,
            switches_worst=1 if n_edges == 1 else 2 * levels_up + 1,
            bisection_links=float(n // 2),
            ports_per_node={"nic": 1.0, "switch": 5.0},
            source="[FATTREE-2008, sec. 3]",
        )

    @property
    def _k(self) -> int:
        return self.k or _least_k(self.n_nodes)

    @property
    def _half(self) -> int:
        return self._k // 2

    def _pods(self, n_more: int) -> int:
        """Return the number of pods for the nodes and `n_more` more."""
        return -(-(self.n_nodes + n_more) // self._half**2)

    def _check_ports(self, limits: Limits) -> None:
        most = _capacity((limits.switch_ports or 0) // 2 * 2)
        require_ports(
            role="switch",
            needed=self._k,
            available=limits.switch_ports,
            thing=f"{self.label}: every switch",
            remedy=f"choose at most {most:,} nodes, or a larger switch",
        )

    def _plan(self, *, front_end: bool) -> _Plan:
        """Return the number of pods and the spread of the nodes over them."""
        hosts = self.n_nodes + int(front_end)
        if hosts > _capacity(self._k):
            larger = f"k: {self._k + 2} and nodes: {self.n_nodes}"
            raise DesignError(
                f"{self.label} has no free port for a front end",
                f"set {larger}" if self._k == 2 else f"set nodes: {self.n_nodes - 1}, or {larger}",
            )
        pods = self._pods(int(front_end))
        n_edges = pods * self._half
        spread = np.full(n_edges, hosts // n_edges, dtype=np.int64)
        spread[: hosts % n_edges] += 1
        spread[0] -= int(front_end)
        return _Plan(pods, self._half**2 if pods > 1 else 0, spread)

    def _boxes(self, plan: _Plan) -> list[Boxes]:
        """Return edge, aggregation and core switches; the latter two have no place in a pod."""
        switch = np.arange(plan.pods * self._half)
        pod, edge, none = switch // self._half, switch % self._half, np.full_like(switch, -1)
        places = {
            "edge": np.column_stack([pod, edge, none]),
            "agg": np.column_stack([pod, none, none]),
            "core": np.full((plan.cores, 3), -1),
        }
        return [
            Boxes(
                part_role="switch",
                stem=stem,
                coordinates=place.astype(np.int32),
                is_multipath=True,
            )
            for stem, place in places.items()
        ]

    def _uplinks(self, plan: _Plan, first: int) -> list[Cables]:
        """Return the cables from edge to aggregation switches, and from those to the core."""
        half, n_edges = self._half, plan.pods * self._half
        lower, up = np.divmod(np.arange(n_edges * half), half)
        pod, index = np.divmod(lower, half)
        aggregation, core = first + n_edges, first + 2 * n_edges
        hosts = plan.nodes_of_edge[lower]
        within = Cables(
            a=np.column_stack([first + lower, hosts + up]),
            b=np.column_stack([aggregation + pod * half + up, index]),
            kind=UPLINK,
        )
        above = Cables(
            a=np.column_stack([aggregation + lower, half + up]),
            b=np.column_stack([core + index * half + up, pod]),
            kind=UPLINK,
        )
        return [within, above] if plan.cores else [within]


def _capacity(k: int) -> int:
    """Return the nodes under switches of k ports."""
    return k**3 // 4


def _least_k(nodes: int) -> int:
    """Return the smallest even number of ports of switches that hold this number of nodes."""
    k = 2 * round(math.cbrt(nodes / 2))
    while _capacity(k) < nodes:
        k += 2
    while k > 2 and _capacity(k - 2) >= nodes:
        k -= 2
    return max(k, 2)
