"""The common parts of stack ring and stack mesh: groups on a grid that wraps around, and a stack of
switches between each two neighbouring groups, with every node of both on it [STACK-2001].

NICs of a node are numbered E, W, N, S, without those that lead nowhere: E leads to the next group
along X (the last axis of the groups), W to the one before, N and S likewise along Y. A side of two
has one stack, a side of one none. On a stack the nodes of the first group come before those of the
second.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import (
    grid_bisection,
    grid_cables,
    grid_coordinates,
    has_forward,
    port_numbers,
)
from linkwright.design.topologies.wiring import Boxes, Cables, Limits, Wiring, assemble
from linkwright.errors import DesignError

__all__ = ["Stacks"]


@dataclass(frozen=True, kw_only=True)
class Stacks:
    """Groups of nodes and the stacks between them, for any shape."""

    label: str
    groups: tuple[int, ...]
    """Sides of the grid of groups."""
    n_places: int
    """Compute nodes of each group."""
    n_forwarders: int = 0
    """Nodes of each group that only forward."""
    stems: tuple[str, ...]
    """First part of the names of the stacks of each dimension, X first."""

    @property
    def n_stacks(self) -> int:
        """Number of stacks: one per pair of neighbouring groups."""
        return grid_cables(self.groups, wraps=True)

    @property
    def n_cables(self) -> int:
        """Number of cables from nodes to stacks."""
        return 2 * self.n_stacks * (self.n_places + self.n_forwarders)

    def build(self, limits: Limits, *, front_end: bool) -> Wiring:
        """Return the arrays of devices and cables; the front end is on the first stack."""
        shape = (*self.groups, self.n_places)
        nodes, forwarders = grid_coordinates(shape), self._forwarders()
        first = len(nodes) + len(forwarders) + int(front_end)
        return assemble(
            shape=shape,
            nodes=nodes,
            forwarders=forwarders,
            boxes=list(self._boxes(limits, front_end=front_end)),
            cables=list(self._cables(first)),
            front_end=front_end,
            front_end_at=(first,),
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [STACK-2001] with errata 10 and 11.

        Groups are as far apart as nodes of a torus; D groups away take D hops, the group itself
        one. The capacity of a stack is a concave function of the nodes that each half of a split
        has
        on it, so the smallest cut leaves all groups but one whole: it is that of the torus of
        groups, with the links of a group for each cable.
        """
        n_groups, size = math.prod(self.groups), self.n_places
        n = n_groups * size
        diameter = max(1, sum(side // 2 for side in self.groups))
        distances = sum((side * side // 4) * (n_groups // side) for side in self.groups)
        return ClosedForms(
            n_nodes=n,
            n_cables=self.n_cables,
            n_switches=self.n_stacks * self._units(limits),
            n_hubs=0,
            nics_per_node=sum(min(side - 1, 2) for side in self.groups),
            max_nodes=None,
            diameter_hops=diameter,
            forwards_mean=size * (distances - n_groups + 1) / (n - 1),
            forwards_worst=diameter - 1,
            switches_best=1,
            switches_worst=diameter,
            bisection_links=float(size * grid_bisection(self.groups, wraps=True)),
            ports_per_node={"nic": self.n_cables / n, "switch": self.n_cables / n},
            source="[STACK-2001, table 2], errata 10 and 11",
        )

    def _forwarders(self) -> NDArray[np.int32]:
        """Return the coordinates of the forwarders, which come after the last position."""
        places = grid_coordinates((*self.groups, self.n_forwarders))
        places[:, -1] += self.n_places
        return places

    def _boxes(self, limits: Limits, *, front_end: bool) -> Iterator[Boxes]:
        """Yield the stacks, X first; the first may need one more unit for the front end."""
        for number, (dimension, first, _) in enumerate(self._neighbours()):
            corners = grid_coordinates(self.groups)[first]
            places = np.insert(corners, len(self.groups), -1, axis=1).astype(np.int32)
            n_larger = int(front_end and number == 0)
            for some, n_others in ((places[:n_larger], n_larger), (places[n_larger:], 0)):
                yield Boxes(
                    part_role="switch",
                    stem=self.stems[dimension],
                    coordinates=some,
                    stack_units=self._units(limits, n_others),
                )

    def _cables(self, first_device: int) -> Iterator[Cables]:
        """Yield the cables of the first and the second groups on the stacks of each dimension."""
        size, extra = self.n_places, self.n_forwarders
        n_groups = math.prod(self.groups)
        members = np.hstack(
            [
                np.arange(n_groups * size).reshape(n_groups, size),
                n_groups * size + np.arange(n_groups * extra).reshape(n_groups, extra),
            ]
        )
        nic = port_numbers(grid_coordinates(self.groups), self.groups, wraps=True)
        on_stack = size + extra
        for dimension, first, second in self._neighbours():
            stacks = first_device + np.arange(len(first))
            for half, groups in enumerate((first, second)):
                nics = np.repeat(nic[groups, 2 * dimension + half], on_stack)
                ports = np.tile(half * on_stack + np.arange(on_stack), len(groups))
                yield Cables(
                    a=np.column_stack([members[groups].ravel(), nics]),
                    b=np.column_stack([np.repeat(stacks, on_stack), ports]),
                )
            first_device += len(first)

    def _neighbours(self) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
        """Yield each dimension that has stacks, X first, and the two groups of each of them."""
        index = np.arange(math.prod(self.groups)).reshape(self.groups)
        places = grid_coordinates(self.groups)
        for dimension, axis in enumerate(reversed(range(len(self.groups)))):
            side = self.groups[axis]
            if side > 1:
                first = np.flatnonzero(has_forward(places[:, axis], side, wraps=True))
                yield dimension, first, np.roll(index, -1, axis=axis).ravel()[first]

    def _units(self, limits: Limits, n_others: int = 0) -> int:
        """Return the number of switches in a stack for two groups and `n_others` nodes.

        Raises
        ------
        DesignError
            If there is no switch, or the stack would be too large.
        """
        ports, most = limits.switch_ports, limits.switch_stack_units
        if ports is None:
            raise DesignError(
                f"{self.label} needs a part for the role 'switch', which the catalogue does not "
                "have",
                "add 'switch' under 'parts', or choose another catalogue",
            )
        n_ports = 2 * (self.n_places + self.n_forwarders) + n_others
        units = -(-n_ports // ports)
        if most is not None and units > most:
            room = (most * ports - n_others) // 2 - self.n_forwarders
            raise DesignError(
                f"{self.label}: a stack of {n_ports} ports needs {units} switches of {ports} "
                f"ports, at most {most} act as one",
                f"choose at most {room} nodes per group, or a larger switch",
            )
        return units
