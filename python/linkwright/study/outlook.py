"""The outlook of a study before it starts: the number of its runs, and the time that they take.

A few runs are tried, spread over the study, and their rows are thrown away. They are tried in
processes of their own, which end with the patience for them, so that a study of long runs says at
least how long they are.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass

from linkwright.errors import UsageError
from linkwright.execution.pools.local import processes
from linkwright.notebook import counted
from linkwright.study.points import Planned
from linkwright.study.worker import Shared, duration_s

__all__ = ["Outlook", "expect_few", "tried_s"]

MOST_TRIED = 5
PATIENCE_S = 3.0
"""Time for the runs that are tried, from the start of their process."""


@dataclass(frozen=True)
class Outlook:
    """The runs of a study before it starts.

    Attributes
    ----------
    n_left, n_done : int
        Runs to make, and those that the folder has.
    is_least : bool
        Whether more seeds may follow.
    n_workers : int
        Runs at the same time.
    tried_s : sequence of float
        Durations of the runs that were tried, in seconds.
    is_cut : bool
        Whether a run was tried and none ended in time.
    """

    n_left: int
    n_done: int
    is_least: bool
    n_workers: int
    tried_s: Sequence[float]
    is_cut: bool

    @property
    def time_s(self) -> float:
        """Estimate of the time for all runs, in seconds; a lower bound if none has ended."""
        mean_s = sum(self.tried_s) / len(self.tried_s) if self.tried_s else PATIENCE_S
        return mean_s * self.n_left / max(min(self.n_workers, self.n_left), 1)

    @property
    def text(self) -> str:
        """The outlook in a few words.

        Examples
        --------
        >>> Outlook(1200, 0, False, 2, [0.5, 1.5], False).text
        '1,200 runs, about 10 min with 2 workers (2 of them tried)'
        >>> Outlook(8, 4, True, 1, [], True).text
        '8 runs or more besides 4 made before, longer than 24 s with 1 worker'
        """
        more = " or more" if self.is_least else ""
        made = f" besides {self.n_done:,} made before" if self.n_done else ""
        runs = f"{counted(self.n_left, 'run')}{more}{made}"
        if not self.tried_s and not self.is_cut:
            return runs
        about = "longer than" if self.is_cut else "about"
        basis = f" ({len(self.tried_s)} of them tried)" if self.tried_s else ""
        workers = counted(self.n_workers, "worker")
        return f"{runs}, {about} {_time(self.time_s)} with {workers}{basis}"


def _time(seconds: float) -> str:
    if seconds < 1:
        return "1 s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 360_000 else f"{seconds / 86_400:,.0f} days"


def tried_s(setting: Shared, runs: Sequence[Planned]) -> tuple[list[float], bool]:
    """Try some of the runs, and return their durations, and whether another did not end in time.

    Runs that fail count as well.
    """
    chosen = _spread(runs)
    others = set(multiprocessing.active_children())
    executor = processes(1)
    try:
        futures = [executor.submit(duration_s, setting, one) for one in chosen]
        wait(futures[:1], timeout=PATIENCE_S)
        wait(futures, timeout=PATIENCE_S)
        found = [one.result() for one in futures if _has_ended(one)]
        return found, not found and not futures[0].done()
    finally:
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()
        executor.shutdown(cancel_futures=True)


def _spread(runs: Sequence[Planned]) -> list[Planned]:
    """Return some of the runs: the first, the last, and others evenly between."""
    n = min(MOST_TRIED, len(runs))
    places = {round(number * (len(runs) - 1) / max(n - 1, 1)) for number in range(n)}
    return [runs[place] for place in sorted(places)]


def _has_ended(future: Future[float]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def expect_few(n_runs: int, most: int | None) -> None:
    """Refuse more runs than a limit.

    Raises
    ------
    UsageError
        If there are more.
    """
    if most is not None and n_runs > most:
        raise UsageError(
            f"the study has {n_runs:,} runs to make, more than {most:,}",
            "give its axes fewer values, sample them, or add --many to make all runs",
        )
