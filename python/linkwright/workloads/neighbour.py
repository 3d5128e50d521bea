"""Neighbour: every rank sends to the next one in both directions along each axis of a grid of
ranks, as programs do that divide space among their ranks and exchange the borders.

The grid is the workload's own; it need not match the network.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import BeforeValidator, Field

from linkwright.errors import UsageError
from linkwright.workloads.pattern import Pairs, Pattern
from linkwright.workloads.workload import RankCount

__all__ = ["Neighbour"]


def _sides(value: Any) -> Any:
    return (
        [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, str)
        else value
    )


class Neighbour(Pattern):
    """Completion time of one message from every node to each of its neighbours in a grid."""

    name: ClassVar[str] = "neighbour"

    shape: Annotated[tuple[RankCount, ...], BeforeValidator(_sides), Field(max_length=8)] = ()
    """Side lengths of the grid of ranks, row-major like those of topologies. Default: all ranks in
    one line."""
    wraps: bool = True
    """Whether the last rank along an axis is next to the first."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        if self.shape and math.prod(self.shape) != n_nodes:
            sides = " x ".join(map(str, self.shape))
            raise UsageError(
                f"workload {self.name}: a grid of {sides} does not have {n_nodes} ranks",
                f"choose a shape of {n_nodes} ranks, one per node",
            )
        return super().n_ranks(n_nodes)

    def pairs(self, n_ranks: int) -> Pairs:
        """Return every rank with its neighbours, axis by axis, the last axis first."""
        rank = np.arange(n_ranks)
        grid = rank.reshape(self.shape or (n_ranks,))
        sources, destinations = [], []
        for axis in reversed(range(grid.ndim)):
            side = grid.shape[axis]
            place = np.indices(grid.shape)[axis].ravel()
            # In a ring of two both directions lead to the same neighbour.
            for step in (1, -1) if side > 2 or not self.wraps else (1,):
                exists = (place + step >= 0) & (place + step < side)
                chosen = exists | (self.wraps and side > 1)
                sources.append(rank[chosen])
                destinations.append(np.roll(grid, -step, axis=axis).ravel()[chosen])
        return np.concatenate(sources), np.concatenate(destinations)
