"""The machines of a cluster asked for all facts, each in one session.

The facts themselves are in files beside this one; `FACTS` lists them.
"""

from __future__ import annotations

import datetime as dt
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from linkwright.errors import RunError
from linkwright.facts.bridges import BRIDGES
from linkwright.facts.cluster import ClusterFacts
from linkwright.facts.fact import ROOT, Answers, Fact
from linkwright.facts.firewall import FIREWALL
from linkwright.facts.interface import Interface
from linkwright.facts.links import LINKS
from linkwright.facts.lldp import LLDP
from linkwright.facts.machine import MachineFacts, Missing
from linkwright.facts.managers import MANAGERS
from linkwright.facts.names import NAMES
from linkwright.facts.offloads import OFFLOADS
from linkwright.facts.rdma import RDMA
from linkwright.facts.routing import ADDRESSES, NEIGHBOURS, ROUTES, RULES
from linkwright.facts.settings import SETTINGS
from linkwright.facts.sysctls import SYSCTLS
from linkwright.facts.system import SYSTEM
from linkwright.facts.unreached import failure_text
from linkwright.facts.usb4 import USB4
from linkwright.facts.values import FEW, MOST_OF_TEXT, printable, read_record
from linkwright.machines import Machine
from linkwright.machines.all_at_once import MOST_AT_ONCE, on_all
from linkwright.progress import Report

__all__ = [
    "FACTS", "LONGEST_S", "QUESTIONS", "asked_by", "clock_offset_s", "gather", "read_answers",
]  # fmt: skip

FACTS: tuple[Fact, ...] = (
    SYSTEM, LINKS, ADDRESSES, ROUTES, RULES, NEIGHBOURS, OFFLOADS, SYSCTLS, LLDP, BRIDGES,
    FIREWALL, MANAGERS, RDMA, USB4, SETTINGS, NAMES,
)  # fmt: skip
QUESTIONS = {
    f"{fact.name}/{key}": question for fact in FACTS for key, question in fact.questions.items()
}
"""All questions by the names of their facts."""
COLLECTOR = Path(__file__).parent / "collector.py"
MOST_OF_CLOCK_S = 1e12
LONGEST_S = 60.0
"""Time in which a machine answers all questions."""


def gather(
    machines: Sequence[Machine],
    *,
    at_once: int = MOST_AT_ONCE,
    timeout_s: float = LONGEST_S,
    as_root: bool = False,
    report: Report = lambda *_: None,
) -> ClusterFacts:
    """Ask all machines for all facts; a machine that does not answer keeps its reason.

    Parameters
    ----------
    machines : sequence of Machine
    at_once : int
        Machines that are asked at the same time.
    timeout_s : float
        Time in which a machine answers all questions.
    as_root : bool
        Whether questions that need root are asked by `sudo`, where the login is not root's.
    report : callable
        Called with each machine that has answered or failed.
    """
    ask = asked_by(machines, timeout_s=timeout_s, as_root=as_root)
    when = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    answers = on_all(machines, ask, at_once=at_once, report=report)
    return ClusterFacts(when, tuple(one for one in answers if isinstance(one, MachineFacts)))


def asked_by(
    machines: Sequence[Machine], *, timeout_s: float, as_root: bool
) -> Callable[[Machine], MachineFacts]:
    """Return a function that asks one of some machines for all facts; else as for `gather`.

    A machine that does not answer has its reason.
    """
    source = COLLECTOR.read_text(encoding="utf-8")
    questions = {key: question.to_json() for key, question in QUESTIONS.items()}

    def answered(machine: Machine) -> MachineFacts:
        mark = secrets.token_hex(16)
        others = [one.name for one in machines if one.name != machine.name]
        given = {"questions": questions, "mark": mark, "names": others, "sudo": as_root}
        before_s = time.time()
        answers = machine.ask(source, given, mark=mark, timeout_s=timeout_s)
        offset_s = clock_offset_s(answers, before_s, time.time())
        return replace(read_answers(machine.name, answers), clock_offset_s=offset_s)

    def ask(machine: Machine) -> MachineFacts:
        try:
            return answered(machine)
        except RunError as error:
            return MachineFacts(machine.name, failure=failure_text(error))

    return ask


def clock_offset_s(given: Any, before_s: float, after_s: float) -> float | None:
    """Return the time by which a machine's clock is ahead, or behind, of two moments of ours."""
    clock_s = given.get("clock_s") if isinstance(given, dict) else None
    if not isinstance(clock_s, int | float) or not abs(clock_s) < MOST_OF_CLOCK_S:
        return None
    return round(max(0.0, clock_s - after_s) + min(0.0, clock_s - before_s), 1)


def read_answers(name: str, given: Any) -> MachineFacts:
    """Return the facts that a machine's answers contain; values that do not fit become missing."""
    sent = given.get("answers") if isinstance(given, dict) else None
    keys, missing = _merged(sent if isinstance(sent, dict) else {})
    if isinstance(given, dict) and not given.get("is_root"):
        missing += [
            Missing(fact.name, f"only root sees {fact.needs_root}", ROOT)
            for fact in FACTS
            if fact.needs_root
        ]
    interfaces = []
    for interface, own in keys.pop("interfaces", {}).items():
        record, unfit = read_record(Interface, {**own, "name": interface})
        interfaces += [] if record is None else [record]
        missing += [_unfit(f"{interface}: {key}") for key in unfit]
    found, unfit = read_record(MachineFacts, {**keys, "name": name})
    assert found is not None, "machines have names that fit"
    missing += [_unfit(key) for key in unfit]
    return replace(found, interfaces=tuple(interfaces[:FEW]), missing=tuple(missing[:FEW]))


def _merged(sent: dict[str, Any]) -> tuple[dict[str, Any], list[Missing]]:
    """Return the values of all facts by the keys of a machine, and what is missing."""
    keys: dict[str, Any] = {}
    missing: list[Missing] = []
    for fact in FACTS:
        own = {key: sent.get(f"{fact.name}/{key}") for key in fact.questions}
        answers = Answers(own, fact.name)
        for key, value in printable(fact.read(answers)).items():
            keys[key] = _joined(keys.get(key), value)
        missing += [replace(one, reason=printable(one.reason)) for one in answers.missing]
    return keys, missing


def _joined(before: Any, value: Any) -> Any:
    """Return two values for one key as one: objects key by key, others as the second."""
    if not isinstance(before, dict) or not isinstance(value, dict):
        return value
    return {**before, **{key: _joined(before.get(key), one) for key, one in value.items()}}


def _unfit(key: str) -> Missing:
    return Missing(key[:MOST_OF_TEXT], "the machine answers with a value that is not understood")
