"""Calls that do not depend on each other, on the threads of this process.

Comparisons and the experiments of papers are made so; a study has workers of its own (runner.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from linkwright.progress import Report

__all__ = ["Calls"]

T = TypeVar("T")


class Calls:
    """Counts finished calls, reports them, and returns results in the order of the calls.

    Parameters
    ----------
    pool : ThreadPoolExecutor
        The threads, such as `linkwright.threads` provides.
    progress : callable, optional
        Called after each call with the numbers of calls done and known, and its name.
    """

    def __init__(self, pool: ThreadPoolExecutor, progress: Report | None) -> None:
        self._pool, self._progress = pool, progress
        self._n_done = self._n_known = 0

    def run(self, named_calls: Sequence[tuple[str, Callable[[], T]]]) -> list[T]:
        """Return the results of the calls, in their order; the first that fails ends all."""
        self._n_known += len(named_calls)
        futures = {self._pool.submit(call): name for name, call in named_calls}
        for future in as_completed(futures):
            future.result()
            self._n_done += 1
            if self._progress is not None:
                self._progress(self._n_done, self._n_known, futures[future])
        return [future.result() for future in futures]
