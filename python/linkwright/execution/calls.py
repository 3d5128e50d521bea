"""Calls that do not depend on each other, made by the executor on the threads of this process.

The engines release the interpreter, so that runs fill the cores.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from linkwright.execution.executor import Executor, Work
from linkwright.execution.pools.in_process import in_process
from linkwright.progress import Report

__all__ = ["called"]

T = TypeVar("T")


def called(
    named_calls: Sequence[tuple[str, Callable[[], T]]],
    *,
    n_jobs: int | None = None,
    progress: Report | None = None,
    n_before: int = 0,
) -> list[T]:
    """Return the results of calls in their order, whatever the number of threads.

    Parameters
    ----------
    named_calls : sequence of str and callable
        The calls with their names. The first that fails ends all.
    n_jobs : int, optional
        Calls at the same time. Default: one per core.
    progress : callable, optional
        Called after each call with the numbers of calls done and known, and its name.
    n_before : int
        Calls that were done and reported before.
    """
    work = _Calls(named_calls, progress, n_before)
    with in_process(n_jobs) as workers:
        Executor(work, workers).run()
    return [work.results[place] for place in range(len(named_calls))]


class _Calls(Work[int, tuple[int, T, float]], Generic[T]):
    """Calls by their places."""

    def __init__(
        self,
        named_calls: Sequence[tuple[str, Callable[[], T]]],
        progress: Report | None,
        n_before: int,
    ) -> None:
        self.todo = deque(range(len(named_calls)))
        self.results: dict[int, T] = {}
        self._calls, self._progress, self._n_before = named_calls, progress, n_before

    def call(self, items: Sequence[int]) -> tuple[Callable[[int], tuple[int, T, float]], int]:
        """Return the function that makes a call, and the place of the call."""
        (place,) = items
        return self._made, place

    def take(self, answer: tuple[int, T, float]) -> tuple[int, float]:
        """Keep the result of a call, and report it."""
        place, result, busy_s = answer
        self.results[place] = result
        if self._progress is not None:
            n_done, n_known = len(self.results), len(self._calls)
            name = self._calls[place][0]
            self._progress(self._n_before + n_done, self._n_before + n_known, name)
        return 1, busy_s

    def _made(self, place: int) -> tuple[int, T, float]:
        begin_s = time.monotonic()
        result = self._calls[place][1]()
        return place, result, time.monotonic() - begin_s
