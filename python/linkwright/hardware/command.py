"""A user's command on a machine, which ends with this process, and leaves nothing there.

The program that runs it is `command_program.py`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.resources import files

from linkwright.errors import RunError
from linkwright.machines import Machine
from linkwright.machines.machine import FIRST

__all__ = ["call"]


def call(
    machine: Machine,
    words: Sequence[str],
    *,
    texts: Mapping[str, str],
    environment: Mapping[str, str],
) -> int:
    """Run a command with the output of this process; return its exit code.

    Parameters
    ----------
    machine : Machine
    words : sequence of str
        The command.
    texts : mapping of str to str
        Files of a temporary folder, by name.
    environment : mapping of str to str
        Variables; `{folder}` in a value is the temporary folder.

    Raises
    ------
    RunError
        If the machine does not take the command.
    """
    source = (files("linkwright.hardware") / "command_program.py").read_text(encoding="utf-8")
    given = {"files": dict(texts), "environment": dict(environment), "words": list(words)}
    start = [machine.python, "-I", "-S", "-c", FIRST]
    text = f"{len(source.encode()):8}\n{source}{json.dumps(given)}\n"
    try:
        process = machine.start(start, stdin=subprocess.PIPE, text=True)
    except OSError as error:
        raise _failure(machine, error.strerror or str(error)) from None
    with process:
        _give(machine, process, text)
        # The end of its input would end the command.
        code = int(process.wait())
        return code if code >= 0 else 128 - code


def _give(machine: Machine, process: subprocess.Popen[str], text: str) -> None:
    """Write the program and what it is given; an interpreter that is missing reads neither."""
    assert process.stdin is not None
    try:
        process.stdin.write(text)
        process.stdin.flush()
    except BrokenPipeError:
        with suppress(BrokenPipeError):
            process.stdin.close()
        raise _failure(machine, f"{machine.python} ends with code {process.wait()}") from None


def _failure(machine: Machine, reason: str) -> RunError:
    return RunError(
        f"{machine.name} does not take the command: {reason}",
        f"check that {machine.python} runs there",
    )
