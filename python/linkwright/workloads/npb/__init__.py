"""The NAS parallel benchmarks as skeletons: their messages, in order, and computation between them.

One file per benchmark. Messages are those of the MPI versions, rank by rank, checked against counts
from real runs (tests/workloads/npb); computation is the official count of operations over a rate of
the calibration. No code of the benchmarks is here.
"""

from __future__ import annotations

from linkwright.workloads.npb.benchmark import NpbBenchmark

__all__ = ["NpbBenchmark"]
