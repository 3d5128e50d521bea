"""Threads of this process, for calls that cannot leave it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from linkwright.execution.pools import Pool
from linkwright.threads import n_cores, threads

__all__ = ["in_process"]


@contextmanager
def in_process(n_jobs: int | None) -> Iterator[Pool]:
    """Open a pool of threads (default: one per core); if the block fails, their runs stop."""
    with threads(n_jobs) as pool:
        yield Pool(pool, n_jobs or n_cores(), lambda: pool, share_fate=False, takes_one=True)
