"""One program of Python on all machines: a process each, commands one after the other.

A program reads lines of JSON: first what it is given, then commands as `[name, argument]`. It says
1 when it is ready, and one value for each command. Answers are bounded in size and time, and are
checked where they are used.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from linkwright.errors import RunError
from linkwright.machines.conversation import Conversation
from linkwright.machines.machine import Machine
from linkwright.threads import MOST_JOBS, threads

__all__ = ["Agent", "agents"]

READY_S = 30.0
SLICE_S = 0.5
"""Time between two looks at whether an awaited program still runs."""


class Agent:
    """The program on one machine.

    Parameters
    ----------
    machine : Machine
    source : str
        The program.
    given : mapping of str to object
        The JSON values that it is given, besides its mark.
    """

    def __init__(self, machine: Machine, source: str, given: Mapping[str, object]) -> None:
        self.machine, self.source, self.given = machine, source, dict(given)
        self.talk: Conversation | None = None

    def start(self) -> Agent:
        """Start the program.

        Raises
        ------
        RunError
            If it does not start.
        """
        mark = Conversation.new_mark()
        try:
            process = self.machine.start_python(self.source, stderr=subprocess.DEVNULL)
            self.talk = Conversation(process, mark)
            self.talk.say(json.dumps({"mark": mark, **self.given}))
        except OSError as error:
            raise self.failure(str(error)) from None
        ready = self._hear(READY_S)
        if ready != 1:
            raise self.failure(_reason(ready) or "the program does not start")
        return self

    def ask(self, name: str, argument: Any, *, longest_s: float) -> Any:
        """Return the answer to a command.

        Raises
        ------
        RunError
            If there is none in time.
        """
        self._say(name, argument)
        found = self._hear(longest_s)
        if found is None:
            raise self.failure(f"no answer within {longest_s:g} s")
        return found

    def work(self, name: str, argument: Any, stop: threading.Event) -> Any:
        """Return the answer to a command that takes any time.

        Raises
        ------
        RunError
            If the program ends without an answer, or `stop` is set before it comes.
        """
        self._say(name, argument)
        while not stop.is_set():
            is_running = self._is_running()
            found = self._hear(SLICE_S)
            if found is not None:
                return found
            if not is_running:
                raise self.failure("the program has ended without an answer")
        raise self.failure("it is not awaited any more")

    def end(self) -> None:
        """End the program, if it has not."""
        if self.talk is not None:
            self.talk.end()

    def failure(self, reason: str) -> RunError:
        """Return the error of this machine."""
        return RunError(f"{self.machine.name}: {reason}", "check that the machine is still up")

    def _is_running(self) -> bool:
        assert self.talk is not None, "it has started"
        return self.talk.process.poll() is None

    def _hear(self, longest_s: float) -> Any:
        assert self.talk is not None, "it has started"
        try:
            return self.talk.hear(longest_s)
        except ConnectionError as error:
            raise self.failure(str(error)) from None

    def _say(self, name: str, argument: Any) -> None:
        assert self.talk is not None, "it has started"
        try:
            self.talk.say(json.dumps([name, argument]))
        except OSError:
            raise self.failure("the program has ended") from None


def _reason(answer: Any) -> str:
    text = answer.get("error") if isinstance(answer, dict) else None
    return text[:300] if isinstance(text, str) and text.isprintable() else ""


@contextmanager
def agents(
    machines: Sequence[Machine], source: str, given: Mapping[str, Mapping[str, object]]
) -> Iterator[tuple[dict[str, Agent], dict[str, str]]]:
    """Provide the program of each machine by name, and the reasons of those that did not start.

    Parameters
    ----------
    machines : sequence of Machine
    source : str
        The program.
    given : mapping of str to mapping
        The JSON values that it is given, by machine; others run no program.
    """
    made = [Agent(one, source, given[one.name]) for one in machines if one.name in given]
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
