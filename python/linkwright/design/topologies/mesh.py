"""A torus without the wraparound cables: nodes at the ends of a line have fewer NICs.

Wiring and cuts are those of grid.py.
"""

from __future__ import annotations

from typing import Literal

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import grid, grid_bisection, grid_cables
from linkwright.design.topologies.topology import ShapedTopology
from linkwright.design.topologies.wiring import Limits, Wiring

__all__ = ["Mesh"]


class Mesh(ShapedTopology):
    """A grid of nodes with ends."""

    default_routing = "dimension-order"

    examples = (
        {"shape": (2, 1, 3)},
        {"shape": (5,)},
        {"shape": (3, 5)},
    )

    kind: Literal["mesh"] = "mesh"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        del limits
        self.check_cables(grid_cables(self.shape, wraps=False))
        return grid(self.shape, wraps=False, front_end=front_end)

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of a mesh.

        Over all ordered pairs of places on a line of M nodes the distances add up to M (M^2 - 1) /
        3.
        """
        del limits
        n = self.n_nodes
        diameter = sum(side - 1 for side in self.shape)
        distances = sum(side * (side * side - 1) // 3 * (n // side) ** 2 for side in self.shape)
        return ClosedForms(
            n_nodes=n,
            n_cables=grid_cables(self.shape, wraps=False),
            n_switches=0,
            n_hubs=0,
            nics_per_node=sum(min(side - 1, 2) for side in self.shape),
            max_nodes=None,
            diameter_hops=diameter,
            forwards_mean=distances / (n * (n - 1)) - 1,
            forwards_worst=diameter - 1,
            switches_best=0,
            switches_worst=0,
            bisection_links=float(grid_bisection(self.shape, wraps=False)),
            ports_per_node={"nic": 2 * grid_cables(self.shape, wraps=False) / n},
            source="product graphs; the bisection printed in [PMESH-1998], erratum 3",
        )
