"""Copies of files, some to the own disk and some to that of another node, all at the same time.

The disk/net balance test of [BEOWULF-1996]: seven pairs each copy a file of 1 to 16 MB that no
cache holds, and flush the caches at the end. A producer reads block by block and writes to its own
disk, or sends to its consumer, which writes. The paper runs all mixes of 0 to 7 internode copies:
settings `internode` 0 to 7.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from linkwright.errors import UsageError
from linkwright.workloads.pairs import PairedWorkload, exchanges, producers
from linkwright.workloads.sizes import SizeBytes, SizesBytes
from linkwright.workloads.steps import (
    Steps,
    barrier,
    disk_flush,
    disk_read,
    disk_write,
    join,
    mark,
    receive,
    repeat,
    send,
)
from linkwright.workloads.workload import Marks, Measurement, RankNumber

__all__ = ["DiskNet"]


class DiskNet(PairedWorkload):
    """Throughput of file copies by pairs of nodes, to the own disk or to the other's."""

    name: ClassVar[str] = "disk-net"
    examples = ({"file_bytes": 20_000, "warm_up": 1},)

    internode: RankNumber | None = None
    """Number of pairs that copy from node to node, the first ones. Default: all."""
    file_bytes: SizesBytes = tuple(1 << power for power in range(20, 25))
    """Sizes of the file; 1 to 16 MiB in powers of two."""
    block_bytes: SizeBytes = 8192
    """Size of one read, send and write: an estimate, since the paper does not give it."""
    warm_up: int = Field(4, ge=0, le=10**9)
    """Blocks exchanged before the measured ones, which open the connections."""

    @property
    def uses_disks(self) -> bool:
        """Always true."""
        return True

    def n_ranks(self, n_nodes: int) -> int:
        """Return two ranks for each pair."""
        n_ranks = super().n_ranks(n_nodes)
        if self.internode is not None and 2 * self.internode > n_ranks:
            raise UsageError(
                f"workload {self.name}: {self.internode} internode copies of {n_ranks // 2} pairs",
                f"each pair makes one copy: choose internode up to {n_ranks // 2}",
            )
        return n_ranks

    def steps(self, n_ranks: int) -> Steps:
        """Return per size a barrier and marks 2i, 2i + 1 of all ranks around the copies."""
        n_pairs = n_ranks // 2
        n_internode = n_pairs if self.internode is None else self.internode
        producer = producers(n_ranks)
        across, alone = producer[:n_internode], producer[n_internode:]
        parts = exchanges(self.warm_up, self.block_bytes, across)
        for index, file_bytes in enumerate(self.file_bytes):
            parts += [barrier(), mark(2 * index)]
            for count, block_bytes in self._blocks(file_bytes):
                parts += self._across(across, count, block_bytes) if across.size else []
                parts += self._alone(alone, count, block_bytes) if alone.size else []
            parts += [disk_flush(), mark(2 * index + 1)]
        return join(*parts)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size the time until all copies are on disks, and their total throughput."""
        n_pairs = marks.n_ranks(0) // 2
        measurements = []
        for index, file_bytes in enumerate(self.file_bytes):
            time_s = marks.span_s(2 * index, 2 * index + 1)
            throughput = n_pairs * file_bytes / time_s
            measurements += [
                self._measurement("time", time_s, "s", file_bytes=file_bytes),
                self._measurement("aggregate_throughput", throughput, "B/s", file_bytes=file_bytes),
            ]
        return measurements

    def _blocks(self, file_bytes: int) -> list[tuple[int, int]]:
        """Return the numbers and sizes of the blocks of a file: full ones, and the remainder."""
        full, rest = divmod(file_bytes, self.block_bytes)
        return [(n, size) for n, size in ((full, self.block_bytes), (1, rest)) if n and size]

    def _across(self, producer: NDArray[np.intp], count: int, block_bytes: int) -> list[Steps]:
        consumer = producer + 1
        there = join(disk_read(block_bytes, producer), send(producer, consumer, block_bytes))
        taken = join(receive(consumer, producer), disk_write(block_bytes, consumer))
        return [repeat(count, there, rank=producer), repeat(count, taken, rank=consumer)]

    def _alone(self, producer: NDArray[np.intp], count: int, block_bytes: int) -> list[Steps]:
        copied = join(disk_read(block_bytes, producer), disk_write(block_bytes, producer))
        return [repeat(count, copied, rank=producer)]
