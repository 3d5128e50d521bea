"""One question to many machines at the same time, each with its own answer or failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from typing import TypeVar

from linkwright.errors import RunError
from linkwright.machines.machine import Machine
from linkwright.progress import Report
from linkwright.threads import threads

__all__ = ["MOST_AT_ONCE", "on_all"]

T = TypeVar("T")
MOST_AT_ONCE = 32
"""Machines that are asked at the same time."""


def on_all(
    machines: Sequence[Machine],
    ask: Callable[[Machine], T],
    *,
    at_once: int = MOST_AT_ONCE,
    report: Report = lambda *_: None,
) -> list[T | RunError]:
    """Ask every machine and return the answers in the order of the machines.

    Parameters
    ----------
    machines : sequence of Machine
    ask : callable
        Called once with each machine, on a thread.
    at_once : int
        Machines that are asked at the same time.
    report : callable
        Called with the name of each machine that has answered or failed.

    Returns
    -------
    list
        An answer, or the failure of a machine: others go on.
    """
    found: dict[int, T | RunError] = {}
    with threads(at_once) as pool:
        waiting = {pool.submit(ask, machine): place for place, machine in enumerate(machines)}
        for n_done, future in enumerate(as_completed(waiting), start=1):
            place = waiting[future]
            try:
                found[place] = future.result()
            except RunError as error:
                found[place] = error
            report(n_done, len(machines), machines[place].name)
    return [found[place] for place in range(len(machines))]
