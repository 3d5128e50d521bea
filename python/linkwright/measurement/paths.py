"""The paths whose classes are measured: each cable, each plane, each twin, and paths over nodes
that forward, by their number of hops.

A path is planned: the nodes and interfaces that must carry it. Only machines that are up take part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from linkwright.plan.machine_names import nic_on_machine

if TYPE_CHECKING:
    from linkwright.measurement.machines import Site

__all__ = ["MOST_OF_CLASS", "Path", "paths_of"]

MOST_OF_CLASS = 64
"""Paths of a class that are measured."""
MOST_LONG = 4
"""Paths of each number of hops from three on."""
HOPS = ("", "one hop", "two hops", "three hops", "four hops")


Step = tuple[str, str, str]
"""A node, and its interfaces by which packets come and leave."""


@dataclass(frozen=True)
class Path:
    """A path between two nodes.

    Attributes
    ----------
    kind : str
        Its class: "one hop", "two hops", ..., or "through a switch".
    source, target : str
        Nodes.
    source_address, target_address : str
    there, back : tuple of tuple of str
        Each node on the way, with the interfaces of its machine by which packets come and leave;
        empty at the ends. Both directions may pass other nodes.
    place : str
        Name for people: the cable, the switch with both ports, or the nodes passed.
    twin : str
        Place among the cables between the same two nodes, as "1 of 2"; empty for one cable.
    """

    kind: str
    source: str
    target: str
    source_address: str
    target_address: str
    there: tuple[Step, ...]
    back: tuple[Step, ...]
    place: str
    twin: str = ""

    @property
    def legs(self) -> tuple[tuple[str, str], ...]:
        """Node and interface of each interface that carries it, in either direction."""
        found = [(node, nic) for node, *nics in (*self.there, *self.back) for nic in nics if nic]
        return tuple(dict.fromkeys(found))

    @property
    def forwarders(self) -> tuple[str, ...]:
        """Nodes that forward it, in either direction."""
        between = (*self.there[1:-1], *self.back[1:-1])
        return tuple(dict.fromkeys(node for node, _, _ in between))

    @property
    def parameters(self) -> dict[str, str]:
        """The columns that tell the path in rows."""
        twin = {"twin": self.twin} if self.twin else {}
        return {"path": self.kind, "place": self.place, **twin}


def paths_of(site: Site) -> tuple[Path, ...]:
    """Return the paths of a cluster that is up, class by class."""
    found = _Paths(site)
    cables, switches = list(found.cables()), list(found.switches())
    return (*_few(cables), *_few(switches), *found.forwarded())


def _few(paths: Sequence[Path]) -> Sequence[Path]:
    """Return some paths of a class, from all parts of the cluster."""
    step = max(1.0, len(paths) / MOST_OF_CLASS)
    return [paths[int(number * step)] for number in range(min(len(paths), MOST_OF_CLASS))]


class _Paths:
    """The ports and addresses that the plan gives and the machines have."""

    def __init__(self, site: Site) -> None:
        self.site, self.network = site, site.network
        self.up = [name for name in site.planned.nodes if name in site.fleet.agents]

    def cables(self) -> Iterator[Path]:
        """Yield each cable between two nodes."""
        joined: dict[frozenset[str], list[tuple[tuple[str, str], tuple[str, str], str]]] = {}
        for cable in self.site.planned.cables:
            if not any(end.place for end in cable.ends):
                a, b = ((end.node, end.port) for end in cable.ends)
                if self._address(a) and self._address(b):
                    joined.setdefault(frozenset((a[0], b[0])), []).append((a, b, cable.name))
        for twins in joined.values():
            for number, (a, b, name) in enumerate(twins, start=1):
                twin = f"{number} of {len(twins)}" if len(twins) > 1 else ""
                yield self._over("one hop", a, b, name, twin)

    def switches(self) -> Iterator[Path]:
        """Yield a path from each port of a hub or switch to the next one."""
        on_place: dict[str, list[tuple[str, str]]] = {}
        names: dict[str, str] = {}
        for cable in self.site.planned.cables:
            ports = [(end.node, end.port) for end in cable.ends if not end.place]
            for end in cable.ends:
                if end.place:
                    on_place.setdefault(end.place, []).extend(filter(self._address, ports))
                    names[end.place] = end.node
        for place, ports in on_place.items():
            following = [*ports[1:], *ports[:1]] if len(ports) > 2 else ports[1:]
            for a, b in zip(ports, following, strict=False):
                if a[0] != b[0]:
                    yield self._over("through a switch", a, b, names[place], "")

    def forwarded(self) -> Iterator[Path]:
        """Yield paths that nodes forward: each of these nodes, and each number of hops."""
        numbers = {name: self.site.planned.nodes[name].number for name in self.up}
        seen: set[str] = set()
        counts: dict[int, int] = {}
        for a, b in combinations(self.up, 2):
            path = self._forwarded(a, b, numbers)
            if path is None:
                continue
            n, is_new = len(path.forwarders), not seen.issuperset(path.forwarders)
            limit = MOST_OF_CLASS if n == 1 and is_new else MOST_LONG
            if counts.get(n, 0) < limit and (n > 1 or is_new):
                counts[n] = counts.get(n, 0) + 1
                seen.update(path.forwarders)
                yield path

    def _forwarded(self, a: str, b: str, numbers: dict[str, int]) -> Path | None:
        """Return the path between the addresses of two nodes, if nodes forward it."""
        there, back = (self._steps(*ends, numbers) for ends in ((a, b), (b, a)))
        if there is None or back is None or len(there) <= 2:
            return None
        passed = [node for node, _, _ in there]
        returned = [node for node, _, _ in back]
        is_same = passed == returned[::-1]
        return Path(
            kind=_hops(max(len(there), len(back)) - 1),
            source=a,
            target=b,
            source_address=self.site.fleet.places[a].address,
            target_address=self.site.fleet.places[b].address,
            there=there,
            back=back,
            place=" - ".join(passed if is_same else [*passed, *returned[1:]]),
        )

    def _steps(self, a: str, b: str, numbers: dict[str, int]) -> tuple[Step, ...] | None:
        """Return the way of packets from a node to the address of another, if all on it are up."""
        network = self.network
        steps = network.core.path(numbers[a], int(network.addresses.identity[numbers[b]]))
        found = tuple(
            (network.device_names[device], self._nic(device, came), self._nic(device, leaves))
            for device, came, leaves in steps
            if device < network.n_nodes and network.device_names[device] in self.up
        )
        n_nodes = sum(device < network.n_nodes for device, _, _ in steps)
        is_whole = len(found) == n_nodes and found[-1][0] == b
        return found if is_whole else None

    def _nic(self, device: int, port: int) -> str:
        if port < 0:
            return ""
        planned = nic_on_machine(self.network, device, port)
        return self._on_machine(self.network.device_names[device], planned)

    def _on_machine(self, node: str, planned: str) -> str:
        """Return the name that carries the traffic of a port: that of its bond, if it has one."""
        found = self.site.matched.nodes[node]
        one = next((each for each in found.plan.interfaces if each.name == planned), None)
        name = one.bond if one is not None and one.bond else planned
        return found.interfaces[name].name if name in found.interfaces else name

    def _over(
        self, kind: str, a: tuple[str, str], b: tuple[str, str], name: str, twin: str
    ) -> Path:
        one, other = (self._on_machine(*end) for end in (a, b))
        return Path(
            kind=kind,
            source=a[0],
            target=b[0],
            source_address=self._address(a),
            target_address=self._address(b),
            there=((a[0], "", one), (b[0], other, "")),
            back=((b[0], "", other), (a[0], one, "")),
            place=f"{name} ({':'.join(a)} - {':'.join(b)})",
            twin=twin,
        )

    def _address(self, port: tuple[str, str]) -> str:
        """Return the planned address of a port that its machine has; empty for none."""
        node, name = port
        found = self.site.matched.nodes.get(node)
        if found is None or node not in self.up or name not in found.interfaces:
            return ""
        planned = next(one for one in found.plan.interfaces if one.name == name)
        there = {text.partition("/")[0] for text in found.interfaces[name].addresses}
        own = (text.partition("/")[0] for text in planned.addresses)
        return next((text for text in own if text in there), "")


def _hops(n: int) -> str:
    return HOPS[n] if n < len(HOPS) else f"{n} hops"
