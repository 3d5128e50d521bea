"""The executor: hands the items of a piece of work to the workers of a pool, in chunks.

A chunk lasts half a second at first and a minute at most. When a worker dies, the chunks that were
under way are tried again one at a time and halved, until the item that kills workers is alone; it
is given up, and the others go on (docs/design/studies.md).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import Any, Generic, TypeVar

from linkwright.errors import LinkwrightError, RunError
from linkwright.execution.pools import Pool

__all__ = ["MOST_S", "Executor", "Work"]

MOST_S = 60.0
"""Duration of a chunk at most: what a killed worker loses."""
SHARE = 0.25
"""Duration of a chunk as a share of the time so far."""
LOOK_S = 0.5
"""Time between two looks at the workers."""
MOST_DEATHS = 3
"""Workers that die of one item, before it is given up."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Work(ABC, Generic[Item, Answer]):
    """The items that are left, and what becomes of those that end."""

    todo: deque[Item]

    @abstractmethod
    def call(self, items: Sequence[Item]) -> tuple[Callable[[Any], Answer], object]:
        """Return the function that makes some items, and its argument."""

    @abstractmethod
    def take(self, answer: Answer) -> tuple[int, float]:
        """Take an answer; return the number of items that it has made, and their time in seconds.

        The rest of its chunk has not begun.
        """

    def looked(self, n_left: int) -> None:
        """Note a look at the workers; `n_left` items are left or under way."""

    def give_up(self, item: Item) -> None:
        """Note an item that ends every worker that makes it."""
        raise self.lost()

    def lost(self) -> RunError:
        """Return the error of workers that are all lost."""
        return RunError("the workers are lost", "look for a lack of memory, and start again")


class Executor(Generic[Item, Answer]):
    """Work on a pool."""

    def __init__(self, work: Work[Item, Answer], workers: Pool) -> None:
        self._work, self._pool = work, workers
        self._executor = workers.executor
        self._running: dict[Future[Answer], Sequence[Item]] = {}
        self._suspects: deque[Sequence[Item]] = deque()
        self._deaths: Counter[Item] = Counter()
        self._begin_s = time.monotonic()
        self._busy_s, self._n_timed = 0.0, 0

    def run(self) -> None:
        """Make all items; an error of the work ends it."""
        while self._work.todo or self._running or self._suspects:
            self._hand_out()
            answers, _ = wait(self._running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
            for future in [one for one in self._running if one in answers]:
                # A broken pool has put all its chunks among the suspects.
                if future in self._running:
                    self._end(future)
            if not self._pool.is_alive():
                raise self._work.lost()
            under_way = [*self._running.values(), *self._suspects]
            self._work.looked(len(self._work.todo) + sum(map(len, under_way)))

    def _hand_out(self) -> None:
        if self._suspects:
            # Alone, so that it is known which chunk a worker died of.
            if not self._running:
                self._submit(self._suspects.popleft())
            return
        while self._work.todo and len(self._running) < self._pool.n_workers + 1:
            n = min(self._size(), len(self._work.todo))
            self._submit([self._work.todo.popleft() for _ in range(n)])

    def _size(self) -> int:
        """Return the number of items in the next chunk."""
        if self._pool.takes_one or not self._n_timed:
            return 1
        lasting_s = (time.monotonic() - self._begin_s) * SHARE
        lasting_s = min(max(lasting_s, self._pool.least_s), MOST_S)
        by_time = int(lasting_s * self._n_timed / max(self._busy_s, 1e-9))
        share = len(self._work.todo) // (2 * self._pool.n_workers)
        return max(1, min(by_time, share))

    def _submit(self, items: Sequence[Item]) -> None:
        try:
            function, argument = self._work.call(items)
            self._running[self._executor.submit(function, argument)] = items
        except RuntimeError:  # broken since the last look
            self._suspects.append(items)
            self._renew()

    def _end(self, future: Future[Answer]) -> None:
        items = self._running.pop(future)
        try:
            answer = future.result()
        except LinkwrightError:
            raise  # The work itself fails, such as one whose rows cannot be written.
        except (Exception, CancelledError) as error:
            if not _is_loss(error):
                raise
            self._blame(items)
            return
        n_made, busy_s = self._work.take(answer)
        self._busy_s += busy_s
        self._n_timed += n_made
        self._work.todo.extendleft(reversed(items[n_made:]))

    def _blame(self, items: Sequence[Item]) -> None:
        """Put a lost chunk, and all that are lost with it, among the suspects."""
        was_alone = not self._running
        if was_alone and len(items) == 1:
            self._deaths[items[0]] += 1
            if self._deaths[items[0]] == MOST_DEATHS:
                self._work.give_up(items[0])
            else:
                self._suspects.appendleft(items)
        elif was_alone:
            half = len(items) // 2
            self._suspects.extendleft([items[half:], items[:half]])
        else:
            self._suspects.append(items)
        self._renew()

    def _renew(self) -> None:
        """Take new workers if all calls of the old ones are lost."""
        if self._pool.share_fate:
            self._suspects.extend(self._running.values())
            self._running.clear()
            self._executor = self._pool.renewed()


def _is_loss(error: BaseException) -> bool:
    """Return whether an error means that a worker died.

    Executors of other libraries have their own classes: KilledWorker of Dask, UncompletedJobError
    of submitit.
    """
    names = {one.__name__ for one in type(error).__mro__}
    losses = {"BrokenExecutor", "CancelledError", "KilledWorker", "UncompletedJobError"}
    return bool(names & losses)
