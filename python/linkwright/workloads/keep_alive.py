"""Keep-alive: the front end polls every node periodically, and each node replies.

Daemons that watch a cluster do this. Over UDP the running process of the node replies between two
pieces of work; over TCP a separate process does, on the nodes that have no other.
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
    """Small messages from the front end to every node and back, at intervals."""

    name: ClassVar[str] = "keep-alive"
    examples = ({"count": 2, "spacing_s": 0.01},)

    spacing_s: float = Field(1.0, ge=0, lt=1e6)
    """Seconds from one request to a node to the next; 0 for no pause."""
    size_bytes: BlockBytes = 64
    """User data of the request, and of the reply."""

    @property
    def turn_bytes(self) -> int:
        """Bytes of a request."""
        return self.size_bytes

    def pushed(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return a request to each node, evenly spaced."""
        return datagram(
            server,
            clients,
            self.size_bytes,
            spacing_s=self.spacing_s / len(clients),
            answer_bytes=self.size_bytes,
        )

    def served(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return a request to each node, evenly spaced, and its reply."""
        pace = rest(self.spacing_s / len(clients), np.full(len(clients), server))
        return in_turn(pace, send(server, clients, self.size_bytes), receive(server, clients))

    def asked(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return the reply of each node."""
        return join(receive(clients, server), send(clients, server, self.size_bytes))
