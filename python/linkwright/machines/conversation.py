"""A conversation with a program of Python on a machine: lines of JSON in both directions.

The program's lines begin with a mark, behind whatever a login prints. They are bounded in size and
time, and are values of a stranger: who asks checks them.
"""

from __future__ import annotations

import os
import secrets
import select
import subprocess
import time
from contextlib import suppress
from typing import Any

from linkwright.text.strict_json import strict_json

__all__ = ["Conversation"]

MOST_OF_LINE = 4 << 20
END_S = 5


class Conversation:
    """A conversation with a program.

    Parameters
    ----------
    process : subprocess.Popen
        The program; its standard input and output are pipes of text.
    mark : str
        The text that its lines begin with.
    """

    def __init__(self, process: subprocess.Popen[str], mark: str) -> None:
        self.process, self.mark = process, mark.encode()
        self.rest = b""

    @staticmethod
    def new_mark() -> str:
        """Return a mark that no other text has."""
        return secrets.token_hex(16)

    def say(self, line: str) -> None:
        """Write a line to the program.

        Raises
        ------
        OSError
            If it has ended.
        """
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, longest_s: float) -> Any:
        """Return the value in the program's next line; None if there is none in time.

        Raises
        ------
        ConnectionError
            If there will be none: the program has ended, or what it says is no such line.
        """
        assert self.process.stdout is not None
        pipe = self.process.stdout.fileno()
        deadline = time.monotonic() + longest_s
        while True:
            line, end, behind = self.rest.partition(b"\n")
            if end:
                self.rest = behind
                if self.mark in line:
                    return _value(line.partition(self.mark)[2])
                continue
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                return None
            chunk = os.read(pipe, 1 << 16)
            self.rest += chunk
            if not chunk:
                raise ConnectionError("the program has ended without an answer")
            if len(self.rest) > MOST_OF_LINE:
                raise ConnectionError(f"the program says a line of more than {MOST_OF_LINE} bytes")

    def end(self) -> None:
        """End the program, if it has not."""
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(OSError):  # the rest of its content has no reader
                    pipe.close()
        try:
            self.process.wait(timeout=END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _value(text: bytes) -> Any:
    try:
        return strict_json(text)
    except ValueError:
        raise ConnectionError("the program gives an answer that is not JSON") from None
