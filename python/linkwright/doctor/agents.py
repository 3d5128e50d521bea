"""The traffic program on all machines: one process each, commands one after the other.

Answers are bounded in size and time, and are checked where they are used.
"""

from __future__ import annotations

import json
import secrets
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linkwright.errors import RunError
from linkwright.machines import Machine
from linkwright.machines.conversation import Conversation
from linkwright.threads import MOST_JOBS, threads

__all__ = ["Agent", "agents"]

PROGRAM = Path(__file__).parent / "traffic_program.py"
READY_S = 30.0


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
        self.talk: Conversation | None = None

    def start(self) -> Agent:
        """Start the program.

        Raises
        ------
        RunError
            If it does not start.
        """
        source, mark = PROGRAM.read_text(encoding="utf-8"), Conversation.new_mark()
        try:
            process = self.machine.start_python(source, stderr=subprocess.DEVNULL)
            self.talk = Conversation(process, mark)
            self.talk.say(json.dumps({"mark": mark, "token": self.token, "nics": self.nics}))
        except OSError as error:
            raise self._failure(str(error)) from None
        if self.talk.hear(READY_S) != 1:
            raise self._failure("the traffic program does not start")
        return self

    def ask(self, name: str, argument: Any, *, longest_s: float) -> Any:
        """Return the answer to a command.

        Raises
        ------
        RunError
            If there is none in time.
        """
        assert self.talk is not None, "it has started"
        try:
            self.talk.say(json.dumps([name, argument]))
        except OSError:
            raise self._failure("the traffic program has ended") from None
        found = self.talk.hear(longest_s)
        if found is None:
            raise self._failure(f"no answer within {longest_s:g} s")
        return found

    def end(self) -> None:
        """End the program, if it has not."""
        if self.talk is not None:
            self.talk.end()

    def _failure(self, reason: str) -> RunError:
        return RunError(f"{self.machine.name}: {reason}", "check that the machine is still up")


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
