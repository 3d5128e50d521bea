"""The process of the command line: signals, exit codes, and errors as text.

Commands raise; only `run` turns errors into text and exit codes. An interrupted program leaves at
once: every file is written whole at the end of its command, so no half-written file remains.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer
import typer.main

from linkwright.cli.application import application
from linkwright.cli.arguments import explained, refuse_empty
from linkwright.cli.streams import prepare_streams
from linkwright.cli.terminal import say_error
from linkwright.errors import LinkwrightError
from linkwright.files import Claims

__all__ = ["main", "run"]

INTERRUPTED, TERMINATED = 130, 143
"""Exit codes after Ctrl-C and SIGTERM, by the convention of shells."""

_GRACE_S = 3
"""Time that a program may spend on cleaning up after SIGTERM."""

_ALLOCATIONS_PER_COLLECTION = 100_000
"""Threshold of the garbage collector: more objects than a command creates while it starts."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
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
    signal.signal(signal.SIGTERM, _terminate)
    code = run(arguments)
    if code in (INTERRUPTED, TERMINATED):
        # Threads may still be inside an engine; waiting for them would keep the user waiting.
        os._exit(code)
    sys.exit(code)


class _Terminated(KeyboardInterrupt):
    """SIGTERM. It ends a command as Ctrl-C does: a half-written file is removed first."""


def _terminate(number: int, frame: object) -> NoReturn:
    del frame
    # Only once: if the exception is swallowed, the next signal or the alarm ends the program.
    signal.signal(number, signal.SIG_DFL)
    signal.alarm(_GRACE_S)
    raise _Terminated


def _start_lightly() -> None:
    """Switch off two costs of starting, together a third of a short command's processor time.

    NumPy's linear algebra starts a thread per core when it is loaded, and no command uses it. The
    garbage collector scans all imported objects repeatedly and finds nothing to free.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_ALLOCATIONS_PER_COLLECTION)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; print errors on stderr.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments without the program's name. Default: those of the process.
    """
    try:
        given = sys.argv[1:] if arguments is None else arguments
        refuse_empty(given)
        with Claims.opened():
            code = typer.main.get_command(application(_typed(given))).main(
                given, prog_name="linkwright", standalone_mode=False
            )
        sys.stdout.flush()
    except LinkwrightError as error:
        say_error(error.message, error.hint)
        return error.exit_code
    except typer.TyperException as error:
        say_error(explained(error), _help_of(error))
        return error.exit_code
    except _Terminated:
        return TERMINATED
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except MemoryError:
        say_error("the machine has too little memory for this", "choose a smaller network")
        return LinkwrightError.exit_code
    except OSError as error:
        return _output_failed(error)
    return int(code or 0)


def _typed(arguments: Sequence[str]) -> Sequence[str]:
    """Return the words of the command line; during shell completion, the words typed so far."""
    for name in ("_TYPER_COMPLETE_ARGS", "COMP_WORDS"):
        if name in os.environ and "_LINKWRIGHT_COMPLETE" in os.environ:
            return os.environ[name].split()[1:]
    return arguments


def _help_of(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"see `{context.command_path if context else 'linkwright'} --help`"


def _output_failed(error: OSError) -> int:
    """Report that stdout could not be written; keep the interpreter from a second attempt."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if not isinstance(error, BrokenPipeError):  # a reader that closed the pipe knows it
        say_error(
            f"the output cannot be written: {error.strerror or error}", "write it with -o FILE"
        )
    return LinkwrightError.exit_code
