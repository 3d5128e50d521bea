"""Nodes in a circle, each connected to the next by a crossover cable: a torus of one dimension
under its usual name.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.topology import Count, ShapedTopology, check_shape
from linkwright.design.topologies.torus import Torus
from linkwright.design.topologies.wiring import Limits, Wiring

__all__ = ["Ring"]


class Ring(ShapedTopology):
    """A line of nodes whose last is connected to the first."""

    default_routing = Torus.default_routing

    examples = (
        {"shape": (3,)},
        {"shape": (2,)},
        {"shape": (20,)},
    )

    kind: Literal["ring"] = "ring"
    shape: Annotated[tuple[Count], AfterValidator(check_shape)]
    """The number of nodes, as the only side."""

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        return self._as_torus.build(limits, front_end=front_end)

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of a torus of one dimension."""
        return self._as_torus.closed_forms(limits)

    @property
    def _as_torus(self) -> Torus:
        return Torus(shape=self.shape)
