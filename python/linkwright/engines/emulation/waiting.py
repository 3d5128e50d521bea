"""The time for which the programs of a sandbox wait for a processor of this machine, and the time
that programs outside of it take, as its kernel counts both.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from linkwright.engines.emulation.wires import Wires

__all__ = ["Waiting"]

STATE = Path("/proc/stat")
WINDOW_S = 0.1
"""Real time between two looks at the programs."""


class Waiting:
    """A watch on the programs of a sandbox, from when it is entered until it is left.

    Parameters
    ----------
    processes : Path
        The sandbox's own /proc.
    """

    def __init__(self, processes: Path) -> None:
        self._processes = processes
        self._windows: list[tuple[float, float]] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="waiting", daemon=True)

    def __enter__(self) -> Self:
        self._began_s, self._ran_s = time.monotonic(), 0.0
        self._others_s = -self._outside_s()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        self._thread.join()
        self._others_s += self._outside_s() - self._ran_s
        self._span_s = time.monotonic() - self._began_s

    def share(self, wires: Wires) -> float | None:
        """Return the share of time for which programs waited for a processor.

        Their threads count by the processor time that they asked for, and times by the frames that
        moved in them, so that the start of a program counts little.

        Parameters
        ----------
        wires : Wires
            Wires that were entered just before the watch, and have ended.

        Returns
        -------
        float or None
            None if no frames moved, or the kernel does not tell.
        """
        traffic = wires.report.watched.traffic
        moved = np.concatenate([[0], np.cumsum(traffic.frames_sent.sum(axis=1))])
        edges_s = np.arange(len(moved)) * traffic.span_s * wires.dilation
        ends_s = [0.0, *(end_s for end_s, _ in self._windows)]
        frames = np.diff(np.interp(ends_s, edges_s, moved))
        shares = np.array([share for _, share in self._windows])
        return float(frames @ shares / frames.sum()) if frames.sum() else None

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
        before, before_s = self._times(), self._began_s
        while before and not self._is_over.wait(WINDOW_S):
            after, after_s = self._times(), time.monotonic()
            self._ran_s += _ran_s(before, after)
            share = _waited_s(before, after) / (after_s - before_s)
            # A kernel tells of a wait when it ends, which may have begun in the window before.
            self._windows.append((after_s - self._began_s, min(1.0, share)))
            before, before_s = after, after_s

    def _times(self) -> dict[str, tuple[int, int]]:
        """Return the nanoseconds for which each thread ran and waited."""
        times = {}
        for thread in self._processes.glob("[0-9]*/task/[0-9]*"):
            try:
                ran, waited, _ = (thread / "schedstat").read_text().split()
            except (OSError, ValueError):
                # It has ended, or the kernel does not tell.
                continue
            times[thread.name] = int(ran), int(waited)
        return times


def _ran_s(before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]) -> float:
    """Return the time in seconds for which all threads ran."""
    return sum(ran - before.get(thread, (0, 0))[0] for thread, (ran, _) in after.items()) / 1e9


def _waited_s(before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]) -> float:
    """Return the mean time in seconds for which threads waited, each by what it asked for."""
    steps = [np.subtract(times, before.get(thread, (0, 0))) for thread, times in after.items()]
    ran, waited = np.array(steps, dtype=float).reshape(-1, 2).T
    asked = ran + waited
    return float(asked @ waited / asked.sum()) / 1e9 if asked.sum() else 0.0
