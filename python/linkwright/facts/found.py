"""Facts of the machines of a cluster: asked, kept as one JSON file, and read again.

The facts themselves are in files beside this one.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkwright.errors import RunError, UsageError, shown_path
from linkwright.facts.fact import Answers, Fact
from linkwright.facts.forwarding import FORWARDING
from linkwright.facts.links import LINKS
from linkwright.facts.offloads import OFFLOADS
from linkwright.facts.routing import ADDRESSES, NEIGHBOURS, ROUTES, RULES
from linkwright.facts.system import SYSTEM
from linkwright.files import MEBIBYTE, read_text
from linkwright.machines import Machine
from linkwright.machines.all_at_once import MOST_AT_ONCE, on_all
from linkwright.progress import Report
from linkwright.text.strict_json import strict_json
from linkwright.version import VERSION

__all__ = ["FACTS", "ClusterFacts", "MachineFacts", "gather"]

FACTS: tuple[Fact, ...] = (
    SYSTEM, LINKS, ADDRESSES, ROUTES, RULES, NEIGHBOURS, OFFLOADS, FORWARDING,
)  # fmt: skip
HINT = "make one: linkwright facts HOSTS -o facts.json"
FORM = 1
"""Version of the file of facts."""
COLLECTOR = Path(__file__).parent / "collector.py"
LONGEST_S = 60.0
"""Time in which a machine answers all questions."""
MOST_BYTES = 256 * MEBIBYTE


@dataclass(frozen=True)
class MachineFacts:
    """The facts of one machine.

    Attributes
    ----------
    name : str
        Name of its node, or of its own.
    facts : dict
        Facts by their names; empty if the machine did not answer.
    notes : tuple of str
        Sentences about what is missing, and what root would add.
    failure : str, optional
        The reason why the machine did not answer.
    """

    name: str
    facts: dict[str, Any]
    notes: tuple[str, ...] = ()
    failure: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the facts as a JSON value."""
        found: dict[str, Any] = {"name": self.name, "facts": self.facts, "notes": list(self.notes)}
        return found if self.failure is None else {**found, "failure": self.failure}


@dataclass(frozen=True)
class ClusterFacts:
    """The facts of all machines, and when they were found."""

    when: str
    machines: tuple[MachineFacts, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the facts as a JSON value."""
        return {
            "linkwright_facts": FORM,
            "version": VERSION,
            "when": self.when,
            "machines": [one.to_json() for one in self.machines],
        }

    @classmethod
    def load(cls, path: str | Path) -> ClusterFacts:
        """Return the facts of a file.

        Raises
        ------
        UsageError
            If the file does not have this form.
        """
        try:
            given = strict_json(read_text(path, "facts", most_bytes=MOST_BYTES, hint=HINT))
            if given["linkwright_facts"] != FORM:
                raise UsageError(
                    f"{shown_path(path)} has facts of form {given['linkwright_facts']!r}",
                    "gather them with this version",
                )
            machines = tuple(
                MachineFacts(
                    str(one["name"]), dict(one["facts"]), tuple(one["notes"]), one.get("failure")
                )
                for one in given["machines"]
            )
            return cls(str(given["when"]), machines)
        except (ValueError, TypeError, KeyError):
            raise UsageError(f"{shown_path(path)} is no file of facts", HINT) from None


def gather(
    machines: Sequence[Machine], *, at_once: int = MOST_AT_ONCE, report: Report = lambda *_: None
) -> ClusterFacts:
    """Ask all machines for all facts; a machine that does not answer keeps its reason.

    Parameters
    ----------
    machines : sequence of Machine
    at_once : int
        Machines that are asked at the same time.
    report : callable
        Called with each machine that has answered or failed.
    """
    source = COLLECTOR.read_text(encoding="utf-8")
    questions = {
        f"{fact.name}/{key}": question.to_json()
        for fact in FACTS
        for key, question in fact.questions.items()
    }

    def ask(machine: Machine) -> MachineFacts:
        mark = secrets.token_hex(16)
        given = {"questions": questions, "mark": mark}
        return _read(machine.name, machine.ask(source, given, mark=mark, timeout_s=LONGEST_S))

    when = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    answers = on_all(machines, ask, at_once=at_once, report=report)
    found = (
        MachineFacts(machine.name, {}, failure=str(one)) if isinstance(one, RunError) else one
        for machine, one in zip(machines, answers, strict=True)
    )
    return ClusterFacts(when, tuple(found))


def _read(name: str, given: Any) -> MachineFacts:
    """Return the facts that a machine's answers contain."""
    sent = given.get("answers") if isinstance(given, dict) else None
    sent = sent if isinstance(sent, dict) else {}
    facts, notes = {}, []
    for fact in FACTS:
        own = {key: sent.get(f"{fact.name}/{key}") for key in fact.questions}
        answers = Answers(own)
        facts[fact.name] = fact.read(answers)
        notes += answers.notes
    if isinstance(given, dict) and not given.get("is_root"):
        for_root = ", ".join(fact.name for fact in FACTS if fact.needs_root)
        notes.append(f"root would see more of: {for_root}")
    return MachineFacts(name, facts, tuple(notes))
