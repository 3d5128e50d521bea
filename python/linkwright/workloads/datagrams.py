"""Datagrams: streams without connection, order or retransmission, as `iperf -u` makes them.

Every sender sends its datagrams at a rate or back to back, while the receivers read them. Losses
are final: in queues, at a busy processor, in the buffer of a socket. Latency is one-way, from the
call of the sender until the receiver has read, for datagrams that arrived.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from linkwright.errors import UsageError
from linkwright.workloads.permutation import permutation
from linkwright.workloads.sizes import SizeBytes
from linkwright.workloads.steps import Steps, datagram, join, mark, repeat
from linkwright.workloads.workload import Distance, Marks, Measurement, RankNumber, Workload

__all__ = ["MOST_BYTES", "DatagramStream"]

_BEGIN, _END = 0, 1
MOST_BYTES = {"udp": 65_535 - 20 - 8, "raw": 65_535 - 20}
"""User data by protocol: the longest IPv4 packet less its headers."""


class DatagramStream(Workload):
    """Delivered share, goodput and latency of streams of datagrams."""

    name: ClassVar[str] = "datagrams"

    pattern: Literal["shift", "permutation", "incast"] = "shift"
    """Pattern: node i sends to i + `k`, by the permutation of `seed`, or all send to `dst`."""
    k: Distance = 1
    """Distance of a shift, modulo the number of nodes; may be negative."""
    seed: int = Field(1, ge=0, lt=1 << 64)
    """Seed of the permutation."""
    dst: RankNumber = 0
    """Rank that receives all datagrams of an incast."""
    count: int = Field(1000, ge=1, le=10**7)
    """Datagrams of each sender."""
    size_bytes: SizeBytes = 1472
    """User data of a datagram; 1472 fill a frame."""
    rate_bps: float = Field(0.0, ge=0, le=1e12)
    """User data that each sender offers, in bit/s; 0 for back to back."""
    protocol: Literal["udp", "raw"] = "udp"
    """Protocol of the datagrams: UDP, or IP alone."""

    @model_validator(mode="after")
    def _fits_a_packet(self) -> DatagramStream:
        most = MOST_BYTES[self.protocol]
        if self.size_bytes > most:
            msg = (
                f"size_bytes of {self.size_bytes} fits no IP packet, in which a {self.protocol} "
                f"datagram has room for {most}; give {most} or less"
            )
            raise ValueError(msg)
        return self

    @property
    def sends_datagrams(self) -> bool:
        """Always true."""
        return True

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes."""
        n_ranks = super().n_ranks(n_nodes)
        if self.pattern == "incast" and self.dst >= n_ranks:
            raise UsageError(
                f"workload {self.name}: rank {self.dst} is not among the {n_ranks} nodes",
                f"choose dst from 0 to {n_ranks - 1}",
            )
        if self._pairs(n_ranks)[0].size == 0:
            raise UsageError(
                f"workload {self.name}: the {self.pattern} leaves each of {n_ranks} nodes in place",
                "choose another k or seed",
            )
        return n_ranks

    def steps(self, n_ranks: int) -> Steps:
        """Return the streams between marks 0 and 1; a rank without a stream only passes them."""
        source, destination = self._pairs(n_ranks)
        spacing_s = 8 * self.size_bytes / self.rate_bps if self.rate_bps else 0.0
        one = datagram(
            source,
            destination,
            self.size_bytes,
            spacing_s=spacing_s,
            is_raw=self.protocol == "raw",
        )
        return join(mark(_BEGIN), repeat(self.count, one, rank=source), mark(_END))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the offered and the delivered datagrams, and the duration.

        If none is delivered there is no latency, and the goodput is zero.
        """
        sent = marks.datagrams
        assert sent is not None, "the engine moves datagrams"
        delivered = sent.n_arrived() / sent.n_sent()
        figures = [
            ("offered", sent.n_sent(), "1"),
            ("delivered", delivered, "1"),
            ("loss", 1 - delivered, "1"),
            ("goodput", sent.goodput(self.size_bytes), "B/s"),
            ("time", marks.span_s(_BEGIN, _END), "s"),
            ("latency", sent.mean_latency_s(), "s"),
            ("latency_p99", sent.latency_percentile_s(99), "s"),
        ]
        return [
            self._measurement(metric, value, unit)
            for metric, value, unit in figures
            if value is not None
        ]

    def _pairs(self, n_ranks: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        rank = np.arange(n_ranks)
        if self.pattern == "shift":
            destination = (rank + self.k) % n_ranks
        elif self.pattern == "permutation":
            destination = permutation(n_ranks, self.seed)
        else:
            destination = np.full(n_ranks, self.dst)
        source = np.flatnonzero(destination != rank)
        return source, destination[source]
