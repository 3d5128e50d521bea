"""Two nodes and one crossover cable: the reference for every other network
[PMESH-1998, table 2].
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.topology import Topology
from linkwright.design.topologies.wiring import CROSSOVER, Cables, Limits, Wiring, assemble

__all__ = ["Direct"]


class Direct(Topology):
    """Two nodes connected by one crossover cable."""

    examples = ({},)

    kind: Literal["direct"] = "direct"

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return 2

    @property
    def label(self) -> str:
        """Kind and size."""
        return "direct"

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables."""
        del limits
        return assemble(
            shape=(2,),
            nodes=np.arange(2, dtype=np.int32)[:, None],
            cables=[Cables(a=np.array([[0, 0]]), b=np.array([[1, 0]]), kind=CROSSOVER)],
            front_end=front_end,
        )

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the formulas of [PMESH-1998, table 2]."""
        del limits
        return ClosedForms(
            n_nodes=2,
            n_cables=1,
            n_switches=0,
            n_hubs=0,
            nics_per_node=1,
            max_nodes=2,
            diameter_hops=1,
            forwards_mean=0.0,
            forwards_worst=0,
            switches_best=0,
            switches_worst=0,
            bisection_links=1.0,
            ports_per_node={"nic": 1.0},
            source="[PMESH-1998, table 2]",
        )
