"""The process of the command line: streams, exit codes, and errors as text.

Commands raise; only `run` turns errors into text and exit codes. An interrupted program leaves at
once: every file is written whole at the end of its command, so no half-written file remains.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import typer
import typer.main

from linkwright.cli import signals
from linkwright.cli.application import COMMANDS, application
from linkwright.cli.arguments import explained, refuse_empty
from linkwright.cli.defaults import read_defaults
from linkwright.cli.logs import is_debugging
from linkwright.cli.streams import prepare_streams
from linkwright.cli.terminal import say_error, set_colours
from linkwright.errors import LinkwrightError
from linkwright.files import Claims

__all__ = ["end_with", "run"]

INTERRUPTED = 130
"""Exit code after Ctrl-C, by the convention of shells."""

_ALLOCATIONS_PER_COLLECTION = 100_000
"""Threshold of the garbage collector: more objects than a command creates while it starts."""


def end_with(arguments: Sequence[str] | None) -> NoReturn:
    """Run the command line and end the process with its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments without the program's name. Default: those of the process.
    """
    prepare_streams()
    _start_lightly()
    if hasattr(signal, "SIGPIPE"):
        # The reader of a pipe may leave early: end quietly, as other programs in a pipe do.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signals.raise_interrupts()
    signals.end_undisturbed()
    try:
        code = run(arguments)
    except Exception as error:  # every kind: a fault of the program is said, too
        code = _fault(error)
    signals.leave_at_once()
    if signals.exit_code() == code:
        # Threads may still be inside an engine; waiting for them would keep the user waiting.
        os._exit(code)
    sys.exit(code)


def _start_lightly() -> None:
    """Switch off costs of starting, together a third of a short command's processor time.

    NumPy's linear algebra starts a thread per core when it is loaded, and no command uses it. The
    garbage collector scans all imported objects repeatedly and finds nothing to free. Figures are
    files: no backend that shows windows is loaded, whatever the environment names.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ["MPLBACKEND"] = "agg"
    gc.set_threshold(_ALLOCATIONS_PER_COLLECTION)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; print errors on stderr.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments without the program's name. Default: those of the process.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        refuse_empty(given)
        with Claims.opened():
            defaults = read_defaults()
            set_colours(defaults.values.get("colours", "auto"))
            app = application(_typed(given), defaults)
            code = typer.main.get_command(app).main(
                given, prog_name="linkwright", standalone_mode=False
            )
        sys.stdout.flush()
    except BaseException as error:
        # An interrupted library may end by an error of any kind.
        interrupted = signals.exit_code()
        return _reported(error, given) if interrupted is None else interrupted
    # The parser turns an interrupt into this code.
    interrupted = signals.exit_code() if code == INTERRUPTED else None
    return int(code or 0) if interrupted is None else interrupted


def _reported(error: BaseException, given: Sequence[str]) -> int:
    """Report an error of the user, and return the exit code; raise all others again."""
    if isinstance(error, LinkwrightError):
        say_error(error.message, error.hint)
        return error.exit_code
    if isinstance(error, typer.TyperException):
        say_error(explained(error), _help_of(error, given))
        return error.exit_code
    if isinstance(error, (KeyboardInterrupt, typer.Abort)):
        return INTERRUPTED
    if isinstance(error, MemoryError):
        say_error("the machine has too little memory for this", "choose a smaller network")
        return LinkwrightError.exit_code
    if isinstance(error, OSError):
        return _output_failed(error)
    raise error


def _fault(error: Exception) -> int:
    """Report a fault of the program itself in a line, with the place where it came to light."""
    if is_debugging():
        traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    say_error(
        f"this is a fault of Linkwright: {type(error).__name__}: {error} "
        f"({Path(place.filename).name}, line {place.lineno})",
        "please report it with the command and its inputs; --debug shows the whole trace",
    )
    return LinkwrightError.exit_code


def _typed(arguments: Sequence[str]) -> Sequence[str]:
    """Return the words of the command line; during shell completion, the words typed so far."""
    for name in ("_TYPER_COMPLETE_ARGS", "COMP_WORDS"):
        if name in os.environ and "_LINKWRIGHT_COMPLETE" in os.environ:
            return os.environ[name].split()[1:]
    return arguments


def _help_of(error: typer.TyperException, given: Sequence[str]) -> str:
    """Return the hint at the help of the command, which not every error of the parser knows."""
    context = getattr(error, "ctx", None)
    command = f"linkwright {given[0]}" if given and given[0] in COMMANDS else "linkwright"
    return f"see `{context.command_path if context else command} --help`"


def _output_failed(error: OSError) -> int:
    """Report that stdout could not be written; keep the interpreter from a second attempt."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):  # a reader that closed the pipe knows it
        say_error(
            f"the output cannot be written: {error.strerror or error}", "write it with -o FILE"
        )
    return LinkwrightError.exit_code
