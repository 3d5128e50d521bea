"""The NAS parallel benchmarks as skeletons: their messages, in order, and computation between them.

One file per benchmark. Messages are those of the MPI versions, rank by rank, checked against counts
taken from real runs (tests/workloads/npb); computation is the official count of operations over a
rate of the calibration. No code of the benchmarks is here.
"""

from __future__ import annotations

from linkwright.workloads.npb.benchmark import NpbBenchmark
from linkwright.workloads.npb.bt import Bt
from linkwright.workloads.npb.cg import Cg
from linkwright.workloads.npb.ep import Ep
from linkwright.workloads.npb.ft import Ft
from linkwright.workloads.npb.integer_sort import IntegerSort
from linkwright.workloads.npb.lu import Lu
from linkwright.workloads.npb.mg import Mg
from linkwright.workloads.npb.sp import Sp

__all__ = ["BENCHMARKS", "NpbBenchmark"]

BENCHMARKS: tuple[type[NpbBenchmark], ...] = (Bt, Sp, Lu, Ft, Mg, IntegerSort, Ep, Cg)
"""Every benchmark."""
