"""Nodes on a grid that wraps around, connected by crossover cables; the nodes forward [NAS-97-017;
PMESH-1998].

Every cable is its own subnet. A side of two has one cable between its two nodes, a side of one has
none. A torus of one dimension is a ring.
"""

from __future__ import annotations

from typing import Literal

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import grid, grid_bisection, grid_cables
from linkwright.design.topologies.topology import ShapedTopology
from linkwright.design.topologies.wiring import Limits, Wiring

__all__ = ["Torus"]


class Torus(ShapedTopology):
    """A grid of nodes with wraparound."""

    default_routing = "dimension-order"

    examples = (
        {"shape": (3, 4)},
        {"shape": (5,)},
        {"shape": (2, 3)},
        {"shape": (4, 4)},
        {"shape": (2, 2, 2, 2, 2)},
        {"shape": (3, 4, 5)},
    )

    kind: Literal["torus"] = "torus"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        del limits
        self.check_cables(grid_cables(self.shape, wraps=True))
        return grid(self.shape, wraps=True, front_end=front_end)

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [PMESH-1998, table 2] as corrected: diameter sum of floor(M / 2)
        (erratum 3).

        From one node, the distances along a ring of M nodes add up to floor(M^2 / 4).
        """
        del limits
        n = self.n_nodes
        diameter = sum(side // 2 for side in self.shape)
        distances = sum((side * side // 4) * (n // side) for side in self.shape)
        nics = sum(min(side - 1, 2) for side in self.shape)
        return ClosedForms(
            n_nodes=n,
            n_cables=grid_cables(self.shape, wraps=True),
            n_switches=0,
            n_hubs=0,
            nics_per_node=nics,
            max_nodes=None,
            diameter_hops=diameter,
            forwards_mean=distances / (n - 1) - 1,
            forwards_worst=diameter - 1,
            switches_best=0,
            switches_worst=0,
            bisection_links=float(grid_bisection(self.shape, wraps=True)),
            ports_per_node={"nic": float(nics)},
            source="[PMESH-1998, table 2], erratum 3",
        )
