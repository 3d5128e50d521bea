"""The neighbours that machines have heard by now, between one comparison and the next.

A kernel forgets neighbours that nothing is sent to; as long as a port keeps its carrier, the cable
is still the one that it was. A neighbour that fails to answer, or that LLDP does not announce any
more, is lost. A carrier that has changed and is there shows a cable that was out for a moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.moves import Joined, Plug
from linkwright.as_built.planned import Planned
from linkwright.facts import ClusterFacts, Interface, MachineFacts, Neighbour
from linkwright.facts.cabling import HEARD

__all__ = ["Memory"]

CHANGES = "carrier_changes"
ASKED_FOR, FAILED = "INCOMPLETE", "FAILED"
PULLED = 2
"""Changes of a carrier that is lost and comes back."""


@dataclass
class _Port:
    """The state of a port at the last comparison."""

    changes: int | None = None
    neighbours: dict[str, Neighbour] = field(default_factory=dict)
    by: str = ""
    """The way in which the other end was heard: "LLDP" or "its address"; empty if it was not."""
    has_carrier: bool = False
    is_asked_for: bool = False
    """Whether the kernel is asking for the other end, and has no answer yet."""


class Memory:
    """The state of all ports at the last comparison.

    Parameters
    ----------
    planned : Planned
        The plan.
    """

    def __init__(self, planned: Planned) -> None:
        self.planned = planned
        self._ports: dict[tuple[str, str], _Port] = {}

    def completed(self, facts: ClusterFacts, machines: Matched) -> ClusterFacts:
        """Return facts with the neighbours that ports have heard since they have their carriers."""
        of_node = {machines.node_of.get(one.name, ""): one for one in facts.machines}
        more = {
            of_node[name].name: tuple(self._forgotten(name, node))
            for name, node in machines.nodes.items()
        }
        return replace(facts, machines=tuple(_with(one, more) for one in facts.machines))

    def _forgotten(self, name: str, node: MatchedNode) -> Iterator[Neighbour]:
        """Yield the neighbours of a node that its kernel has forgotten."""
        now: dict[str, dict[str, Neighbour]] = {}
        for one in node.facts.neighbours:
            now.setdefault(one.dev or "", {})[one.dst] = one
        for _, interface in node.ports:
            before = self._ports.get((name, interface.name))
            if before is None or before.changes != interface.counters.get(CHANGES):
                continue
            if interface.carrier:
                there = now.get(interface.name, {})
                yield from (one for dst, one in before.neighbours.items() if dst not in there)

    def lost(self, machines: Matched) -> Iterator[Deviation]:
        """Yield neighbours that are lost and cables that were out; remember the ports as they are.

        Parameters
        ----------
        machines : Matched
            The machines with completed facts.
        """
        for name, node in machines.nodes.items():
            own = {interface.name for _, interface in node.ports}
            for gone in [one for one in self._ports if one[0] == name and one[1] not in own]:
                del self._ports[gone]
            for _, interface in node.ports:
                before = self._ports.get((name, interface.name), _Port())
                cable = self.planned.cable_of.get((name, node.names[interface.name]))
                now = _state(node, interface, self._addresses(cable, name))
                if cable is not None:
                    yield from self._of_port(machines, node, interface, cable, before, now)
                self._ports[name, interface.name] = now

    def _of_port(
        self, machines: Matched, node: MatchedNode, interface: Interface,
        cable: Joined, before: _Port, now: _Port,
    ) -> Iterator[Deviation]:  # fmt: skip
        if not (before.has_carrier and now.has_carrier):
            return
        port = f"{node.name}:{node.names[interface.name]}"
        place = {"node": node.name, "nic": node.names[interface.name], "cable": cable.name}
        n_changes = (now.changes or 0) - (before.changes or 0)
        if before.changes is not None and now.changes is not None and n_changes >= PULLED:
            yield Deviation(
                kind="unsteady-cable",
                **place,
                reason=f"{port} lost its carrier and has it again since the last comparison",
                fix="check that both plugs are in; replace the cable if it happens again",
            )
            return
        other = next((end for end in cable.ends if end.node != node.name), None)
        if other is None or other.node in machines.silent or not before.by or now.by:
            return
        if before.by == "LLDP" and node.lacks("lldp"):
            now.by = before.by
        elif before.by == "LLDP" or self._fails(node, interface, cable, before, now):
            now.by, now.neighbours = before.by, {}
            yield _lost(place, port, other, before.by)
        else:
            now.by = before.by

    def _fails(
        self, node: MatchedNode, interface: Interface, cable: Joined, before: _Port, now: _Port
    ) -> bool:
        """Return whether the kernel asks for the other end of a cable in vain.

        Packets that go on to it let the kernel ask again and again.
        """
        has_failed = _is(FAILED, node, interface, self._addresses(cable, node.name))
        return has_failed or (before.is_asked_for and now.is_asked_for)

    def _addresses(self, cable: Joined | None, name: str) -> set[str]:
        """Return the addresses of the plan at the other end of a cable."""
        other = next((end for end in cable.ends if end.node != name), None) if cable else None
        node = self.planned.nodes.get(other.node) if other else None
        if node is None or other is None:
            return set()
        return {
            text.partition("/")[0]
            for one in node.interfaces
            if one.name == other.port
            for text in one.addresses
        }


def _with(machine: MachineFacts, more: Mapping[str, tuple[Neighbour, ...]]) -> MachineFacts:
    return replace(machine, neighbours=(*machine.neighbours, *more.get(machine.name, ())))


def _state(node: MatchedNode, interface: Interface, others: set[str]) -> _Port:
    """Return the present state of a port whose other end has some addresses."""
    heard = {
        one.dst: one
        for one in node.facts.neighbours
        if one.dev == interface.name and HEARD.intersection(one.state)
    }
    by_lldp = any(one.interface == interface.name for one in node.facts.lldp)
    by = "LLDP" if by_lldp else "its address" if others & heard.keys() else ""
    changes = interface.counters.get(CHANGES)
    is_asked_for = _is(ASKED_FOR, node, interface, others)
    return _Port(changes, heard, by, bool(interface.carrier), is_asked_for)


def _is(state: str, node: MatchedNode, interface: Interface, others: set[str]) -> bool:
    """Return whether the kernel has a state for the other end of a cable."""
    return any(
        one.dev == interface.name and one.dst in others and state in one.state
        for one in node.facts.neighbours
    )


def _lost(place: Mapping[str, str], port: str, other: Plug, by: str) -> Deviation:
    return Deviation(
        kind="lost-neighbour",
        node=place["node"],
        nic=place["nic"],
        cable=place["cable"],
        planned=other.text,
        found="no answer",
        reason=f"{port} has a carrier, and {other.text} does not answer any more by {by}",
        fix=f"look at {other.node}, and at what is between both ports",
    )
