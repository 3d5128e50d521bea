"""Permutation: every rank sends one message to another one, and receives one.

The permutation is a Fisher-Yates shuffle driven by the 64-bit linear congruential generator of
Knuth's MMIX, a few lines in any language, so that other simulators can be given the same one. From
the last position down, `state = state * 6364136223846793005 + 1442695040888963407 (mod 2^64)`, and
position i is swapped with `(state >> 33) mod (i + 1)`.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from linkwright.errors import UsageError
from linkwright.workloads.pattern import Pairs, Pattern, without_self

__all__ = ["Permutation", "permutation"]

_MULTIPLIER, _INCREMENT, _WORD = 6364136223846793005, 1442695040888963407, (1 << 64) - 1


class Permutation(Pattern):
    """Completion time of one message from every node to the node a seeded permutation gives it."""

    name: ClassVar[str] = "permutation"
    # This seed moves at least one rank on every small network; seeds 1 and 3 do not.
    examples = ({"seed": 4},)

    seed: int = Field(1, ge=0, lt=1 << 64)
    """Seed of the permutation."""

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        n_ranks = super(Pattern, self).n_ranks(n_nodes)
        if self.pairs(n_ranks)[0].size == 0:
            raise UsageError(
                f"workload {self.name}: seed {self.seed} leaves each of {n_ranks} nodes in place",
                "choose another seed",
            )
        return n_ranks

    def pairs(self, n_ranks: int) -> Pairs:
        """Return every rank with its destination; ranks that map to themselves send nothing."""
        return without_self(np.arange(n_ranks), permutation(n_ranks, self.seed))


def permutation(n_ranks: int, seed: int) -> NDArray[np.intp]:
    """Return the permutation of a seed.

    Returns
    -------
    ndarray, shape (n_ranks,)
        Destination of each rank.

    Examples
    --------
    >>> permutation(6, seed=1).tolist()
    [1, 5, 4, 0, 3, 2]
    """
    destination = list(range(n_ranks))
    state = seed
    # A shuffle is sequential by nature; 100,000 ranks take a tenth of a second.
    for i in range(n_ranks - 1, 0, -1):
        state = (state * _MULTIPLIER + _INCREMENT) & _WORD
        j = (state >> 33) % (i + 1)
        destination[i], destination[j] = destination[j], destination[i]
    return np.array(destination, dtype=np.intp)
