"""Background traffic: a server on the front end, and the nodes that it serves.

It lasts as long as the workload, and has its own ranks, numbered after those of the workload: the
first is the server, the others are on the nodes without a rank of the workload. Over UDP the server
sends to every node and each receiver replies; no rank blocks. Over TCP a client must request first,
so only idle nodes take part. Alone, such a workload is measured like any other.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from linkwright.errors import UsageError
from linkwright.workloads.datagrams import MOST_BYTES
from linkwright.workloads.sizes import SizeBytes
from linkwright.workloads.steps import Steps, join, mark, repeat
from linkwright.workloads.workload import Marks, Measurement, Workload

__all__ = ["Background", "BlockBytes"]

BlockBytes = Annotated[SizeBytes, Field(le=MOST_BYTES["udp"])]
"""Size of a payload that fits a datagram; accepts text such as "8K"."""

FOR_EVER = 2**32 - 1
"""Passes of a loop that lasts until the run ends."""

_BEGIN, _END = 0, 1


class Background(Workload):
    """Messages of a server and of the nodes that it serves while a workload runs."""

    protocol: Literal["udp", "tcp"] = "udp"
    """Transport: datagrams (UDP) to every node, or messages (TCP) of the nodes without other
    work."""
    spacing_s: float = Field(0.0, ge=0, lt=1e6)
    """Seconds from one turn of a node to its next; 0 for no pause."""
    count: int = Field(100, ge=1, le=10**7)
    """Turns of each node if it runs alone; in the background it continues until the workload
    ends."""

    @property
    def sends_datagrams(self) -> bool:
        """Whether it needs an engine that moves datagrams."""
        return self.protocol == "udp"

    @property
    def condition(self) -> dict[str, object]:
        """The setting as JSON values, for the rows of the workload that it accompanies."""
        settings = {name: value for name, value in self.parameters.items() if name != "count"}
        return {"workload": self.name, **settings}

    def n_background_ranks(self, n_ranks: int, n_nodes: int) -> int:
        """Return the number of its ranks in addition to `n_ranks`: the server, and the idle nodes.

        Raises
        ------
        UsageError
            If no node is left to send requests.
        """
        if self.protocol == "tcp" and n_ranks >= n_nodes:
            raise UsageError(
                f"{self.name} over TCP serves nodes without a rank of the workload, which runs on "
                f"all {n_nodes}",
                "run fewer ranks, or choose protocol=udp",
            )
        return 1 + n_nodes - n_ranks

    def background_steps(self, n_ranks: int, n_nodes: int) -> Steps:
        """Return the steps of its ranks, which are numbered from `n_ranks`."""
        end = n_ranks + self.n_background_ranks(n_ranks, n_nodes)
        idle = np.arange(n_ranks + 1, end)
        clients = idle if self.protocol == "tcp" else np.append(np.arange(n_ranks), idle)
        return self._loops(FOR_EVER, n_ranks, clients)

    def steps(self, n_ranks: int) -> Steps:
        """Return `count` turns of every node between marks 0 and 1; rank 0 serves."""
        loops = self._loops(self.count, 0, np.arange(1, n_ranks))
        return join(mark(_BEGIN), loops, mark(_END))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time until all nodes are served, the bytes, and the share that arrived."""
        time_s, share = marks.span_s(_BEGIN, _END), 1.0
        sent = marks.datagrams
        if self.sends_datagrams and sent is not None:
            n_sent = sent.n_sent(0)
            share = 1 - (n_sent - sent.n_arrived(0)) / n_sent
            time_s = marks.greatest([time_s, sent.last_s()])
        served = (marks.n_ranks(_BEGIN) - 1) * self.count * self.turn_bytes * share
        return [
            self._measurement("time", time_s, "s"),
            self._measurement("aggregate_throughput", served / time_s, "B/s"),
            self._measurement("delivered", share, "1"),
        ]

    @property
    @abstractmethod
    def turn_bytes(self) -> int:
        """Bytes that a node receives in its turn."""

    @abstractmethod
    def pushed(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return a round of the server, by datagrams."""

    @abstractmethod
    def served(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return a round of the server, by messages."""

    @abstractmethod
    def asked(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return a turn of every client, by messages."""

    def _loops(self, count: int, server: int, clients: NDArray[np.intp]) -> Steps:
        if self.protocol == "udp":
            return repeat(count, self.pushed(server, clients), rank=server)
        return join(
            repeat(count, self.served(server, clients), rank=server),
            repeat(count, self.asked(server, clients), rank=clients),
        )
