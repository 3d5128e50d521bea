"""Tokens: producers send them, consumers return them, all pairs at the same time.

The network throughput test of [BEOWULF-1996]: 1 to 7 pairs, tokens of 4 B to 8 KB, thousands of
exchanges, the best of several runs. The paper divides "tokens written times size" by the time. If
both ends count as writers, the result fits the capacity of a 10 Mb/s segment, so this reading is
the default here [MPITCP, sec. 5].
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from linkwright.workloads.pairs import PairedWorkload, exchanges, producers
from linkwright.workloads.sizes import SizesBytes
from linkwright.workloads.steps import Steps, barrier, join, mark
from linkwright.workloads.workload import Marks, Measurement

__all__ = ["Token"]

_TOKENS_PER_EXCHANGE = {"both": 2, "sent": 1}


class Token(PairedWorkload):
    """Throughput of tokens that pairs of nodes send each other and return, for each size."""

    name: ClassVar[str] = "token"
    examples = ({"exchanges": 2, "runs": 1, "warm_up": 1},)

    size_bytes: SizesBytes = tuple(1 << power for power in range(2, 14))
    """Sizes of the token; 4 B to 8 KiB in powers of two."""
    exchanges: int = Field(1000, ge=1, le=10**9)
    """Tokens that each producer sends in a run, each after the last one has returned."""
    runs: int = Field(3, ge=1, le=1000)
    """Runs per size, a barrier before each; the best counts."""
    counts: Literal["both", "sent"] = "both"
    """Counted tokens: those that `both` ends write, or only those that producers have `sent`."""
    warm_up: int = Field(4, ge=0, le=10**9)
    """Exchanges of the largest size before the measured ones."""

    def steps(self, n_ranks: int) -> Steps:
        """Return the warm-up, then per run of each size a barrier and marks 2i, 2i + 1 of all."""
        producer = producers(n_ranks)
        warm_up = exchanges(self.warm_up, max(self.size_bytes), producer)
        timed = [
            part
            for index, size_bytes in enumerate(self._size_of_run())
            for part in (
                barrier(),
                mark(2 * index),
                *exchanges(self.exchanges, size_bytes, producer),
                mark(2 * index + 1),
            )
        ]
        return join(*warm_up, *timed)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return per size the shortest run until all pairs are done, and its throughput."""
        n_pairs = marks.n_ranks(0) // 2
        tokens = n_pairs * self.exchanges * _TOKENS_PER_EXCHANGE[self.counts]
        spans_s = [
            marks.span_s(2 * run, 2 * run + 1) for run in range(len(self.size_bytes) * self.runs)
        ]
        measurements = []
        for index, size_bytes in enumerate(self.size_bytes):
            time_s = marks.least(spans_s[index * self.runs : (index + 1) * self.runs])
            throughput = tokens * size_bytes / time_s
            measurements += [
                self._measurement("time", time_s, "s", size_bytes=size_bytes),
                self._measurement("aggregate_throughput", throughput, "B/s", size_bytes=size_bytes),
            ]
        return measurements

    def _size_of_run(self) -> list[int]:
        return [size_bytes for size_bytes in self.size_bytes for _ in range(self.runs)]
