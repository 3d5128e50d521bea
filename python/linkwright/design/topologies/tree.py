"""A tree of switches: leaves with nodes, uplinks towards roots that act as one [PMESH-1998, table
2; STACK-2001].

All uplinks of a switch are one bundle to one logical switch above, so there is no loop. Uplinks
take extra, faster ports (`extra`) or node ports (`node`). Middle levels, if any, are switches of
the root's kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.topology import Count, NodeCount, Topology, check_units
from linkwright.design.topologies.wiring import (
    MOST_NODES,
    NODE_SPEED,
    UPLINK,
    UPLINK_SPEED,
    Boxes,
    Cables,
    Limits,
    Wiring,
    assemble,
    require_ports,
)
from linkwright.errors import DesignError

__all__ = ["Tree"]


@dataclass(frozen=True)
class _Plan:
    """Numbers of nodes and switches, level by level."""

    nodes_of_leaf: NDArray[np.int64]
    switches: tuple[int, ...]
    """Logical switches per level: leaves first, one root last."""
    roots: int
    """Number of physical roots that act as one."""


class Tree(Topology):
    """Leaf switches connected by uplinks to one or more roots.

    Give `nodes` (spread over `leaves`, or over the fewest leaves of `nodes_per_leaf` or of the
    part's ports, but at least two), or `leaves` and `nodes_per_leaf`.
    """

    default_addressing = "per-segment"

    examples = (
        {"nodes": 6, "uplinks": 2},
        {
            "leaves": 2,
            "nodes_per_leaf": 3,
            "uplinks": 2,
            "roots": 2,
            "levels": 3,
            "leaf_stack_units": 2,
        },
        {"leaves": 10, "nodes_per_leaf": 45, "uplink_ports": "node"},
        {"nodes": 16},
        {"nodes": 90, "levels": 3, "nodes_per_leaf": 12},
        {"nodes": 600},
    )

    kind: Literal["tree"] = "tree"
    nodes: NodeCount | None = None
    leaves: Annotated[int, Field(strict=True, ge=2, le=MOST_NODES)] | None = None
    nodes_per_leaf: Count | None = None
    leaf_stack_units: Count = 1
    """Switches in the stack of each leaf."""
    uplinks: Annotated[int, Field(strict=True, ge=1, le=64)] = 2
    """Cables from each switch to the level above."""
    roots: Annotated[int, Field(strict=True, ge=1, le=64)] | None = None
    """Physical roots. Default: the fewest with enough ports."""
    levels: Annotated[int, Field(strict=True, ge=2, le=8)] = 2
    """Levels of switches, leaves and root included."""
    uplink_ports: Literal["extra", "node"] = "extra"
    """Whether uplinks use extra ports of a leaf, or the same ports as nodes."""

    @model_validator(mode="after")
    def _check_size(self) -> Tree:
        if self.nodes is None and (self.leaves is None or self.nodes_per_leaf is None):
            raise DesignError(
                "a tree needs 'nodes', or both 'leaves' and 'nodes_per_leaf'",
                "for example {kind: tree, nodes: 16}",
            )
        if self.n_nodes > MOST_NODES:
            raise DesignError(
                f"{self.label} has {self.n_nodes:,} nodes, at most {MOST_NODES:,} can be built",
                "choose fewer leaves",
            )
        if self.leaves is not None and self.n_nodes < self.leaves:
            raise DesignError(
                f"{self.label} has fewer nodes than leaves ({self.leaves})", "choose fewer leaves"
            )
        if None not in (self.leaves, self.nodes_per_leaf) and self.n_nodes > self._room:
            raise DesignError(
                f"{self.label}: nodes: {self.nodes} contradict leaves: {self.leaves} with "
                f"nodes_per_leaf: {self.nodes_per_leaf}, which hold {self._room}",
                f"set nodes: {self._room} or less, or leave one of the three out",
            )
        if self.roots is not None and self.roots > self.uplinks:
            raise DesignError(
                f"{self.label} has {self.roots} roots, but only {self.uplinks} uplinks per switch",
                f"set uplinks: {self.roots}, or at most {self.uplinks} roots",
            )
        return self

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return self.nodes or self._room

    @property
    def _room(self) -> int:
        """Node ports of the leaves if their number and their nodes are given."""
        return (self.leaves or 0) * (self.nodes_per_leaf or 0)

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on the first leaf."""
        plan = self._plan(limits, front_end=front_end)
        on_leaf = plan.nodes_of_leaf + (np.arange(len(plan.nodes_of_leaf)) < front_end)
        self._check_leaf(int(on_leaf.max()), limits)
        least = int(on_leaf.min()) + self.uplinks
        check_units(f"{self.label}: a leaf", "leaf_stack_units", self.leaf_stack_units, least)
        n, first = self.n_nodes, self.n_nodes + int(front_end)
        leaf = np.repeat(np.arange(plan.switches[0]), plan.nodes_of_leaf)
        place = np.arange(n) - np.repeat(_starts(plan.nodes_of_leaf), plan.nodes_of_leaf)
        nodes = Cables(
            a=np.column_stack([np.arange(n), np.zeros(n, dtype=np.int64)]),
            b=np.column_stack([first + leaf, place]),
        )
        return assemble(
            shape=(plan.switches[0], int(plan.nodes_of_leaf.max())),
            nodes=np.column_stack([leaf, place]).astype(np.int32),
            boxes=self._boxes(plan),
            cables=[nodes, *self._uplinks(plan, first)],
            front_end=front_end,
            front_end_at=(first,),
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [PMESH-1998, table 2], for leaves filled alike."""
        plan = self._plan(limits, front_end=False)
        n, leaves = self.n_nodes, plan.switches[0]
        full = self.nodes_per_leaf or self._leaf_capacity(limits)
        uplink_role = "root_switch" if self.uplink_ports == "extra" else "switch"
        ports = {"nic": 1.0, "switch": 1.0}
        uplink_ends = 2 * self.uplinks * sum(plan.switches[:-1])
        ports[uplink_role] = ports.get(uplink_role, 0.0) + uplink_ends / (leaves * full)
        even = leaves % 2 == 0 and n % leaves == 0
        return ClosedForms(
            n_nodes=n,
            n_cables=n + self.uplinks * sum(plan.switches[:-1]),
            n_switches=leaves * self.leaf_stack_units + sum(plan.switches[1:-1]) + plan.roots,
            n_hubs=0,
            nics_per_node=1,
            max_nodes=self._most_leaves(limits) * full,
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=1 if n > leaves else 3,
            switches_worst=2 * self.levels - 1,
            bisection_links=float(n // 2),
            bisection_uplinks=float(self.uplinks * (leaves // 2)),
            bisection_is_exact=even and self.levels == 2,
            ports_per_node=ports,
            source="[PMESH-1998, table 2]; [STACK-2001]",
        )

    def _plan(self, limits: Limits, *, front_end: bool) -> _Plan:
        """Return the spread of the nodes over leaves and of the leaves over the levels above."""
        leaves = self._n_leaves(limits, front_end=front_end)
        hosts = self.n_nodes + int(front_end)
        spread = np.full(leaves, hosts // leaves, dtype=np.int64)
        spread[: hosts % leaves] += 1
        spread[0] -= int(front_end)
        above = self._ports_above(limits)
        switches = [leaves]
        for _ in range(self.levels - 2):
            children = max((above - self.uplinks) // self.uplinks, 1)
            switches.append(min(max(2, -(-switches[-1] // children)), switches[-1]))
        needed = switches[-1] * self.uplinks
        roots = self.roots or min(-(-needed // above), self.uplinks)
        require_ports(
            role=self._role_above,
            needed=needed,
            available=above * roots,
            thing=f"{self.label}: {roots} root(s) for {switches[-1]} x {self.uplinks} uplinks",
            remedy="choose fewer leaves or uplinks, more roots or levels, or a larger root switch",
        )
        return _Plan(spread, (*switches, 1), roots)

    def _n_leaves(self, limits: Limits, *, front_end: bool) -> int:
        if self.leaves is not None:
            return self.leaves
        full = self.nodes_per_leaf or self._leaf_capacity(limits)
        return max(2, -(-(self.n_nodes + front_end) // full))

    def _leaf_capacity(self, limits: Limits) -> int:
        """Return the number of nodes that fit on one leaf."""
        extra = self.uplink_ports == "extra"
        ports = limits.leaf_ports if extra else limits.switch_ports
        require_ports(
            role="switch", needed=1, available=limits.switch_ports, thing=self.label, remedy=""
        )
        if ports is None:
            raise DesignError(
                f"{self.label} needs extra uplink ports, the part for 'switch' has none",
                "set uplink_ports: node, or give the part an uplink_rate_mbps",
            )
        return max(ports * self.leaf_stack_units - (0 if extra else self.uplinks), 1)

    def _check_leaf(self, needed: int, limits: Limits) -> None:
        uplinks = " beside its uplinks" if self.uplink_ports == "node" else ""
        require_ports(
            role="switch",
            needed=needed,
            available=self._leaf_capacity(limits),
            thing=f"{self.label}: a leaf{uplinks}",
            remedy="choose more leaves, a larger switch or leaf_stack_units",
        )

    @property
    def _role_above(self) -> str:
        return "root_switch" if self.uplink_ports == "extra" else "switch"

    def _ports_above(self, limits: Limits) -> int:
        """Return the ports of a switch above the leaves."""
        extra = self.uplink_ports == "extra"
        ports = limits.root_switch_ports if extra else limits.switch_ports
        require_ports(role=self._role_above, needed=1, available=ports, thing=self.label, remedy="")
        assert ports is not None
        return ports

    def _most_leaves(self, limits: Limits) -> int:
        """Return the number of leaves that the roots can connect: each of up to `uplinks` roots has
        a
        port per leaf.
        """
        above, roots = self._ports_above(limits), self.roots or self.uplinks
        children = max((above - self.uplinks) // self.uplinks, 1)
        return above * roots // self.uplinks * int(children ** (self.levels - 2))

    def _boxes(self, plan: _Plan) -> list[Boxes]:
        """Return leaves, middle switches and the root."""
        leaves, *middle, _ = plan.switches
        along = np.column_stack([np.arange(leaves), np.full(leaves, -1)]).astype(np.int32)
        boxes = [
            Boxes(
                part_role="switch", stem="sw", coordinates=along, stack_units=self.leaf_stack_units
            )
        ]
        for level, count in enumerate(middle, start=1):
            nowhere = np.full((count, 2), -1, dtype=np.int32)
            boxes.append(
                Boxes(part_role=self._role_above, stem=f"mid{level}-", coordinates=nowhere)
            )
        nowhere = np.full((1, 2), -1, dtype=np.int32)
        boxes.append(
            Boxes(
                part_role=self._role_above,
                stem="root",
                coordinates=nowhere,
                stack_units=plan.roots,
            )
        )
        return boxes

    def _uplinks(self, plan: _Plan, first: int) -> list[Cables]:
        """Return the uplinks of each level, with port numbers after those of the cables below."""
        speed = UPLINK_SPEED if self.uplink_ports == "extra" else NODE_SPEED
        rows, below_ports, start = [], plan.nodes_of_leaf, first
        for lower, upper in zip(plan.switches[:-1], plan.switches[1:], strict=True):
            child = np.repeat(np.arange(lower), self.uplinks)
            member = np.tile(np.arange(self.uplinks), lower)
            parent = child * upper // lower
            first_child = np.searchsorted(parent, parent, side="left")
            rows.append(
                Cables(
                    a=np.column_stack([start + child, below_ports[child] + member]),
                    b=np.column_stack(
                        [start + lower + parent, np.arange(len(child)) - first_child]
                    ),
                    kind=UPLINK,
                    speed=speed,
                )
            )
            below_ports = np.bincount(parent, minlength=upper)
            start += lower
        return rows


def _starts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.cumsum(counts) - counts
