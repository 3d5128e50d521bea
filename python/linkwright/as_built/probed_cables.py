"""The cables that a probe has found, for as long as their ports keep their carriers.

A cable cannot be in another port without a change of the carrier, which kernels count.
"""

from __future__ import annotations

from dataclasses import replace

from linkwright.facts import Cable, ClusterFacts
from linkwright.facts.cabling import End, is_port

__all__ = ["ProbedCables"]


Carrier = tuple[str | None, int | None]
"""Hardware address of an interface, and the number of changes of its carrier."""


class ProbedCables:
    """The cables of the last probe."""

    def __init__(self) -> None:
        self._cables: tuple[Cable, ...] = ()
        self._carriers: dict[End, Carrier] | None = None

    def is_due(self, facts: ClusterFacts) -> bool:
        """Return whether a port has got its carrier since the last probe, or there was none."""
        known = self._carriers
        return known is None or any(
            end not in known or known[end] != changes for end, changes in _carriers(facts).items()
        )

    def note(self, facts: ClusterFacts) -> None:
        """Remember the cables of facts with a probe."""
        self._cables, self._carriers = facts.cables, _carriers(facts)

    def completed(self, facts: ClusterFacts) -> ClusterFacts:
        """Return facts with the cables whose ports have had their carriers since the last probe.

        Ends at machines that do not answer are left as they were.
        """
        silent = {one.name for one in facts.machines if one.failure is not None}
        now = _carriers(facts)
        # An interface that comes back counts from the beginning: it is not the one that was there.
        self._carriers = {
            end: state
            for end, state in (self._carriers or {}).items()
            if end[0] in silent or now.get(end) == state
        }
        there = self._carriers.keys()
        self._cables = tuple(one for one in self._cables if there >= set(one.ends))
        return replace(facts, cables=self._cables)


def _carriers(facts: ClusterFacts) -> dict[End, Carrier]:
    """Return the state of each carrier that is there."""
    return {
        (machine.name, one.name): (one.mac, one.counters.get("carrier_changes"))
        for machine in facts.machines
        for one in machine.interfaces
        if one.carrier and is_port(one.kind)
    }
