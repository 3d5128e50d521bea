"""The P-Mesh: a grid in which every line of nodes shares a switch; nodes forward between
dimensions [PMESH-1998].

A node has one NIC per dimension, numbered from X (the last axis). A line of one node has no
switch, and its node no NIC, because it would lead nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import grid_coordinates
from linkwright.design.topologies.lines import Dimension, dimensions, mean_hops
from linkwright.design.topologies.topology import Count, ShapedTopology
from linkwright.design.topologies.wiring import Boxes, Limits, Wiring, assemble, require_ports

__all__ = ["PMesh"]


class PMesh(ShapedTopology):
    """Every line of each dimension on its own switch, or several lines on one chassis."""

    default_addressing = "p-mesh"
    default_routing = "dimension-order"

    examples = (
        {"shape": (3, 2), "lines_per_switch": 2},
        {"shape": (2, 3, 2)},
        {"shape": (4, 4)},
        {"shape": (4, 4), "lines_per_switch": 4},
        {"shape": (3, 2, 3, 2)},
        {"shape": (5, 7, 3)},
        {"shape": (24, 24)},
    )

    kind: Literal["p-mesh"] = "p-mesh"
    lines_per_switch: Annotated[
        Count | None,
        Field(
            description="Lines of one dimension that share one switch as logical parts. Default: "
            "the number for which all switches cost least"
        ),
    ] = None

    @property
    def n_shared(self) -> int:
        """Lines that share one switch: 1 until the prices have chosen."""
        return self.lines_per_switch or 1

    def forms(self, limits: Limits) -> Iterable[PMesh]:
        """Return a form for each number of lines that the largest switch can hold."""
        if self.lines_per_switch is not None:
            return (self,)
        lines = list(dimensions(self.shape))
        shortest, most = min(each.side for each in lines), max(each.n_lines for each in lines)
        held = max(1, (limits.switch_ports or 0) // shortest)
        counts = range(1, min(most, held) + 1)
        return (self.model_copy(update={"lines_per_switch": count}) for count in counts)

    def switch_ports(self, *, front_end: bool) -> Mapping[int, int]:
        """Return the number of switches to buy by their ports in use."""
        found: Counter[int] = Counter()
        for each in dimensions(self.shape):
            n_full, n_left = divmod(each.n_lines, self.n_shared)
            sizes = Counter({self.n_shared * each.side: n_full})
            sizes[n_left * each.side] += 1
            if front_end and each.number == 0:
                first = min(self.n_shared, each.n_lines) * each.side
                sizes.subtract([first])
                sizes[first + 1] += 1
            found.update(sizes)
        return {size: count for size, count in found.items() if size and count}

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on the first line of node 0."""
        lines = list(dimensions(self.shape))
        self.check_cables(len(lines) * self.n_nodes)
        self._check_ports(lines, limits, front_end=front_end)
        nodes = grid_coordinates(self.shape)
        first = device = self.n_nodes + int(front_end)
        boxes, cables, n_chassis = [], [], 0
        for each in lines:
            chassis = n_chassis + np.arange(each.n_lines, dtype=np.int32) // self.n_shared
            boxes.append(
                Boxes(
                    part_role="switch",
                    stem=each.stem,
                    coordinates=each.coordinates(),
                    chassis=chassis if self.n_shared > 1 else None,
                )
            )
            cables.append(each.cables(nodes, device))
            device += each.n_lines
            n_chassis += int(chassis[-1]) - n_chassis + 1
        return assemble(
            shape=self.shape,
            nodes=nodes,
            boxes=boxes,
            cables=cables,
            front_end=front_end,
            front_end_at=(first,),
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [PMESH-1998, table 2] with errata 1 and 3.

        The cut is the paper's: straight through the middle of the lines. A cut around a block of
        the grid can be smaller (5 instead of 6 links for 3x4), so the formula is an upper bound.
        """
        n, lines = self.n_nodes, list(dimensions(self.shape))
        d = len(lines)
        ports = limits.switch_ports or 0
        return ClosedForms(
            n_nodes=n,
            n_cables=d * n,
            n_switches=sum(-(-each.n_lines // self.n_shared) for each in lines),
            n_hubs=0,
            nics_per_node=d,
            max_nodes=(ports // self.n_shared) ** d,
            diameter_hops=d,
            forwards_mean=mean_hops(self.shape) - 1,
            forwards_worst=d - 1,
            switches_best=1,
            switches_worst=d,
            bisection_links=float(n // 2),
            bisection_is_exact=_is_straight_cut_smallest([each.side for each in lines]),
            ports_per_node={"nic": float(d), "switch": float(d)},
            source="[PMESH-1998, table 2], erratum 1",
        )

    def _check_ports(self, lines: list[Dimension], limits: Limits, *, front_end: bool) -> None:
        for each in lines:
            n_parts = min(self.n_shared, each.n_lines)
            require_ports(
                role="switch",
                needed=n_parts * each.side + (front_end and each is lines[0]),
                available=limits.switch_ports,
                thing=f"{self.label}: a switch of dimension {each.stem.upper()} with {n_parts} "
                f"line(s) of {each.side} nodes",
                remedy="choose a larger switch, shorter sides or fewer lines per switch",
            )


def _is_straight_cut_smallest(sides: list[int]) -> bool:
    """Return whether it is established that no other equal split cuts less."""
    return len(sides) == 1 or max(sides) == 2 or sides in ([3, 3], [4, 4])
