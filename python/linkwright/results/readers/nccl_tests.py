"""Logs of nccl-tests and rccl-tests: the time of each collective, out of place.

The name of the benchmark is in newer logs; older ones have it in the command line or the name of
the file. Sizes are those of all ranks together where a rank has only a block of them.
"""

from __future__ import annotations

import re

from linkwright.errors import UsageError
from linkwright.results.readers.figure import Figure, Reader, columns_of, number

__all__ = ["NCCL_TESTS"]

HEADING = re.compile(r"^.*#\s+size\s+count\s+type", re.MULTILINE)
RANK = re.compile(r"^.*#\s+Rank\s+(\d{1,9})\b", re.MULTILINE)
NAME = re.compile(r"(all_reduce|all_gather|broadcast|reduce_scatter|alltoall|sendrecv|reduce)_perf")
WORKLOADS = {
    "all_reduce": ("all-reduce", False),
    "broadcast": ("broadcast", False),
    "all_gather": ("all-gather", True),
    "reduce_scatter": ("reduce-scatter", True),
    "alltoall": ("all-to-all", True),
}
"""Benchmark -> workload, and whether its size is that of the blocks of all ranks."""
MICRO = 1e-6


def _is_own(text: str) -> bool:
    return HEADING.search(text) is not None


def _read(text: str, name: str) -> list[Figure]:
    """Return the figures of a log, whose file may have the name of the benchmark."""
    named = NAME.search(text) or NAME.search(name)
    if named is None:
        raise UsageError(
            f"{name} does not say which benchmark of nccl-tests wrote it",
            "name the file after it, as all_reduce_perf.txt",
        )
    workload, is_of_all = WORKLOADS.get(named[1], (f"nccl-{named[1].replace('_', '-')}", False))
    n_ranks = max((int(one) + 1 for one in RANK.findall(text)), default=1)
    found = []
    for words in columns_of(text, 8):
        # Size, count, type, operation, and the root if the version has it; then the time.
        is_row = words[1].isdecimal() and words[2].isidentifier()
        has_root = words[4].lstrip("-").isdecimal()
        time_us = number(words[5 if has_root else 4]) if is_row else None
        size_bytes = int(words[0]) // (n_ranks if is_of_all else 1)
        if time_us is not None and size_bytes:
            about = {"size_bytes": size_bytes, "ranks": n_ranks}
            found.append(Figure(workload, "time", time_us * MICRO, "s", about))
    return found


NCCL_TESTS = Reader(_is_own, _read)
