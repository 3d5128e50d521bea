"""Bit complement: rank i of N sends to rank N - 1 - i.

If the number of ranks is a power of two, this is the complement of the bits of the rank; every
message crosses the middle of a line, mesh or tree.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwright.workloads.pattern import Pairs, Pattern, without_self

__all__ = ["BitComplement"]


class BitComplement(Pattern):
    """Completion time of one message from every node i of N to node N - 1 - i."""

    name: ClassVar[str] = "bit-complement"

    def pairs(self, n_ranks: int) -> Pairs:
        """Return every rank with its complement; the middle one of an odd number sends nothing."""
        rank = np.arange(n_ranks)
        return without_self(rank, rank[::-1])
