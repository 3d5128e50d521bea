"""Stages of nodes in a ring, each connected to the next by a stack of switches [STACK-2001].

Stack i serves the E interfaces of stage i and the W interfaces of stage i + 1. Nodes of one stage
and of neighbouring stages talk through a switch. Farther nodes are reached through forwarding
compute nodes, or through forwarders in each stage.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.stacks import Stacks
from linkwright.design.topologies.topology import Count, Topology, check_shape
from linkwright.design.topologies.wiring import MOST_NODES, Limits, Wiring

__all__ = ["StackRing"]


class StackRing(Topology):
    """Stages in a ring with a stack of switches between each two."""

    default_addressing = "stack-ring"
    fallback_identities = "loopback"
    default_routing = "stack"

    examples = (
        {"stages": 4, "nodes_per_stage": 1, "extra_forwarders": 1},
        {"stages": 3, "nodes_per_stage": 1},
        {"stages": 7, "nodes_per_stage": 9, "extra_forwarders": 2},
        {"stages": 12, "nodes_per_stage": 49},
    )

    kind: Literal["stack-ring"] = "stack-ring"
    stages: Annotated[int, Field(strict=True, ge=3, le=MOST_NODES)]
    nodes_per_stage: Count
    extra_forwarders: Annotated[int, Field(strict=True, ge=0, le=MOST_NODES)] = 0
    """Forwarders in each stage, which do all forwarding in place of the compute nodes."""

    @model_validator(mode="after")
    def _check_size(self) -> StackRing:
        check_shape((self.stages, self.nodes_per_stage + self.extra_forwarders))
        return self

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return self.stages * self.nodes_per_stage

    @property
    def sides(self) -> tuple[int, ...]:
        """Stages and nodes per stage, for example (5, 60)."""
        return self.stages, self.nodes_per_stage

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
            groups=(self.stages,),
            n_places=self.nodes_per_stage,
            n_forwarders=self.extra_forwarders,
            stems=("stack",),
        )
