"""The worst case: the permutation that loads a link of a network most.

It follows from the routes of a network, so a workload, which knows none, has it in name only:
`linkwright.engines.saturate` asks the network for it.
"""

from __future__ import annotations

from typing import ClassVar

from linkwright.errors import UsageError
from linkwright.workloads.pattern import Pairs, Pattern

__all__ = ["WorstCase"]


class WorstCase(Pattern):
    """The permutation of the nodes that loads one link as much as any can."""

    name: ClassVar[str] = "worst-case"

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        return super(Pattern, self).n_ranks(n_nodes)

    def pairs(self, n_ranks: int) -> Pairs:
        """Refuse: they are not known here.

        Raises
        ------
        UsageError
            Always.
        """
        raise UsageError(
            f"workload {self.name} follows from the routes of a network, for {n_ranks} nodes alone"
            " it is not known",
            "ask `linkwright saturate`",
        )
