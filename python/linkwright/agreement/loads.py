"""Traffic on which the fast engines and the packet engine differ for reasons of their own: streams
of short messages, a ring that is a pipeline, and an exchange of unequal blocks.

They are workloads of this study alone. Programs of that kind are GOAL files or recordings.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from linkwright.workloads.pattern import Pairs, Pattern, without_self
from linkwright.workloads.steps import (
    Steps,
    join,
    mark,
    receive,
    repeat,
    send,
    start_receive,
    start_send,
    wait_all,
)

__all__ = ["MessageStream", "PipelinedRing", "SkewedAllToAll"]

_BEGIN, _END = 0, 1


class MessageStream(Pattern):
    """Completion time of many short messages from the first rank to the last, back to back."""

    name: ClassVar[str] = "message stream"

    n_messages: int = 200
    """Messages in a row."""

    def pairs(self, n_ranks: int) -> Pairs:
        """Return the first rank and the last."""
        return np.array([0]), np.array([n_ranks - 1])

    def steps(self, n_ranks: int) -> Steps:
        """Return the messages between marks 0 and 1."""
        last = n_ranks - 1
        sends = repeat(self.n_messages, send(0, last, self.size_bytes), rank=0)
        receives = repeat(self.n_messages, receive(last, 0), rank=last)
        return join(mark(_BEGIN), sends, receives, mark(_END))


class PipelinedRing(Pattern):
    """Completion time of rounds in which every rank sends a block to the next, and waits for that
    of the one before: the ring of a large all-reduce.
    """

    name: ClassVar[str] = "pipelined ring"

    rounds: int = 30
    """Number of rounds."""

    def pairs(self, n_ranks: int) -> Pairs:
        """Return every rank with the next."""
        rank = np.arange(n_ranks)
        return rank, (rank + 1) % n_ranks

    def steps(self, n_ranks: int) -> Steps:
        """Return the rounds between marks 0 and 1."""
        source, destination = self.pairs(n_ranks)
        one = join(
            start_receive(destination, source),
            start_send(source, destination, self.size_bytes),
            wait_all(),
        )
        return join(mark(_BEGIN), repeat(self.rounds, one), mark(_END))


class SkewedAllToAll(Pattern):
    """Completion time of an exchange in which rank i sends 1 + i mod 4 blocks to every other, and
    four times as many to the first.
    """

    name: ClassVar[str] = "skewed all-to-all"

    def pairs(self, n_ranks: int) -> Pairs:
        """Return every rank with all others, the next one first."""
        source, distance = np.divmod(np.arange(n_ranks * n_ranks), n_ranks)
        return without_self(source, (source + distance) % n_ranks)

    def steps(self, n_ranks: int) -> Steps:
        """Return the exchange between marks 0 and 1."""
        source, destination = self.pairs(n_ranks)
        blocks = (1 + source % 4) * np.where(destination == 0, 4, 1)
        return join(
            mark(_BEGIN),
            start_receive(destination, source),
            start_send(source, destination, blocks * self.size_bytes),
            wait_all(),
            mark(_END),
        )
