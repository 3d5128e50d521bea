"""The command line: one file per command, which parses, calls and shows. No logic is here.

User errors become a message and a remedy on stderr and an exit code: 0 done, 1 findings or a failed
check, 2 usage or design error, 3 missing capability, 4 a failed run or output, 128 and the number
of the signal that ended the program: 130 after Ctrl-C, 143 after SIGTERM.
"""

from __future__ import annotations

from linkwright.cli import signals

TYPE_CHECKING = False  # known to type checkers: nothing is imported before signals are handled
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

__all__ = ["main", "run"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments without the program's name. Default: those of the process.
    """
    # Before the imports, which take most of the time of a short command.
    signals.leave_at_once()
    from linkwright.cli.process import end_with

    end_with(arguments)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; print errors on stderr.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments without the program's name. Default: those of the process.
    """
    from linkwright.cli.process import run as run_command

    return run_command(arguments)
