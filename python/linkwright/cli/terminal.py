"""What is written to stdout and stderr, and how work that takes its time is shown.

Results go to stdout, everything else to stderr. Progress appears when the work lasts longer than a
moment and stderr is a terminal. Work runs beside the main thread, so that Ctrl-C is heard while an
engine computes.
"""

from __future__ import annotations

import contextvars
import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import typer

from linkwright.cli.streams import escaped, visible

if TYPE_CHECKING:
    from concurrent.futures import Future

    from rich.console import RenderableType

__all__ = ["Report", "say", "say_error", "show", "work"]

Report = Callable[[int, int, str], None]
"""Takes how many steps are done, of how many known so far, and what was done last."""

T = TypeVar("T")

PATIENCE_S = 2.0
"""Work that ends sooner shows no progress."""
WIDTH_OF_FILES = 160
"""Columns of tables that do not go to a terminal."""


def show(content: RenderableType | str) -> None:
    """Write a result to stdout: text as it is, tables as wide as the terminal."""
    if isinstance(content, str):
        sys.stdout.write(escaped(content, sys.stdout.encoding))
        return
    from rich.console import Console

    is_sized = sys.stdout.isatty() or "COLUMNS" in os.environ
    console = Console(width=None if is_sized else WIDTH_OF_FILES, highlight=False)
    console.print(content)


def say(message: str, *, quiet: bool) -> None:
    """Write a remark to stderr unless the user wants none."""
    if not quiet:
        typer.echo(visible(message), err=True)


def say_error(message: str, hint: str) -> None:
    """Write an error and its remedy to stderr."""
    typer.echo(typer.style("error: ", fg="red", bold=True) + visible(message), err=True)
    if hint:
        typer.echo(typer.style("hint: ", bold=True) + visible(hint), err=True)


def work(task: Callable[[Report], T], what: str, *, quiet: bool) -> T:
    """Return what a task returns, showing its progress on a terminal when it takes long.

    Parameters
    ----------
    task : callable
        Is given a function to report its steps to.
    what : str
        What is being done, in a few words.
    quiet : bool
        Whether the user wants no progress.
    """
    from concurrent.futures import Future
    from concurrent.futures import TimeoutError as NotYet

    state = [(0, 0, what)]
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(task(lambda *step: state.__setitem__(0, step)))
        except BaseException as error:  # handed on to the main thread, whatever it is
            done.set_exception(error)

    # A daemon: the program may end while an engine still computes.
    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), daemon=True).start()
    try:
        return done.result(timeout=PATIENCE_S)
    except NotYet:
        if done.done():  # the task's own error, which happens to be of that kind
            raise
    if quiet or not sys.stderr.isatty():
        return done.result()
    return _shown(done, state, what)


def _shown(done: Future[T], state: list[tuple[int, int, str]], what: str) -> T:
    from concurrent.futures import TimeoutError as NotYet

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        while True:
            try:
                return done.result(timeout=0.1)
            except NotYet:
                if done.done():
                    raise
            n_done, n_all, last = state[0]
            count = f" ({n_done} of {n_all})" if n_all else ""
            progress.update(
                task, completed=n_done, total=n_all or None, description=f"{last}{count}"
            )
