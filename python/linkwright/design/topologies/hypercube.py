"""Nodes at the corners of a cube of any dimension, with crossover cables along its edges: a mesh
whose sides are all two.

The numbers of two neighbours differ in one bit, and a packet crosses the bits that differ one after
the other [SAAD-1988].
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.grid import grid
from linkwright.design.topologies.topology import Topology
from linkwright.design.topologies.wiring import MOST_NODES, Limits, Wiring

__all__ = ["Hypercube"]

MOST_DIMENSIONS = MOST_NODES.bit_length() - 1


class Hypercube(Topology):
    """2^d nodes with a NIC per dimension."""

    default_routing = "dimension-order"

    examples = (
        {"dimension": 3},
        {"dimension": 1},
        {"dimension": 4},
    )

    kind: Literal["hypercube"] = "hypercube"
    dimension: Annotated[int, Field(strict=True, ge=1, le=MOST_DIMENSIONS)]
    """NICs per node; each further one doubles the nodes."""

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return 1 << self.dimension

    @property
    def label(self) -> str:
        """Kind and size."""
        return f"hypercube-{self.dimension}"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; NIC k of a node leads along bit k."""
        del limits
        self.check_cables(self._n_cables)
        return grid((2,) * self.dimension, wraps=False, front_end=front_end)

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of a binary cube: half of the bits differ on average, and a split
        along
        one bit is the smallest.
        """
        n, d = self.n_nodes, self.dimension
        return ClosedForms(
            n_nodes=n,
            n_cables=self._n_cables,
            n_switches=0,
            n_hubs=0,
            nics_per_node=d,
            max_nodes=None if limits.node_slots is None else 1 << limits.node_slots,
            diameter_hops=d,
            forwards_mean=d * n / (2 * (n - 1)) - 1,
            forwards_worst=d - 1,
            switches_best=0,
            switches_worst=0,
            bisection_links=float(n // 2),
            ports_per_node={"nic": float(d)},
            source="[SAAD-1988]; bisection [HARPER-1964]",
        )

    @property
    def _n_cables(self) -> int:
        return self.dimension * self.n_nodes // 2
