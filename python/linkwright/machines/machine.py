"""A machine that programs run on and files are put on, however it is reached.

A kind of machine has a file of its own and says how a command gets there; everything else follows
from `Machine.command`. Nothing here knows of designs, and no text of a caller is part of a shell's
program: scripts are fixed, and places are their arguments.
"""

from __future__ import annotations

import json
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, ClassVar

from linkwright.errors import RunError, shown, shown_path
from linkwright.files import MEBIBYTE
from linkwright.machines.bounded import run_bounded
from linkwright.text.strict_json import strict_json

__all__ = ["MOST_BYTES", "MOST_OF_REASON", "Answer", "Machine", "text_of"]

MOST_BYTES = 16 * MEBIBYTE
"""Largest file that is read from a machine."""
MOST_OF_OUTPUT = 64 * MEBIBYTE
"""Longest output of a program that runs on a machine."""
MOST_OF_REASON = 200
"""Longest reason of a machine in a message, in characters."""
PUT = """
umask 077
trap 'rm -f -- "$1.part"' EXIT
cat > "$1.part"
chmod "$2" -- "$1.part"
mv -f -- "$1.part" "$1"
"""
"""Script that writes a file completely or not at all: its place and its mode are the arguments."""
GET = 'head -c "$2" -- "$1"'
FIRST = (
    "import os\n"
    "def take(n):\n"
    "    found = b''\n"
    "    while len(found) < n:\n"
    "        found += os.read(0, n - len(found)) or os._exit(1)\n"
    "    return found\n"
    "program = compile(take(int(take(9))), 'program', 'exec')\n"
    "exec(program, {'__name__': '__main__'})\n"
)
"""Program of Python that reads another one from standard input, and leaves the rest to it."""


@dataclass(frozen=True)
class Answer:
    """A program that has ended.

    Attributes
    ----------
    code : int
        Exit code; negative if a signal ended it.
    output, errors : str
        Its standard output and standard error.
    """

    code: int
    output: str
    errors: str


@dataclass(frozen=True)
class Machine(ABC):
    """A machine.

    Attributes
    ----------
    name : str
        Name of its node in the design, or of its own.
    """

    name: str
    kind: ClassVar[str]
    """How it is reached."""

    @abstractmethod
    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command of this machine that runs a program with its arguments there."""

    def bounded(self, words: Sequence[str], longest_s: float | None) -> list[str]:
        """Return the same for a program that ends at its time also if the command is killed.

        Most kinds run the program as a part of the command.
        """
        del longest_s
        return self.command(words)

    @property
    @abstractmethod
    def python(self) -> str:
        """Its interpreter of Python."""

    @property
    def descriptors(self) -> tuple[int, ...]:
        """Descriptors that the command needs."""
        return ()

    def of_python(self) -> list[str]:
        """Return the words that start a program of Python, which standard input has first."""
        return [self.python, "-I", "-S", "-c", FIRST]

    def start(self, words: Sequence[str], **how: Any) -> subprocess.Popen[Any]:
        """Start a program, as `subprocess.Popen` does."""
        return subprocess.Popen(self.command(words), pass_fds=self.descriptors, **how)

    def call(self, words: Sequence[str]) -> int:
        """Run a program with the input and output of this process; return its exit code."""
        return subprocess.call(self.command(words), pass_fds=self.descriptors)

    def start_python(
        self, source: str, *, before: Sequence[str] = (), stderr: int | None = None
    ) -> subprocess.Popen[str]:
        """Start a program of Python's standard library; its standard input and output are pipes.

        Parameters
        ----------
        source : str
            The program. It reads standard input by its descriptor.
        before : sequence of str
            Program that starts the interpreter, such as `sudo -n`.
        stderr : int, optional
            Its standard error, as for `subprocess.Popen`. Default: that of this process.
        """
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": stderr}
        words = [*before, *self.of_python()]
        process = self.start(words, text=True, **pipes)
        assert process.stdin is not None
        process.stdin.write(f"{len(source.encode()):8}\n{source}")
        process.stdin.flush()
        return process

    def run(
        self, words: Sequence[str], *, given: bytes = b"", timeout_s: float | None = None
    ) -> Answer:
        """Run a program and return its answer.

        Parameters
        ----------
        words : sequence of str
            The program and its arguments.
        given : bytes
            Standard input.
        timeout_s : float, optional
            Time after which the program is ended. Default: no limit.

        Raises
        ------
        RunError
            If it does not end in time.
        """
        done = self._done(words, given, timeout_s)
        return Answer(done.returncode, text_of(done.stdout), text_of(done.stderr))

    def ask(self, source: str, given: object, *, mark: str, timeout_s: float) -> Any:
        """Run a program of Python's standard library, and return its answer.

        Parameters
        ----------
        source : str
            The program. It reads JSON from standard input, and writes the mark and JSON.
        given : object
            The JSON value that it reads.
        mark : str
            Text that its answer begins with, behind whatever a login shell prints.
        timeout_s : float
            Time after which the program is ended.

        Raises
        ------
        RunError
            If it does not end in time, fails, or answers otherwise.
        """
        text = f"{len(source.encode()):8}\n{source}{json.dumps(given)}"
        words = self.of_python()
        done = self._done(words, text.encode(), timeout_s)
        answer = done.stdout.rpartition(mark.encode())[2] if mark.encode() in done.stdout else b""
        try:
            return strict_json(answer)
        except ValueError:
            reason = shown(text_of(done.stderr).strip().rpartition("\n")[2], MOST_OF_REASON)
            raise RunError(
                f"{self.name} gives no answer: {reason or 'it ends without one'}",
                "check that python3 runs there",
            ) from None

    def put(self, place: PurePosixPath, content: bytes, *, mode: int = 0o644) -> None:
        """Write a file completely or not at all; its folder exists.

        Raises
        ------
        RunError
            If it cannot be written.
        """
        done = self._done(["sh", "-euc", PUT, "put", str(place), f"{mode:o}"], content)
        self._expect(done, place, "written")

    def get(self, place: PurePosixPath, *, most_bytes: int = MOST_BYTES) -> bytes:
        """Return the content of a file.

        Raises
        ------
        RunError
            If it cannot be read, or is longer than allowed.
        """
        done = self._done(["sh", "-euc", GET, "get", str(place), str(most_bytes + 1)])
        self._expect(done, place, "read")
        if len(done.stdout) > most_bytes:
            raise RunError(
                f"{shown_path(place)} on {self.name} is longer than {most_bytes:,} bytes",
                "remove it, or move what is not needed elsewhere",
            )
        return done.stdout

    def _done(
        self, words: Sequence[str], given: bytes = b"", timeout_s: float | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            return run_bounded(
                self.bounded(words, timeout_s),
                given,
                most_bytes=MOST_OF_OUTPUT,
                timeout_s=timeout_s,
                pass_fds=self.descriptors,
            )
        except RunError as error:
            message = f"{shown(words[0])} on {self.name} fails: {error.message}"
            raise RunError(message, error.hint) from None
        except subprocess.TimeoutExpired:
            raise RunError(
                f"{shown(words[0])} on {self.name} does not end within {timeout_s:g} s",
                "try again when the machine is less busy",
            ) from None

    def _expect(
        self, done: subprocess.CompletedProcess[bytes], place: PurePosixPath, how: str
    ) -> None:
        if done.returncode:
            reason = shown(text_of(done.stderr).strip().rpartition("\n")[2], MOST_OF_REASON)
            raise RunError(
                f"{shown_path(place)} on {self.name} cannot be {how}: {reason}",
                "check that its folder is there and that this user may use it",
            )


def text_of(output: bytes) -> str:
    """Return the output of a program as text."""
    return output.decode(errors="replace")
