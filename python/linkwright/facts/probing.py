"""Cables found by frames: each port sends some, and a port that hears them is the other end.

All machines send at the same time, each by one program (probe_program.py), while the command runs.
A frame to the nearest bridge passes no switch, so that two ports that hear these are one cable;
ports that hear only frames to all stations share a segment.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from linkwright.errors import RunError
from linkwright.facts.cluster import Cable, ClusterFacts
from linkwright.facts.machine import MachineFacts, Missing
from linkwright.facts.values import printable
from linkwright.machines import Machine
from linkwright.machines.conversation import Conversation
from linkwright.progress import Report
from linkwright.threads import MOST_JOBS, threads

__all__ = ["probe"]

PROGRAM = Path(__file__).parent / "probe_program.py"
READY_S, ANSWER_S = 60.0, 30.0
"""Time in which a machine is ready, ports without carrier included, and in which it answers."""
AS_ROOT = ("sh", "-c", 'if [ "$(id -u)" = 0 ]; then exec "$@"; else exec sudo -n "$@"; fi', "sh")
"""Words before a program that runs it as root."""
End = tuple[int, int]
"""Number of a machine, and the place of a port among its ports."""


@dataclass(frozen=True)
class _Probed:
    """The answer of a machine: frames that its ports heard, and what is missing."""

    heard: tuple[tuple[int, int, int, int], ...] = ()
    missing: tuple[Missing, ...] = ()


def probe(
    machines: Sequence[Machine],
    ports: Mapping[str, Sequence[str]],
    facts: ClusterFacts,
    *,
    bring_up: bool = False,
    as_root: bool = False,
    report: Report = lambda *_: None,
) -> ClusterFacts:
    """Return facts with the cables between some ports, and what is missing of them.

    Parameters
    ----------
    machines : sequence of Machine
    ports : mapping of str to sequence of str
        Interfaces that send and listen, by the names of machines; others stay silent.
    facts : ClusterFacts
        The facts of the same machines.
    bring_up : bool
        Whether ports that are down are brought up for the time of the probe.
    as_root : bool
        Whether the program runs by `sudo`, where the login is not root's.
    report : callable
        Called with each machine that is ready, and that has answered.
    """
    used = [machine for machine in machines if ports.get(machine.name)]
    if not used:
        return facts
    token = secrets.token_hex(16)
    source = PROGRAM.read_text(encoding="utf-8")
    talks = [
        _Talk(machine, {"ports": list(ports[machine.name]), "token": token, "number": number,
                        "bring_up": bring_up}, as_root)
        for number, machine in enumerate(used)
    ]  # fmt: skip
    try:
        with threads(min(len(talks), MOST_JOBS)) as pool:
            for n_ready, talk in enumerate(pool.map(lambda one: one.start(source), talks), 1):
                report(n_ready, 2 * len(talks), talk.machine.name)
            for talk in talks:
                talk.go()
            answers = []
            for n_done, (talk, one) in enumerate(
                zip(talks, pool.map(_Talk.answer, talks), strict=True), 1
            ):
                answers.append(one)
                report(len(talks) + n_done, 2 * len(talks), talk.machine.name)
    finally:
        for talk in talks:
            talk.end()
    names = [[(one.name, port) for port in ports[one.name]] for one in used]
    cables = tuple(_cables(answers, names))
    missing = {one.name: answer.missing for one, answer in zip(used, answers, strict=True)}
    return replace(
        facts,
        cables=cables,
        machines=tuple(_with(one, missing.get(one.name, ())) for one in facts.machines),
    )


def _with(machine: MachineFacts, missing: tuple[Missing, ...]) -> MachineFacts:
    return replace(machine, missing=(*machine.missing, *missing))


class _Talk:
    """The program on one machine, and what it says."""

    def __init__(self, machine: Machine, given: dict[str, Any], as_root: bool) -> None:
        self.machine, self.given, self.as_root = machine, given, as_root
        self.talk: Conversation | None = None
        self.failure: str | None = None

    def start(self, source: str) -> _Talk:
        """Start the program and wait until it listens."""
        try:
            before = AS_ROOT if self.as_root else ()
            process = self.machine.start_python(source, before=before, stderr=subprocess.PIPE)
            self.talk = Conversation(process, mark := Conversation.new_mark())
            self.talk.say(json.dumps({**self.given, "mark": mark}))
            if self.talk.hear(READY_S) != "ready":
                self.failure = "it does not start to listen"
        except (OSError, RunError) as error:
            self.failure = getattr(error, "message", str(error))
        return self

    def go(self) -> None:
        """Let the program send."""
        if self.failure is None and self.talk is not None:
            try:
                self.talk.say("go")
            except OSError:
                self.failure = "it has ended"

    def answer(self) -> _Probed:
        """Return the answer of the program."""
        if self.failure is None and self.talk is not None:
            with suppress(ConnectionError):
                found = self.talk.hear(ANSWER_S)
                if isinstance(found, dict):
                    return _answer(found)
            self.failure = "it gives no answer"
        reason = " ".join(printable(f"{self.failure}: {self._errors()}").split())
        return _Probed(missing=(Missing("cables", reason.rstrip(": "), "root, or --sudo"),))

    def end(self) -> None:
        """End the program, if it has not."""
        if self.talk is not None:
            self.talk.end()

    def _errors(self) -> str:
        """Return the last line of its errors, as far as they are there."""
        pipe = self.talk.process.stderr if self.talk else None
        if pipe is None or not select.select([pipe], [], [], 0.5)[0]:
            return ""
        return os.read(pipe.fileno(), 2000).decode(errors="replace").strip().rpartition("\n")[2]


def _answer(found: dict[str, Any]) -> _Probed:
    """Return an answer whose numbers and texts are checked."""
    heard, missing = (found.get(key) for key in ("heard", "missing"))
    numbers = [
        (one[0], one[1], one[2], one[3])
        for one in (heard if isinstance(heard, list) else [])
        if isinstance(one, list)
        and len(one) == 4
        and all(isinstance(n, int) and 0 <= n < 1 << 32 for n in one)
    ]
    texts = [
        Missing("cables", printable(one[0])[:1000], printable(one[1])[:1000] or None)
        for one in (missing if isinstance(missing, list) else [])[:1000]
        if isinstance(one, list) and len(one) == 2 and all(isinstance(text, str) for text in one)
    ]
    return _Probed(tuple(numbers), tuple(texts))


def _cables(
    answers: Sequence[_Probed], names: Sequence[Sequence[tuple[str, str]]]
) -> Iterator[Cable]:
    """Yield the cables and shared segments between ports, in the order of their first ends."""

    def known(end: End) -> bool:
        return end[0] < len(names) and end[1] < len(names[end[0]])

    heard = [
        ((machine, port), (number, place), target)
        for number, answer in enumerate(answers)
        for place, machine, port, target in answer.heard
        if known((machine, port)) and known((number, place)) and (machine, port) != (number, place)
    ]
    near = {(a, b) for a, b, target in heard if target == 0}
    cabled = {end for pair in near for end in pair}
    far = {(a, b) for a, b, _ in heard if not {a, b} & cabled}
    found = []
    for pairs, alone in ((near, "sure"), (far, "shared")):
        for group in _joined(pairs):
            certainty = "shared" if len(group) > 2 else alone
            if certainty == "sure" and not {group, group[::-1]} <= pairs:
                certainty = "likely"
            found.append((group, certainty))
    for group, certainty in sorted(found):
        ends = tuple(names[machine][place] for machine, place in group)
        yield Cable(ends, "probe", certainty)


def _joined(pairs: Iterable[tuple[End, End]]) -> list[tuple[End, ...]]:
    """Return the groups of ports that hear each other, each in order."""
    group: dict[End, set[End]] = {}
    for a, b in pairs:
        joined = group.setdefault(a, {a}) | group.setdefault(b, {b})
        for end in joined:
            group[end] = joined
    return sorted({tuple(sorted(one)) for one in group.values()})
