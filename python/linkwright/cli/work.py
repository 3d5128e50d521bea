"""Long work on its own thread, with its progress on stderr.

The main thread receives Ctrl-C while an engine computes. Progress appears after a moment: a bar on
a terminal, a line now and then elsewhere.
"""

from __future__ import annotations

import contextvars
import signal
import sys
import threading
from collections.abc import Callable
from typing import Generic, TypeVar, cast

from linkwright.cli.terminal import say
from linkwright.progress import Report

__all__ = ["Report", "work"]

T = TypeVar("T")

PATIENCE_S = 2.0
"""Work that ends sooner shows no progress."""
BETWEEN_LINES_S = 10.0
"""Time between two lines of progress without a terminal."""
GRACE_S = 1.0
"""Time that an interrupted task may spend on cleaning up; one that reports nothing is abandoned."""


def work(task: Callable[[Report], T], label: str, *, quiet: bool) -> T:
    """Run a task, show its progress if it takes long, and return its result.

    Parameters
    ----------
    task : callable
        Takes a function to which it reports its steps.
    label : str
        The work in a few words.
    quiet : bool
        Whether progress is hidden.
    """
    running = _Running(task, label)
    try:
        if not quiet and not running.ended(PATIENCE_S):
            (_show_bar if sys.stderr.isatty() else _write_lines)(running)
        return running.result()
    except KeyboardInterrupt:
        running.stop()
        raise


class _Running(Generic[T]):
    """A task on its own thread."""

    def __init__(self, task: Callable[[Report], T], label: str) -> None:
        self.step = (0, 0, label)
        self._is_stopped = False
        self._outcome: T | None = None
        self._error: BaseException | None = None
        self._end = threading.Event()
        # A daemon: the program may end while an engine still computes.
        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(self._run, task), daemon=True).start()

    def _run(self, task: Callable[[Report], T]) -> None:
        # Ctrl-C is for the main thread, also in the processes that this one starts.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._outcome = task(self._report)
        except BaseException as error:  # every kind is passed to the main thread
            self._error = error
        finally:
            self._end.set()

    def _report(self, n_done: int, n_all: int, last: str) -> None:
        if self._is_stopped:
            raise KeyboardInterrupt
        self.step = (n_done, n_all, last)

    def ended(self, within_s: float) -> bool:
        """Wait for the end for a limited time; return whether it has come."""
        return self._end.wait(within_s)

    def stop(self) -> None:
        """End the task at its next report, so that it removes half-written files."""
        self._is_stopped = True
        self._end.wait(GRACE_S)

    def result(self) -> T:
        """Return the result of the task, or raise its error."""
        self._end.wait()
        if self._error is not None:
            raise self._error
        return cast("T", self._outcome)


def _write_lines(running: _Running[T]) -> None:
    """Write a line of progress now and then, for output without a terminal."""
    passed_s = PATIENCE_S
    while not running.ended(BETWEEN_LINES_S):
        passed_s += BETWEEN_LINES_S
        say(f"{_step(running)}, {passed_s:.0f} s", quiet=False)


def _step(running: _Running[T]) -> str:
    n_done, n_all, last = running.step
    return f"{last} ({n_done} of {n_all})" if n_all else last


def _show_bar(running: _Running[T]) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(running.step[2], total=None)
        while not running.ended(0.1):
            n_done, n_all, _ = running.step
            progress.update(task, completed=n_done, total=n_all or None, description=_step(running))
