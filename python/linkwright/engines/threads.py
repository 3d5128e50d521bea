"""Threads for runs that do not depend on each other.

An engine releases the interpreter while it plays, so that runs fill the cores; which thread plays
which run, and how many there are, changes no result.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from linkwright import _core
from linkwright.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

__all__ = ["MOST_JOBS", "n_cores", "threads"]

MOST_JOBS = 1024
"""Most runs at the same time: each is a thread."""


@contextmanager
def threads(n_jobs: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """Give a pool of threads; when the block ends by an exception, their runs end at once.

    Parameters
    ----------
    n_jobs : int, optional
        How many runs are played at the same time; one per core unless given.

    Raises
    ------
    UsageError
        When `n_jobs` is less than one or more than `MOST_JOBS`.
    """
    from concurrent.futures import ThreadPoolExecutor

    if n_jobs is not None and n_jobs < 1:
        raise UsageError(f"{n_jobs} runs at the same time are none", "ask for one or more")
    if n_jobs is not None and n_jobs > MOST_JOBS:
        raise UsageError(
            f"{n_jobs} runs at the same time are too many, {MOST_JOBS} are allowed",
            "ask for as many as there are cores",
        )
    stop = _core.Stop()
    pool = ThreadPoolExecutor(n_jobs or n_cores(), initializer=stop.obey)
    try:
        yield pool
    except BaseException:
        stop.request()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def n_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
