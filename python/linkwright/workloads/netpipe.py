"""NetPIPE: blocks of growing size between two nodes, each size with two neighbouring sizes.

Sizes grow by powers of two and the steps between (1, 2, 3, 4, 6, 8, 12, ...), each with the sizes
``perturbation`` bytes below and above it, so that a threshold of the protocol shows. Time against
size is the saturation graph; throughput against time is the network signature graph, whose first
point is the latency [NETPIPE].
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from pydantic import Field, model_validator

from linkwright.workloads.ping_pong import PingPong
from linkwright.workloads.sizes import MAX_SIZE_BYTES, SizeBytes
from linkwright.workloads.steps import Steps, join, mark, receive, repeat, send
from linkwright.workloads.workload import Marks, Measurement, RankNumber, Workload

__all__ = ["NetPipe"]

_LINEAR = 0.9
"""Our reading of "near-linear": the time grows with this power of the size, or a larger one."""


class NetPipe(Workload):
    """Time and throughput of blocks of many sizes between two nodes, and where they saturate."""

    name: ClassVar[str] = "netpipe"
    examples = ({"largest_bytes": 4096, "repeats": 1, "warm_up": 1},)

    src: RankNumber = 0
    """Rank that sends first and measures the time."""
    dst: RankNumber = 1
    """Rank that replies, or only receives."""
    smallest_bytes: SizeBytes = 1
    """First size of the series."""
    largest_bytes: SizeBytes = 1 << 20
    """Largest size of the series."""
    perturbation: int = Field(3, ge=0, le=1 << 20)
    """Distance of the neighbouring sizes in bytes; 0 for none."""
    streaming: bool = False
    """Whether blocks go in one direction, back to back, instead of back and forth."""
    repeats: int = Field(20, ge=1, le=10**9)
    """Exchanges or blocks per size."""
    warm_up: int = Field(4, ge=0, le=10**9)
    """Exchanges of the largest size before the measured ones."""

    @model_validator(mode="after")
    def _grows(self) -> NetPipe:
        if self.smallest_bytes > self.largest_bytes:
            msg = (
                f"sizes from {self.smallest_bytes} to {self.largest_bytes} are an empty range; "
                "choose smallest_bytes below largest_bytes"
            )
            raise ValueError(msg)
        if self.src == self.dst:
            msg = f"src and dst are both {self.src}; choose two nodes"
            raise ValueError(msg)
        return self

    @property
    def series_bytes(self) -> list[int]:
        """Sizes that grow geometrically, without their neighbours."""
        steps = {1 << power for power in range(41)} | {3 << power for power in range(39)}
        return sorted(s for s in steps if self.smallest_bytes <= s <= self.largest_bytes) or [
            self.smallest_bytes
        ]

    @property
    def sizes_bytes(self) -> list[int]:
        """All sizes, in the order in which they are sent."""
        near = (-self.perturbation, 0, self.perturbation)
        sizes = {size + by for size in self.series_bytes for by in near}
        return sorted(size for size in sizes if 1 <= size <= MAX_SIZE_BYTES)

    @cached_property
    def _exchanges(self) -> PingPong:
        return PingPong(
            src=self.src,
            dst=self.dst,
            size_bytes=tuple(self.sizes_bytes),
            repeats=self.repeats,
            warm_up=self.warm_up,
        )

    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of nodes; all but `src` and `dst` are idle."""
        super().n_ranks(n_nodes)
        return self._exchanges.n_ranks(n_nodes)

    def steps(self, n_ranks: int) -> Steps:
        """Return the warm-up, then per size marks 2i and 2i + 1 of `src` around the blocks."""
        if not self.streaming:
            return self._exchanges.steps(n_ranks)
        sizes_bytes = self.sizes_bytes
        first = self._exchanges.exchanges(self.warm_up, max(sizes_bytes)) if self.warm_up else None
        streams = [
            part
            for index, size_bytes in enumerate(sizes_bytes)
            for part in (
                mark(2 * index, self.src),
                self._stream(size_bytes),
                mark(2 * index + 1, self.src),
            )
        ]
        return join(*([first] if first else []), *streams)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size time and throughput, then latency, largest throughput and saturation."""
        blocks = self.repeats if self.streaming else 2 * self.repeats
        time_s = {
            size_bytes: marks.span_s(2 * index, 2 * index + 1, self.src) / blocks
            for index, size_bytes in enumerate(self.sizes_bytes)
        }
        throughput = {size_bytes: size_bytes / one_s for size_bytes, one_s in time_s.items()}
        graphs = [
            self._measurement(metric, values[size_bytes], unit, size_bytes=size_bytes)
            for size_bytes in time_s
            for metric, values, unit in (("time", time_s, "s"), ("throughput", throughput, "B/s"))
        ]
        figures = [
            self._measurement("latency", next(iter(time_s.values())), "s"),
            self._measurement("peak_throughput", marks.greatest(list(throughput.values())), "B/s"),
        ]
        points = [(float(size), time_s[size]) for size in self.series_bytes]
        saturation_bytes = marks.linear_from(points, _LINEAR)
        if saturation_bytes is not None:
            figures.append(self._measurement("saturation_size", saturation_bytes, "B"))
        return [*graphs, *figures]

    def _stream(self, size_bytes: int) -> Steps:
        """Return blocks in one direction; an empty message of the receiver stops the clock."""
        src, dst = self.src, self.dst
        return join(
            repeat(self.repeats, send(src, dst, size_bytes), rank=src),
            repeat(self.repeats, receive(dst, src), rank=dst),
            send(dst, src, 0),
            receive(src, dst),
        )
