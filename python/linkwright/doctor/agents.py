"""The traffic program on all machines: one process each, commands one after the other.

Answers are bounded in size and time, and are checked where they are used.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from linkwright.errors import RunError
from linkwright.machines import Machine
from linkwright.text.strict_json import strict_json
from linkwright.threads import MOST_JOBS, threads

__all__ = ["Agent", "agents"]

PROGRAM = Path(__file__).parent / "traffic_program.py"
READY_S = 30.0
MOST_OF_LINE = 4 << 20


class Agent:
    """The traffic program on one machine.

    Parameters
    ----------
    machine : Machine
    nics : sequence of str
        Interfaces of the fabric, which alone may send.
    token : str
        Secret of all programs of this run.
    """

    def __init__(self, machine: Machine, nics: Sequence[str], token: str) -> None:
        self.machine, self.nics, self.token = machine, list(nics), token
        self.mark = secrets.token_hex(16)
        self.process: subprocess.Popen[str] | None = None
        self.rest = b""

    def start(self) -> Agent:
        """Start the program.

        Raises
        ------
        RunError
            If it does not start.
        """
        source = PROGRAM.read_text(encoding="utf-8")
        try:
            self.process = self.machine.start_python(source, stderr=subprocess.DEVNULL)
            self._say({"mark": self.mark, "token": self.token, "nics": self.nics})
        except OSError as error:
            raise self._failure(str(error)) from None
        if self._line(READY_S) != 1:
            raise self._failure("the traffic program does not start")
        return self

    def ask(self, name: str, argument: Any, *, longest_s: float) -> Any:
        """Return the answer to a command.

        Raises
        ------
        RunError
            If there is none in time.
        """
        try:
            self._say([name, argument])
        except OSError:
            raise self._failure("the traffic program has ended") from None
        found = self._line(longest_s)
        if found is None:
            raise self._failure(f"no answer within {longest_s:g} s")
        return found

    def end(self) -> None:
        """End the program, if it has not."""
        if self.process is None:
            return
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _failure(self, reason: str) -> RunError:
        return RunError(f"{self.machine.name}: {reason}", "check that the machine is still up")

    def _say(self, value: Any) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()

    def _line(self, longest_s: float) -> Any:
        """Return the value in the next line with the mark; None if there is none in time."""
        assert self.process is not None
        assert self.process.stdout is not None
        mark, pipe = self.mark.encode(), self.process.stdout.fileno()
        deadline = time.monotonic() + longest_s
        while True:
            line, end, behind = self.rest.partition(b"\n")
            if end:
                self.rest = behind
                if mark in line:
                    with suppress(ValueError):
                        return strict_json(line.partition(mark)[2])
                    return None
                continue
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                return None
            chunk = os.read(pipe, 1 << 16)
            self.rest += chunk
            if not chunk or len(self.rest) > MOST_OF_LINE:
                return None


@contextmanager
def agents(
    machines: Sequence[Machine], nics: Mapping[str, Sequence[str]]
) -> Iterator[tuple[dict[str, Agent], dict[str, str]]]:
    """Provide the program of each machine by name, and the reasons of those that did not start.

    Parameters
    ----------
    machines : sequence of Machine
    nics : mapping of str to sequence of str
        Interfaces of the fabric by machine; others run no program.
    """
    token = secrets.token_hex(8)
    made = [Agent(one, nics[one.name], token) for one in machines if nics.get(one.name)]
    started: dict[str, Agent] = {}
    failed: dict[str, str] = {}

    def start(agent: Agent) -> str | None:
        try:
            agent.start()
        except RunError as error:
            return error.message
        return None

    try:
        with threads(min(max(len(made), 1), MOST_JOBS)) as pool:
            for agent, failure in zip(made, pool.map(start, made), strict=True):
                if failure is None:
                    started[agent.machine.name] = agent
                else:
                    failed[agent.machine.name] = failure
        yield started, failed
    finally:
        for agent in made:
            agent.end()
