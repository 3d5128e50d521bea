"""Groups of nodes on a grid that wraps around, with a stack of switches between each two
neighbouring groups [STACK-2001].

A node has four NICs, E, W, N and S; fewer if a side is one or two. Nodes of one group and of
neighbouring groups talk through a switch, farther ones through forwarding nodes.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.stacks import Stacks
from linkwright.design.topologies.topology import Count, Topology, check_shape, sides_text
from linkwright.design.topologies.wiring import Limits, Wiring
from linkwright.errors import DesignError

__all__ = ["StackMesh"]


def _check_groups(shape: tuple[int, int]) -> tuple[int, int]:
    if math.prod(shape) < 2:
        raise DesignError(
            f"shape {sides_text(shape)} has one group, and no stack to plug its nodes into",
            "give at least two groups, or choose the kind 'switch'",
        )
    return shape


class StackMesh(Topology):
    """Groups on a grid with wraparound, with a stack of switches between neighbours."""

    default_addressing = "stack-mesh"
    fallback_identities = "loopback"
    default_routing = "stack"

    examples = (
        {"shape": (2, 3), "nodes_per_group": 1},
        {"shape": (1, 4), "nodes_per_group": 1},
        {"shape": (2, 3), "nodes_per_group": 4},
        {"shape": (4, 5), "nodes_per_group": 30},
    )

    kind: Literal["stack-mesh"] = "stack-mesh"
    shape: Annotated[
        tuple[Count, Count],
        Field(description="Sides of the grid of groups, Y and X"),
        AfterValidator(_check_groups),
    ]
    nodes_per_group: Count

    @model_validator(mode="after")
    def _check_size(self) -> StackMesh:
        check_shape((*self.shape, self.nodes_per_group))
        return self

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return math.prod(self.shape) * self.nodes_per_group

    @property
    def sides(self) -> tuple[int, ...]:
        """Sides and nodes per group, for example (4, 4, 60)."""
        return (*self.shape, self.nodes_per_group)

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        self.check_cables(self._stacks.n_cables)
        return self._stacks.build(limits, front_end=front_end)

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [STACK-2001, table 2]."""
        return self._stacks.closed_forms(limits)

    @property
    def _stacks(self) -> Stacks:
        return Stacks(
            label=self.label,
            groups=self.shape,
            n_places=self.nodes_per_group,
            stems=("x", "y"),
        )
