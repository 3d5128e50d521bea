"""A cable between every pair of nodes: N - 1 NICs each [PMESH-1998, table 2].

Nothing forwards; the slots of a node bound the size.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.topology import CountedTopology
from linkwright.design.topologies.wiring import CROSSOVER, Cables, Limits, Wiring, assemble

__all__ = ["FullMesh"]


class FullMesh(CountedTopology):
    """Every pair of nodes connected by its own crossover cable."""

    default_routing = "dimension-order"

    examples = (
        {"nodes": 4},
        {"nodes": 3},
        {"nodes": 16},
    )

    kind: Literal["full-mesh"] = "full-mesh"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables.

        NIC k of a node leads to node k, counted without the node itself.
        """
        del limits
        self.check_cables(self.nodes * (self.nodes - 1) // 2)
        low, high = np.triu_indices(self.nodes, k=1)
        return assemble(
            shape=(self.nodes,),
            nodes=np.arange(self.nodes, dtype=np.int32)[:, None],
            cables=[
                Cables(
                    a=np.column_stack([low, high - 1]),
                    b=np.column_stack([high, low]),
                    kind=CROSSOVER,
                )
            ],
            front_end=front_end,
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [PMESH-1998, table 2]; the bisection is BN/2 per node (erratum
        4).
        """
        n = self.nodes
        return ClosedForms(
            n_nodes=n,
            n_cables=n * (n - 1) // 2,
            n_switches=0,
            n_hubs=0,
            nics_per_node=n - 1,
            max_nodes=None if limits.node_slots is None else limits.node_slots + 1,
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=0,
            switches_worst=0,
            bisection_links=float((n // 2) * (n - n // 2)),
            ports_per_node={"nic": float(n - 1)},
            source="[PMESH-1998, table 2], erratum 4",
        )
