"""Ping-pong: one message back and forth between two ranks, for a series of sizes.

The method of NetPIPE and of the Whitney measurements [NAS-97-017]. All other ranks do nothing, not
even a barrier, so that the two see an idle network. Exchanges before the first mark open the
connections and their windows, which begin with slow start.
"""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, model_validator

from linkwright.errors import UsageError
from linkwright.workloads.sizes import SizesBytes
from linkwright.workloads.steps import Steps, join, mark, receive, repeat, send
from linkwright.workloads.workload import Marks, Measurement, RankNumber, Workload

__all__ = ["PingPong"]


class PingPong(Workload):
    """Latency and throughput of messages between two nodes, for each size."""

    name: ClassVar[str] = "ping-pong"

    src: RankNumber = 0
    """Rank that sends first and measures the time."""
    dst: RankNumber = 1
    """Rank that replies."""
    size_bytes: SizesBytes = tuple(1 << power for power in range(21))
    """Sizes of the message; 1 B to 1 MiB in powers of two."""
    repeats: int = Field(20, ge=1, le=10**9)
    """Exchanges per size."""
    warm_up: int = Field(4, ge=0, le=10**9)
    """Exchanges of the largest size before the measured ones."""

    @model_validator(mode="after")
    def _two_ranks(self) -> PingPong:
        if self.src == self.dst:
            msg = f"src and dst are both {self.src}; choose two nodes"
            raise ValueError(msg)
        return self

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes; all but `src` and `dst` are idle."""
        for setting, rank in (("src", self.src), ("dst", self.dst)):
            if rank >= n_nodes:
                raise UsageError(
                    f"workload {self.name}: {setting} is {rank}, the cluster has {n_nodes} nodes",
                    f"nodes count from 0: choose {setting} below {n_nodes}",
                )
        return super().n_ranks(n_nodes)

    def steps(self, n_ranks: int) -> Steps:
        """Return the warm-up, then per size marks 2i and 2i + 1 of `src` around the exchanges."""
        warm_up = [self.exchanges(self.warm_up, max(self.size_bytes))] if self.warm_up else []
        timed = [
            part
            for index, size_bytes in enumerate(self.size_bytes)
            for part in (
                mark(2 * index, self.src),
                self.exchanges(self.repeats, size_bytes),
                mark(2 * index + 1, self.src),
            )
        ]
        return join(*warm_up, *timed)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size the latency (half the mean round trip) and the throughput."""
        measurements = []
        for index, size_bytes in enumerate(self.size_bytes):
            span_s = marks.span_s(2 * index, 2 * index + 1, self.src)
            latency_s = span_s / (2 * self.repeats)
            measurements += [
                self._measurement("latency", latency_s, "s", size_bytes=size_bytes),
                self._measurement(
                    "throughput", size_bytes / latency_s, "B/s", size_bytes=size_bytes
                ),
            ]
        return measurements

    def exchanges(self, count: int, size_bytes: int) -> Steps:
        """Return `count` exchanges of one size."""
        src, dst = self.src, self.dst
        there_and_back = join(send(src, dst, size_bytes), receive(src, dst))
        back_again = join(receive(dst, src), send(dst, src, size_bytes))
        return join(repeat(count, there_and_back, rank=src), repeat(count, back_again, rank=dst))
