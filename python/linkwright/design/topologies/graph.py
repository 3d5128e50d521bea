"""The names of a custom graph: devices, NICs and ends of cables, and the rules that they keep.

Names are those of the machines: host names, and names of interfaces that the kernel of Linux takes.
Both are written into scripts, files and paths of other programs, and are therefore plain.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import NamedTuple

from linkwright.design.document import Source
from linkwright.design.topologies.numbered import cable_names
from linkwright.errors import DesignError, shown, unknown_name

__all__ = [
    "End",
    "Graph",
    "is_device_name",
    "is_nic_name",
    "is_port_name",
    "mistakes",
]

FRONT_END = "fe"
"""Name of the front end."""

_HOST_NAME = re.compile(r"(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII | re.IGNORECASE)
"""A label of RFC 1123 with a letter: a number counts parts on the command line."""
_NIC_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}", re.ASCII)
"""At most 15 characters (IFNAMSIZ), without those that the kernel, a path or a shell reads."""
_PORT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,31}", re.ASCII)
_TAKEN = re.compile(r"lo|id0|all|default|bond\d+", re.ASCII)
"""Names of interfaces that the kernel or a plan gives to others."""
_TAKEN_HOSTS = frozenset({"localhost", FRONT_END})
_HOST_RULE = (
    "use letters, digits and inner hyphens, at least one letter and at most 63 characters, and "
    f"neither {' nor '.join(sorted(_TAKEN_HOSTS))}"
)
_NIC_RULE = (
    "use at most 15 letters, digits, '.', '_' and '-', and none of lo, id0, all, default, bond0"
)
_ANOTHER = "choose another name"


def is_device_name(text: str) -> bool:
    """Return whether a device can have a name."""
    return bool(_HOST_NAME.fullmatch(text)) and text.lower() not in _TAKEN_HOSTS


def is_nic_name(text: str) -> bool:
    """Return whether a NIC of a node can have a name."""
    return bool(_NIC_NAME.fullmatch(text)) and not _TAKEN.fullmatch(text)


def is_port_name(text: str) -> bool:
    """Return whether a port of a hub or a switch can have a name."""
    return bool(_PORT_NAME.fullmatch(text))


class End(NamedTuple):
    """An end of a cable."""

    device: str
    port: str


@dataclass(frozen=True)
class Graph:
    """Names of devices and NICs, and the ends of the cables as the design writes them."""

    nics: Mapping[str, tuple[str, ...]]
    """NICs of each node."""
    switches: tuple[str, ...]
    hubs: tuple[str, ...]
    cables: tuple[tuple[str, str], ...]
    routed: frozenset[str] = frozenset()
    """Switches that forward by routes: each of their ports is an interface."""

    @property
    def devices(self) -> tuple[str, ...]:
        """All devices in the order of their numbers: nodes, routed switches, the front end, then
        the other switches, and hubs.
        """
        nodes = [name for name in self.nics if name != FRONT_END]
        last = [FRONT_END] if FRONT_END in self.nics else []
        routed = [name for name in self.switches if name in self.routed]
        return (*nodes, *routed, *last, *self.bridges)

    @property
    def bridges(self) -> tuple[str, ...]:
        """Switches that do not route, then hubs."""
        return tuple(name for name in self.boxes if name not in self.routed)

    @property
    def host_of_front_end(self) -> str:
        """The device that a front end is plugged into: the first box, if possible one that does not
        route, or else the first node.
        """
        return next(iter((*self.bridges, *self.boxes, *self.nics)))

    @property
    def boxes(self) -> tuple[str, ...]:
        """Switches, then hubs."""
        return (*self.switches, *self.hubs)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of all devices."""
        return frozenset((*self.nics, *self.boxes))

    def with_front_end(self) -> Graph:
        """Return the graph with a front end on its host, a box or a NIC more of a node.

        Examples
        --------
        >>> pair = Graph({"a": ("eth0",), "b": ("x",)}, (), (), (("a:eth0", "b:x"),))
        >>> pair.with_front_end().cables[-1]
        ('fe:eth0', 'a:eth1')
        """
        nics = {**self.nics, FRONT_END: ("eth0",)}
        first = self.host_of_front_end
        if first in self.boxes:
            return replace(self, nics=nics, cables=(*self.cables, ("fe:eth0", first)))
        own = self.nics[first]
        free = next(nic for nic in (f"eth{k}" for k in range(len(own) + 1)) if nic not in own)
        nics[first] = (*own, free)
        return replace(self, nics=nics, cables=(*self.cables, ("fe:eth0", f"{first}:{free}")))

    def ends(self) -> list[tuple[End, End]]:
        """Return both ends of each cable; ports of boxes without a name get the next free one,
        `p1`, `p2` and so on.
        """
        written = [(_end(a), _end(b)) for a, b in self.cables]
        taken = {end for ends in written for end in ends if end.port}
        free = {box: _free_ends(box, taken) for box in self.boxes}
        return [
            (a if a.port else next(free[a.device]), b if b.port else next(free[b.device]))
            for a, b in written
        ]

    def plugged(self) -> dict[str, tuple[str, ...]]:
        """Return the ports with a cable of each device, by number: those of a node in the order of
        its NICs, those of a box in the order of the cables.
        """
        used: dict[str, list[str]] = {name: [] for name in self.devices}
        for ends in self.ends():
            for end in ends:
                used[end.device].append(end.port)
        for name, own in self.nics.items():
            used[name].sort(key=own.index)
        return {name: tuple(ports) for name, ports in used.items()}


def _free_ends(box: str, taken: Container[End]) -> Iterator[End]:
    """Yield the ends `p1`, `p2` and so on of a box, without those that the design names."""
    ends = (End(box, f"p{number}") for number in count(1))
    return (end for end in ends if end not in taken)


def mistakes(graph: Graph, source: Source | None = None) -> Iterator[DesignError]:
    """Yield the rules that a graph breaks, each with its line in the design file.

    Parameters
    ----------
    graph : Graph
        The names and cables.
    source : Source, optional
        The text of the design.
    """
    places = _Places(source)
    yield from _names(graph, places)
    ends: dict[End, int] = {}
    for number, cable in enumerate(graph.cables):
        for message, remedy in _wrong_cable(graph, number, ends):
            at = places.of("cables", number)
            yield DesignError(f"{at}cable {_shown(cable)}{message}", remedy)
    plugged = {_end(text).device for cable in graph.cables for text in cable}
    for name in graph.nics:
        if name not in plugged:
            yield DesignError(
                f"{places.of('nodes', name)}node {shown(name)} has no cable",
                "add a cable to one of its NICs, or leave the node out",
            )
    for name in graph.switches:
        if name in graph.routed and name not in plugged:
            yield DesignError(
                f"{places.of('switches', name)}routed switch {shown(name)} has no cable",
                "add a cable to one of its ports, or leave the switch out",
            )


def _wrong_cable(graph: Graph, number: int, taken: dict[End, int]) -> Iterator[tuple[str, str]]:
    """Yield the rules that a cable breaks and their remedies; `taken` has the cable of each end
    so far.
    """
    found = [_end(text) for text in graph.cables[number]]
    wrong = [mistake for end in found for mistake in _wrong_end(graph, end)]
    yield from wrong
    if not wrong and found[0].device == found[1].device:
        yield (
            f" connects {shown(found[0].device)} with itself",
            "name another device at one end",
        )
    for end in found:
        if end.port and taken.setdefault(end, number) != number:
            other = _shown(graph.cables[taken[end]])
            yield (
                f": port {shown(end.port)} of {shown(end.device)} has a cable already, {other}",
                "name another port, or leave out one of the cables",
            )


class _Places:
    """Where the keys of the section `topology` are in the file."""

    def __init__(self, source: Source | None) -> None:
        self._source = source

    def of(self, *keys: str | int) -> str:
        """Return the file and line of a key, with a colon; empty without a file."""
        return self._source.place("topology", *keys) if self._source else ""


def _end(text: str) -> End:
    device, _, port = text.partition(":")
    return End(device.strip(), port.strip())


def _shown(cable: tuple[str, str]) -> str:
    return shown(" - ".join(cable))


def _names(graph: Graph, places: _Places) -> Iterator[DesignError]:
    kinds = {"nodes": graph.nics, "switches": graph.switches, "hubs": graph.hubs}
    seen: set[str] = set()
    cables = frozenset(cable_names(len(graph.cables)))
    for kind, names in kinds.items():
        for name in names:
            for message, remedy in _wrong_name(name, kind, cables=cables, seen=seen):
                yield DesignError(f"{places.of(kind, name)}{message}", remedy)
            seen.add(name.lower())
    for node, nics in graph.nics.items():
        for nic in nics:
            if not is_nic_name(nic):
                at = places.of("nodes", node, "nics", nic)
                yield DesignError(
                    f"{at}node {shown(node)}: {shown(nic)} is no name of a NIC",
                    _NIC_RULE,
                )


def _wrong_name(
    name: str, kind: str, *, cables: Container[str], seen: Container[str]
) -> Iterator[tuple[str, str]]:
    if not is_device_name(name):
        yield f"{shown(name)} under '{kind}' is no host name", _HOST_RULE
    if name in cables:
        yield f"{shown(name)} under '{kind}' is the name of a cable in the plan", _ANOTHER
    if name.lower() in seen:
        yield f"the name {shown(name)} is given twice", "give each device its own name"


def _wrong_end(graph: Graph, end: End) -> Iterator[tuple[str, str]]:
    if end.device in graph.nics:
        nics = graph.nics[end.device]
        if end.port not in nics:
            rule = f"has no NIC {shown(end.port)}" if end.port else "has several ends"
            known = unknown_name(end.port, nics)
            remedy = known if end.port else f"write NODE:NIC; {known}"
            yield f": node {shown(end.device)} {rule}", remedy
    elif end.device in graph.names:
        if end.port and not is_port_name(end.port):
            yield (
                f": {shown(end.port)} is no name of a port of {shown(end.device)}",
                "use at most 32 letters, digits, '.', '_', '/' and '-', or name only the device",
            )
        elif end.port and end.device in graph.routed and not is_nic_name(end.port):
            yield (
                f": {shown(end.port)} is no name of an interface, as ports of routed switches are",
                f"{_NIC_RULE}, or name only the device",
            )
    else:
        yield (
            f": there is no device {shown(end.device)}",
            unknown_name(end.device, [*graph.nics, *graph.boxes]),
        )
