"""Keep-alive: the front end asks every node now and then whether it is alive, and is answered.

As daemons do that watch a cluster. Over UDP whoever runs on the node answers between two pieces of
work; over TCP a process of its own does, on the nodes that have no other.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from linkwright.workloads.background import Background, BlockBytes
from linkwright.workloads.steps import Steps, datagram, in_turn, join, receive, rest, send

__all__ = ["KeepAlive"]


class KeepAlive(Background):
    """Small messages from the front end to every node and back, now and then."""

    name: ClassVar[str] = "keep-alive"
    examples = ({"count": 2, "spacing_s": 0.01},)

    spacing_s: float = Field(1.0, ge=0, lt=1e6)
    """Seconds from one question to a node to the next; 0 for one after the other."""
    size_bytes: BlockBytes = 64
    """User data of the question, and of the answer."""

    @property
    def turn_bytes(self) -> int:
        """A question."""
        return self.size_bytes

    def pushed(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return a question to each, at even spaces."""
        return datagram(
            server,
            clients,
            self.size_bytes,
            spacing_s=self.spacing_s / len(clients),
            answer_bytes=self.size_bytes,
        )

    def served(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return a question to each, at even spaces, and its answer."""
        pace = rest(self.spacing_s / len(clients), np.full(len(clients), server))
        return in_turn(pace, send(server, clients, self.size_bytes), receive(server, clients))

    def asked(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return the answer of each."""
        return join(receive(clients, server), send(clients, server, self.size_bytes))
