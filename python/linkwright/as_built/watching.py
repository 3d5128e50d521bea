"""Real machines compared with their plan again and again: the changes between two comparisons.

A finding appears, changes or is cleared. One on a machine that does not answer, or on a cable at
it, stays as it was: nothing is known about it. What one comparison cannot see is found here too:
neighbours that answered before, and cables that were out and in again since the last comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from linkwright.as_built.deviation import Deviation, worst_first
from linkwright.as_built.matched import Matched, matched
from linkwright.as_built.neighbours import Memory
from linkwright.as_built.planned import Planned
from linkwright.as_built.verify import Verdict, compare
from linkwright.facts import ClusterFacts

__all__ = ["CHANGED", "CLEARED", "FOUND", "Event", "Watch"]

FOUND, CHANGED, CLEARED = "found", "changed", "cleared"
Key = tuple[str | None, ...]


@dataclass(frozen=True)
class Event:
    """A change of a finding.

    Attributes
    ----------
    time : str
        Date and time of the facts in UTC, ISO 8601.
    event : str
        "found", "changed" or "cleared".
    finding : Deviation
        The finding; the last one that was there if it is cleared.
    since : str
        Time at which it was found first.
    """

    time: str
    event: str
    finding: Deviation
    since: str

    def to_json(self) -> dict[str, Any]:
        """Return the event as a JSON value."""
        own = {"time": self.time, "event": self.event, "since": self.since}
        return {**own, **self.finding.to_json()}


class Watch:
    """The comparisons of a cluster, one after the other.

    Parameters
    ----------
    planned : Planned
        The plan.
    """

    def __init__(self, planned: Planned) -> None:
        self.planned = planned
        self._node_of: dict[str, str] = {}
        self._memory = Memory(planned)
        self._active: dict[Key, tuple[Deviation, str]] = {}

    def compared(self, facts: ClusterFacts) -> tuple[Verdict, list[Event]]:
        """Compare the next facts; return the verdict with all present findings, and the changes.

        Raises
        ------
        UsageError
            If no machine is a node of the plan.
        """
        named = self._named(facts)
        machines = matched(self.planned, named)
        self._node_of |= machines.node_of
        known = self._memory.completed(named, machines)
        verdict = compare(self.planned, known)
        own = list(self._memory.lost(matched(self.planned, known)))
        found = {_key(one): one for one in (*verdict.findings, *own)}
        held = {
            key: one
            for key, (one, _) in self._active.items()
            if key not in found and _is_unknown(one, verdict, machines)
        }
        events = list(self._changes(facts.when, found | held))
        present = tuple(worst_first([*found.values(), *held.values()]))
        return replace(verdict, findings=present), events

    def _named(self, facts: ClusterFacts) -> ClusterFacts:
        """Return facts with the nodes that machines had before: a silent one shows none itself."""
        names = self._node_of
        return replace(
            facts,
            machines=tuple(
                replace(one, name=names.get(one.name, one.name)) for one in facts.machines
            ),
            cables=tuple(
                replace(one, ends=tuple((names.get(name, name), nic) for name, nic in one.ends))
                for one in facts.cables
            ),
        )

    def _changes(self, when: str, present: dict[Key, Deviation]) -> Iterator[Event]:
        """Yield the changes since the last comparison, cleared findings first."""
        for key, (one, since) in list(self._active.items()):
            if key not in present:
                del self._active[key]
                yield Event(when, CLEARED, one, since)
        for key, one in present.items():
            before, since = self._active.get(key, (None, when))
            self._active[key] = (one, since)
            if before is None or before.found != one.found:
                yield Event(when, FOUND if before is None else CHANGED, one, since)


def _key(one: Deviation) -> Key:
    """Return a value that is equal for findings about the same thing."""
    thing = None if one.kind == "missing-machine" else one.planned or one.reason
    return one.kind, one.node, one.nic, one.cable, thing


def _is_unknown(one: Deviation, verdict: Verdict, machines: Matched) -> bool:
    """Return whether a finding cannot be seen now: its machine or an end of its cable is silent."""
    if one.kind in ("missing-machine", "wrong-machine"):
        return False
    left_out = {cable.name for cable in verdict.cabling.left_out}
    return one.node in machines.silent or (one.cable is not None and one.cable in left_out)
