"""The worst case: the permutation with the largest load on a link of a network.

It follows from the routes of a network. A workload knows no network, so this one has only a name;
`linkwright.engines.saturate` computes the permutation.
"""

from __future__ import annotations

from typing import ClassVar

from linkwright.errors import UsageError
from linkwright.workloads.pattern import Pairs, Pattern

__all__ = ["WorstCase"]


class WorstCase(Pattern):
    """The permutation of the nodes with the largest possible load on one link."""

    name: ClassVar[str] = "worst-case"

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        return super(Pattern, self).n_ranks(n_nodes)

    def pairs(self, n_ranks: int) -> Pairs:
        """Refuse: the pairs are not known here.

        Raises
        ------
        UsageError
            Always.
        """
        raise UsageError(
            f"workload {self.name} depends on the routes of a network, {n_ranks} nodes do not"
            " determine it",
            "use `linkwright saturate`",
        )
