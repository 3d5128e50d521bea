"""Machines that are nodes of a network, each with the program of ranks running.

All are asked at the same time, and the first failure ends the work of the others.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pydantic import TypeAdapter

from linkwright.errors import RunError
from linkwright.hardware.agent_program import VERSION
from linkwright.hardware.answers import Counters, checked, expect_answer
from linkwright.hardware.program import program
from linkwright.machines import Machine
from linkwright.machines.agents import Agent, agents
from linkwright.threads import MOST_JOBS, threads

__all__ = ["Fleet", "Packet", "Place", "WrongPlaneError", "fleet_of"]

SHORT_S = 60.0
"""Time in which a machine answers, while nothing is played."""
COUNTERS: TypeAdapter[Counters] = TypeAdapter(Counters)
NAMES = TypeAdapter(list[str])
ANYTHING = TypeAdapter(Any)
Packet = tuple[str, str, str]
"""Source, destination, and the interface by which it came; empty for a packet of the node."""


class WrongPlaneError(RunError):
    """Packets between nodes would leave by an interface that is none of the plan."""

    def __init__(self, node: str, nic: str, other: str) -> None:
        self.evidence = (
            f"packets from {node} to {other} leave by {nic or 'no interface'}, which is not of the "
            "fabric"
        )
        super().__init__(
            f"wrong plane: {self.evidence}",
            f"load the routes of the plan on {node} (linkwright apply, or plan --for ip)",
        )
        self.node, self.nic = node, nic


@dataclass(frozen=True)
class Place:
    """A node that is up.

    Attributes
    ----------
    name : str
    machine : Machine
    address : str
        The address that its ranks use.
    nics : tuple of str
        Interfaces of the fabric.
    """

    name: str
    machine: Machine
    address: str
    nics: tuple[str, ...]


@dataclass(frozen=True)
class Fleet:
    """Nodes that are up, with their programs.

    Attributes
    ----------
    places : mapping of str to Place
        By the name of the node.
    agents : mapping of str to Agent
        By the name of the node.
    missing : mapping of str to str
        Reasons of nodes without a program.
    """

    places: Mapping[str, Place]
    agents: Mapping[str, Agent]
    missing: Mapping[str, str] = field(default_factory=dict)

    def with_addresses(self, addresses: Mapping[str, str]) -> Self:
        """Return the fleet with other addresses of some nodes."""
        moved = {
            name: replace(place, address=addresses.get(name, place.address))
            for name, place in self.places.items()
        }
        return replace(self, places=moved)

    def place(self, node: str) -> Place:
        """Return a node.

        Raises
        ------
        RunError
            If it is not up.
        """
        if node not in self.agents:
            reason = self.missing.get(node, "it is no machine of HOSTS")
            raise RunError(f"{node} cannot take part: {reason}", "name its machine in --hosts")
        return self.places[node]

    def ask(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Give nodes a command at the same time, and return their answers.

        Raises
        ------
        RunError
            If one does not answer in time.
        """
        return self._together(arguments, lambda agent, one: agent.ask(name, one, longest_s=SHORT_S))

    def work(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Do the same with a command that takes any time."""
        stop = threading.Event()

        def work(agent: Agent, argument: Any) -> Any:
            try:
                answer = agent.work(name, argument, stop)
            except RunError:
                stop.set()
                raise
            if isinstance(answer, dict) and "error" in answer:
                stop.set()
                checked(answer, ANYTHING, agent.machine.name)
            return answer

        return self._together(arguments, work)

    def counters(self, nodes: Sequence[str] | None = None) -> dict[str, Counters]:
        """Return the counters of nodes; default: all."""
        asked = dict.fromkeys(self.agents if nodes is None else nodes)
        return {
            node: checked(answer, COUNTERS, node)
            for node, answer in self.ask("counters", asked).items()
        }

    def expect_fabric(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Check that packets between pairs of nodes leave by interfaces of the plan.

        Raises
        ------
        WrongPlaneError
            If they do not.
        """
        asked: dict[str, list[Packet]] = {}
        for one, other in sorted({*pairs, *((b, a) for a, b in pairs)}):
            if one != other:
                ends = (self.place(one).address, self.place(other).address)
                asked.setdefault(one, []).append((*ends, ""))
        self.expect_routes(asked)

    def expect_routes(self, packets: Mapping[str, Sequence[Packet]]) -> None:
        """Check that nodes, all asked at the same time, send packets by interfaces of the plan.

        Parameters
        ----------
        packets : mapping of str to sequence of Packet
            Packets of each node.

        Raises
        ------
        WrongPlaneError
            If it does not.
        """
        own = {node: (*self.place(node).nics, "lo") for node in packets}
        names = {place.address: place.name for place in self.places.values()}
        answers = self.ask(
            "routes", {node: list(map(list, asked)) for node, asked in packets.items()}
        )
        for node, asked in packets.items():
            found = checked(answers[node], NAMES, node)
            expect_answer(len(found) == len(asked), node)
            for nic, (_, target, _) in zip(found, asked, strict=True):
                if nic not in own[node]:
                    shown_nic = nic if nic.isprintable() else "?"
                    raise WrongPlaneError(node, shown_nic, names.get(target, target))

    def _together(self, arguments: Mapping[str, Any], ask: Any) -> dict[str, Any]:
        with threads(min(max(len(arguments), 1), MOST_JOBS)) as pool:
            waiting = {
                node: pool.submit(ask, self.agents[node], one) for node, one in arguments.items()
            }
            failures = [one.exception() for one in waiting.values()]
            # The first reason, not that of machines which were left because of it.
            for failure in sorted(filter(None, failures), key=_is_of_others):
                raise failure
            return {node: one.result() for node, one in waiting.items()}


def _is_of_others(failure: BaseException) -> bool:
    return "not awaited any more" in str(failure)


@contextmanager
def fleet_of(places: Sequence[Place]) -> Iterator[Fleet]:
    """Provide nodes with their programs, which end with the block."""
    token = secrets.token_hex(8)
    given = {
        one.machine.name: {"version": VERSION, "token": token, "nics": list(one.nics)}
        for one in places
    }
    with agents([one.machine for one in places], program(), given) as (started, failed):
        yield Fleet(
            {one.name: one for one in places},
            {one.name: started[one.machine.name] for one in places if one.machine.name in started},
            {one.name: failed[one.machine.name] for one in places if one.machine.name in failed},
        )
