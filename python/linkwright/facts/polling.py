"""Machines asked again and again: the latest facts of each, without waiting for slow ones.

A machine gets its next question after it has answered the last one, so that a busy or a hanging
machine has one question at most, and delays no other.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import replace

from linkwright.facts.cluster import ClusterFacts
from linkwright.facts.gathering import asked_by
from linkwright.facts.machine import MachineFacts
from linkwright.machines import Machine

__all__ = ["Poll"]

LOOK_S = 0.1
"""Time between two looks at whether the caller has had enough."""


class Poll:
    """Machines, and their latest facts.

    Parameters
    ----------
    machines : sequence of Machine
    pool : Executor
        Its threads ask; their number is that of machines asked at the same time.
    timeout_s : float
        Time in which a machine answers.
    as_root : bool
        As for `gather`.
    """

    def __init__(
        self, machines: Sequence[Machine], pool: Executor, *, timeout_s: float, as_root: bool
    ) -> None:
        self.machines, self._pool = machines, pool
        self._ask = asked_by(machines, timeout_s=timeout_s, as_root=as_root)
        self._asked: dict[str, Future[MachineFacts]] = {}
        self._latest: dict[str, MachineFacts] = {}

    def facts(self, longest_s: float, is_over: Callable[[], bool]) -> ClusterFacts:
        """Ask all machines that have answered before, and return the latest facts of each.

        Parameters
        ----------
        longest_s : float
            Time after which facts of machines that still think are those of their last answers.
        is_over : callable
            Whether the caller wants no more facts.
        """
        when = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        for one in self.machines:
            if one.name not in self._asked:
                self._asked[one.name] = self._pool.submit(self._ask, one)
        deadline_s = time.monotonic() + longest_s
        while time.monotonic() < deadline_s and not is_over():
            if not wait(self._asked.values(), timeout=LOOK_S).not_done:
                break
        for name, future in list(self._asked.items()):
            if future.done():
                self._latest[name] = future.result()
                del self._asked[name]
        return ClusterFacts(when, tuple(self._known(one.name) for one in self.machines))

    def _known(self, name: str) -> MachineFacts:
        silent = MachineFacts(name, failure=f"{name} has not answered yet")
        return replace(self._latest.get(name, silent), name=name)
