"""The time for which the programs of a sandbox wait for a processor of this machine, and the time
that programs outside of it take, as its kernel counts both.

A program of MPI counts while its ranks are between MPI_Init and MPI_Finalize: to start sixteen
processes on two processors is all waiting, and in no result.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from linkwright.emulation.pressure import starved_s
from linkwright.emulation.spans import SPANS, RankTimes

if TYPE_CHECKING:
    from linkwright.emulation.wires import Wires

__all__ = ["Waited", "Waiting"]

STATE = Path("/proc/stat")
WINDOW_S = 0.1
"""Real time between two looks at the programs."""
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Waited:
    """The shares of a time for which programs waited for a processor.

    Attributes
    ----------
    mean : float
        The mean of all programs.
    some : float
        The share for which at least one of them waited.
    """

    mean: float
    some: float

    @classmethod
    def of_sum(cls, wait_s: float, n: int, span_s: float, starved_s: float = math.nan) -> Self:
        """Return the shares of a span in which `n` programs waited for `wait_s` in all.

        Parameters
        ----------
        wait_s, span_s : float
            Seconds.
        n : int
            Number of programs.
        starved_s : float
            Seconds for which some program of the machine waited; NaN if that is not known.
        """
        some_s = np.fmin(wait_s, starved_s)
        return cls(wait_s / n / span_s, min(1.0, some_s / span_s)) if span_s else cls(0.0, 0.0)


class Waiting:
    """A watch on the programs of a sandbox, from when it is entered until it is left.

    Parameters
    ----------
    root : Path
        The root folder of the sandbox.
    """

    def __init__(self, root: Path) -> None:
        self._processes = root / "proc"
        self._notes = root / SPANS.relative_to("/")
        self._windows: list[_Window] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="waiting", daemon=True)

    def __enter__(self) -> Self:
        self._began_s, self._ran_s = time.monotonic(), 0.0
        self._others_s = -self._outside_s()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._others_s += self._outside_s() - self._ran_s
        ended_s = time.monotonic()
        self._span_s = ended_s - self._began_s
        notes = self._notes.read_text(encoding="ascii") if self._notes.exists() else ""
        self._ranks = RankTimes.parse(notes, ended_s)
        spans_s = self._ranks.spans_s or [(self._began_s, ended_s)]
        self._spans_s = np.array(spans_s) - self._began_s

    def share(self, wires: Wires) -> Waited | None:
        """Return the shares of time for which programs waited for a processor.

        Ranks of MPI whose work is dilated count by their own lateness. Other threads count by the
        processor time that they asked for, and times by the frames that moved in them, so that the
        start of a program counts little.

        Parameters
        ----------
        wires : Wires
            Wires that were entered just before the watch, and have ended.

        Returns
        -------
        Waited or None
            None if no frames moved, or the kernel does not tell.
        """
        if wires.dilation > 1 and self._ranks.late_s:
            return Waited.of_sum(
                sum(self._ranks.late_s), len(self._ranks.late_s), self._ranks.span_s
            )
        traffic = wires.report.watched.traffic
        moved = np.concatenate([[0], np.cumsum(traffic.frames_sent.sum(axis=1))])
        edges_s = np.arange(len(moved)) * traffic.span_s * wires.dilation
        ends_s = np.array([0.0, *(window.end_s for window in self._windows)])
        # In the spans, from their begin to the end of each window.
        inside_s = np.clip(ends_s[:, None], *self._spans_s.T)
        frames = np.diff(np.interp(inside_s, edges_s, moved).sum(axis=1))
        if not frames.sum():
            return None
        waits = [(window.waited.mean, window.waited.some) for window in self._windows]
        mean, some = frames @ np.array(waits) / frames.sum()
        return Waited(float(mean), float(some))

    @property
    def others(self) -> float:
        """Share of the machine's processors that programs outside the sandbox took, except this."""
        n_processors = os.cpu_count() or 1
        return min(1.0, max(0.0, self._others_s / (self._span_s * n_processors)))

    @staticmethod
    def _outside_s() -> float:
        """Return the seconds for which all processors worked for others than this process."""
        told = STATE.read_text(encoding="ascii").partition("\n")[0].split()[1:]
        # Guests are counted as users too.
        user, nice, system, _, _, *interrupts_and_stolen = map(int, told[:8])
        worked = user + nice + system + sum(interrupts_and_stolen)
        return worked / os.sysconf("SC_CLK_TCK") - time.process_time()

    def _watch(self) -> None:
        before, before_s, starved_before_s = self._times(), self._began_s, starved_s()
        while before and not self._is_over.wait(WINDOW_S):
            after, after_s, starved_after_s = self._times(), time.monotonic(), starved_s()
            ran_s, waited_s = _steps_s(before, after)
            self._ran_s += ran_s.sum()
            # Other programs of the machine are starved too.
            some_s = np.fmin(waited_s.sum(), starved_after_s - starved_before_s)
            # A kernel tells of a wait when it ends, which may have begun in the window before.
            window_s = after_s - before_s
            mean_s = _mean_s(ran_s, waited_s)
            waits_s = mean_s, max(mean_s, some_s)
            waited = Waited(*(min(1.0, wait_s / window_s) for wait_s in waits_s))
            self._windows.append(_Window(after_s - self._began_s, waited))
            before, before_s, starved_before_s = after, after_s, starved_after_s

    def _times(self) -> dict[str, tuple[int, int]]:
        """Return the nanoseconds for which each thread ran and waited."""
        times = {}
        for process in self._processes.glob("[0-9]*"):
            # Processes and threads may end meanwhile, and the kernel may not tell.
            with contextlib.suppress(OSError):
                for thread in (process / "task").iterdir():
                    with contextlib.suppress(OSError, ValueError):
                        ran, waited, _ = map(int, (thread / "schedstat").read_text().split())
                        times[thread.name] = ran, waited
        return times


@dataclass(frozen=True)
class _Window:
    """A time between two looks, and the waiting in it."""

    end_s: float
    waited: Waited


def _steps_s(
    before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]
) -> tuple[Array, Array]:
    """Return the seconds for which each thread ran, and for which it waited, between two looks."""
    steps = [np.subtract(times, before.get(thread, (0, 0))) for thread, times in after.items()]
    ran_s, waited_s = np.array(steps, dtype=float).reshape(-1, 2).T / 1e9
    return ran_s, waited_s


def _mean_s(ran_s: Array, waited_s: Array) -> float:
    """Return the mean time in seconds for which threads waited, each by what it asked for."""
    asked_s = ran_s + waited_s
    return float(asked_s @ waited_s / asked_s.sum()) if asked_s.sum() else 0.0
