"""Threads for runs that do not depend on each other.

An engine releases the interpreter while it computes, so that runs fill the cores. Results depend
neither on the number of threads nor on which thread executes a run.
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
"""Largest number of runs at the same time, each a thread."""


@contextmanager
def threads(n_jobs: int | None = None) -> Iterator[ThreadPoolExecutor]:
    """Provide a pool of threads; if the block ends by an exception, their runs stop at once.

    Parameters
    ----------
    n_jobs : int, optional
        Number of runs at the same time. Default: one per core.

    Raises
    ------
    UsageError
        If `n_jobs` is less than one or more than `MOST_JOBS`.
    """
    from concurrent.futures import ThreadPoolExecutor

    if n_jobs is not None and n_jobs < 1:
        raise UsageError(f"{n_jobs} runs at the same time are too few", "ask for one or more")
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
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
