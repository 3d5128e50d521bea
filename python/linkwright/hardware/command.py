"""A user's command on a machine, which ends with this process, and leaves nothing there."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from importlib.resources import files

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
    """
    source = (files("linkwright.hardware") / "command_program.py").read_text(encoding="utf-8")
    given = {"files": dict(texts), "environment": dict(environment), "words": list(words)}
    start = [machine.python, "-I", "-S", "-c", FIRST]
    with machine.start(start, stdin=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        process.stdin.write(f"{len(source.encode()):8}\n{source}{json.dumps(given)}\n")
        process.stdin.flush()
        # Its end would end the command.
        return int(process.wait())
