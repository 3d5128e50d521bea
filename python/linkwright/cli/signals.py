"""Signals that end the program: Ctrl-C, SIGTERM, and SIGHUP when the terminal closes.

While the program starts, a signal ends it at once and without a word: nothing is written yet. While
a command works, a signal raises `Interrupted`, so that half-written files are removed on the way
out. While Python takes itself down, signals are ignored: everything is written.

This file is imported before everything else, so it imports only modules without cost. An interrupt
before that is answered by Python, with a trace: while Python itself starts, and in the script that
the installer writes. Those of older installers import `re` first, which takes a third of the time
until signals are handled (30 ms on an idle machine).
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` makes enums of its numbers
import _thread
import atexit
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager as ContextManager
    from typing import Any, NoReturn, Protocol

    class Event(Protocol):
        """An event that a signal sets."""

        def is_set(self) -> bool: ...
        def wait(self, timeout: float) -> bool: ...
        def again(self) -> None: ...


__all__ = [
    "Interrupted",
    "end_undisturbed",
    "ending_signals",
    "exit_code",
    "leave_at_once",
    "raise_interrupts",
]

_ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_GRACE_S = 3
"""Time that a program may spend on cleaning up, unless a user waits for it at the keyboard."""
_AGAIN_S = 0.02
"""Time after which a swallowed interrupt is raised again."""


class Interrupted(KeyboardInterrupt):
    """A signal that ends the program."""


class _Received:
    """The signal that ended this process, once one has."""

    number = 0


def exit_code() -> int | None:
    """Return the exit code of a process that a signal ends, or None if none has come.

    It is 128 and the number of the signal, by the convention of shells.
    """
    return 128 + _Received.number if _Received.number else None


def leave_at_once() -> None:
    """Let signals end the process without cleaning up."""
    _handle(_leave)


def raise_interrupts() -> None:
    """Let signals raise `Interrupted` in the main thread; the second one ends the process."""
    _handle(_raise)
    sys.unraisablehook = _unraisable


def ending_signals() -> ContextManager[Event]:
    """Provide an event that the first signal sets, for a command that ends by it; the second signal
    ends the process. A command that has nothing to say yet calls `again` of the event.
    """
    import contextlib
    import threading

    class Ending(threading.Event):
        number = 0

        def again(self) -> None:
            """Raise the signal again, once the block has ended, as for other commands."""
            os.kill(os.getpid(), self.number)

    @contextlib.contextmanager
    def waiting() -> Iterator[Ending]:
        stop = Ending()
        before = {number: signal.getsignal(number) for number in _ENDING}

        def note(number: int, frame: object) -> None:
            del frame
            stop.number = number
            stop.set()
            _handle(_leave)

        _handle(note)
        try:
            yield stop
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    return waiting()


def end_undisturbed() -> None:
    """Ignore signals while Python takes itself down, once all other work at the exit is done.

    Everything is written by then. Python would restore the default action of every signal that has
    a handler, and a signal would end the process without an exit code.
    """
    atexit.register(_ignore)


def _ignore() -> None:
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)


def _handle(handler: Callable[[int, object], object]) -> None:
    for number in _ENDING:
        # A shell lets its background jobs ignore Ctrl-C, and nohup SIGHUP: so do we.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _leave(number: int, frame: object) -> NoReturn:
    del frame
    os._exit(128 + number)


def _raise(number: int, frame: object) -> NoReturn:
    del frame
    _Received.number = number
    leave_at_once()
    if number != signal.SIGINT:
        _thread.start_new_thread(_leave_later, (number,))
    raise Interrupted


def _leave_later(number: int) -> NoReturn:
    time.sleep(_GRACE_S)
    os._exit(128 + number)


def _unraisable(what: Any) -> None:
    """Raise an interrupt again that came inside a callback, where it cannot end the program."""
    if not issubclass(what.exc_type, Interrupted):
        sys.__unraisablehook__(what)
        return
    signal.signal(signal.SIGALRM, _raise_again)
    signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)


def _raise_again(number: int, frame: object) -> NoReturn:
    del number, frame
    raise Interrupted
