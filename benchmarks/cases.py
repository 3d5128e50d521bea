"""What is timed: networks and patterns of messages, and a workload that sends none.

The designs are as users write them; nothing here measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwright.workloads import Marks, Measurement, Permutation, Shift, Workload
from linkwright.workloads.steps import Steps, mark

MEGABYTE = 1_000_000


class Idle(Workload):
    """Nothing: what a run takes before the first connection opens."""

    name: ClassVar[str] = "idle"

    def steps(self, n_ranks: int) -> Steps:
        """Return one mark per rank."""
        return mark(0)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return no figure of its own."""
        return []


@dataclass(frozen=True)
class Case:
    """One network and one pattern of messages."""

    title: str
    topology: str
    """As in a design file."""
    workload: Workload
    n_nodes: int


CASES = {
    "switch-16": Case(
        title="16 nodes on a switch, shift by 1 of 1 MB",
        topology="{kind: switch, nodes: 16}",
        workload=Shift(k=1, size_bytes=MEGABYTE),
        n_nodes=16,
    ),
    "p-mesh-576": Case(
        title="24x24 P-Mesh, seeded permutation of 1 MB",
        topology="{kind: p-mesh, shape: [24, 24]}",
        workload=Permutation(size_bytes=MEGABYTE),
        n_nodes=576,
    ),
}
