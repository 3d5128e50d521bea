"""The measurements of a cluster: pings of all pairs, a stream per cable in both directions, and a
stream per node over a forwarded path.

They are listed before anything is sent, so that their number and time can be said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from linkwright.as_built.matched import Matched
from linkwright.as_built.planned import Planned
from linkwright.notebook import counted, listed
from linkwright.plan.exporters.network_plan import NetworkPlan

__all__ = ["OF_A_FILE", "Course", "Measures", "measures_of"]

MOST_PAIRS = 2_000
"""Pairs that are pinged."""
MOST_NAMES = 8
OF_A_FILE = "the facts come from a file"
MOST_FORWARDED = 32
"""Forwarded paths with a stream."""


@dataclass(frozen=True)
class Course:
    """A way from one node to another.

    Attributes
    ----------
    kind : str
        "cable", "forwarded" or "pair".
    source, target : str
        Nodes.
    source_address, target_address : str
    nic, target_nic : str
        Interfaces on both machines that must carry it; empty where the routes decide.
    place : str
        Name for people: the cable with its ports, or both nodes.
    mtu : int
        Longest packet, in bytes.
    cable : str
        Name of the cable between both, if it is one.
    """

    kind: str
    source: str
    target: str
    source_address: str
    target_address: str
    nic: str
    target_nic: str
    place: str
    mtu: int
    cable: str = ""


@dataclass(frozen=True)
class Measures:
    """The measurements, in their order.

    Attributes
    ----------
    pings, streams : tuple of Course
    left_out : tuple of str
        Sentences about those that are not made.
    """

    pings: tuple[Course, ...]
    streams: tuple[Course, ...]
    left_out: tuple[str, ...]

    def announcement(self, seconds: float) -> str:
        """Return the sentence that comes before the traffic."""
        n_cables = sum(one.kind == "cable" for one in self.streams)
        n_forwarded = len(self.streams) - n_cables
        pairs = counted(len(self.pings), "pair")
        if not seconds:
            return f"sending pings between {pairs}, on ports of the fabric only"
        return (
            f"sending pings between {pairs}, and {seconds:g} s of traffic over "
            f"{counted(n_cables, 'direction')} of cables and "
            f"{counted(n_forwarded, 'forwarded path')}, on ports of the fabric only: "
            f"{seconds * len(self.streams):g} s, and slow ones once more"
        )


def measures_of(planned: Planned, machines: Matched) -> Measures:
    """Return the measurements of the machines that answered."""
    found = _Fabric(planned, machines)
    pairs = list(found.pairs())
    left_out = []
    if len(pairs) > MOST_PAIRS:
        step = len(pairs) / MOST_PAIRS
        more = counted(len(pairs) - MOST_PAIRS, "pair")
        left_out.append(f"pings of {more}: {MOST_PAIRS:,} are enough")
        pairs = [pairs[int(number * step)] for number in range(MOST_PAIRS)]
    return Measures(
        tuple(pairs), (*found.cables(), *found.forwarded()), (*left_out, *found.left_out())
    )


class _Fabric:
    """Addresses that the plan gives and the machines have."""

    def __init__(self, planned: Planned, machines: Matched) -> None:
        self.planned, self.machines = planned, machines
        self.plan = NetworkPlan(planned.network)
        self.mtu = planned.network.mtu
        self.identity = {
            host.node: own
            for host in self.plan.hosts
            for own in host.identities[:1]
            if host.node in machines.nodes and own in self._addresses(host.node)
        }

    def pairs(self) -> Iterator[Course]:
        """Yield both nodes of each pair whose identities are there."""
        for a, b in combinations(self.identity, 2):
            yield self._between("pair", a, b)

    def cables(self) -> Iterator[Course]:
        """Yield both directions of each cable, and of each port of a switch to the next one."""
        on_place: dict[str, list[tuple[str, str]]] = {}
        for cable in self.planned.cables:
            ports = [(end.node, end.port) for end in cable.ends if not end.place]
            places = [end.place for end in cable.ends if end.place]
            if places:
                on_place.setdefault(places[0], []).extend(ports)
            else:
                yield from self._over(cable.name, ports[0], ports[1])
        for ports in on_place.values():
            for one, other in zip(ports, [*ports[1:], *ports[:1]], strict=True):
                name = self.planned.cable_of[one].name
                yield from list(self._over(name, one, other))[:1]

    def forwarded(self) -> Iterator[Course]:
        """Yield a path from each node to the first one that shares no segment with it."""
        segments = dict(
            zip((host.node for host in self.plan.hosts), self.plan.segments, strict=True)
        )
        n_found = 0
        for a in self.identity:
            far = (b for b in self.identity if b != a and not segments[a] & segments[b])
            b = next(far, None)
            if b is not None and n_found < MOST_FORWARDED:
                n_found += 1
                yield self._between("forwarded", a, b)

    def left_out(self) -> Iterator[str]:
        """Yield a sentence per reason for which nodes send nothing."""
        by_reason: dict[str, list[str]] = {}
        for node in self.planned.nodes:
            if node in self.machines.nodes and node in self.identity:
                continue
            if node in self.machines.nodes:
                reason = "without the address of the plan"
            elif node in self.machines.silent:
                is_file = self.machines.silent[node] == OF_A_FILE
                reason = OF_A_FILE if is_file else "the machine is not compared"
            else:
                reason = "it is no machine"
            by_reason.setdefault(reason, []).append(node)
        for reason, nodes in by_reason.items():
            yield f"{listed(nodes, MOST_NAMES)}: {reason}"

    def _between(self, kind: str, a: str, b: str) -> Course:
        place = f"{a} - {b}"
        return Course(kind, a, b, self.identity[a], self.identity[b], "", "", place, self.mtu)

    def _over(self, cable: str, a: tuple[str, str], b: tuple[str, str]) -> Iterator[Course]:
        for one, other in ((a, b), (b, a)):
            source, target = self._port_address(one), self._port_address(other)
            if source and target:
                nic, target_nic = (
                    self.machines.nodes[node].interfaces[name].name for node, name in (one, other)
                )
                place = f"{cable} ({':'.join(one)} - {':'.join(other)})"
                mtu = next(
                    each.mtu
                    for each in self.planned.nodes[one[0]].interfaces
                    if each.name == one[1]
                )
                yield Course(
                    "cable", one[0], other[0], source, target, nic, target_nic, place, mtu, cable
                )

    def _port_address(self, port: tuple[str, str]) -> str:
        """Return the planned address of a port that its machine has; empty for none."""
        node, name = port
        matched = self.machines.nodes.get(node)
        if matched is None or name not in matched.interfaces:
            return ""
        planned = next(one for one in self.planned.nodes[node].interfaces if one.name == name)
        there = {text.partition("/")[0] for text in matched.interfaces[name].addresses}
        own = (text.partition("/")[0] for text in planned.addresses)
        return next((text for text in own if text in there), "")

    def _addresses(self, node: str) -> set[str]:
        found: Mapping[str, object] = self.machines.nodes
        if node not in found:
            return set()
        facts = self.machines.nodes[node].facts
        return {text.partition("/")[0] for one in facts.interfaces for text in one.addresses}
