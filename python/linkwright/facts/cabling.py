"""The cables of a cluster, from the facts of its machines.

Evidence in this order: frames of the probe, LLDP, the peer of a USB4 link, then the hardware
addresses that bridges and neighbour tables know. A port with stronger evidence ignores weaker. A
neighbour may be behind a switch, so that ports of more than two interfaces that know each other are
one shared segment; two of them are a likely cable. Entries that an administrator wrote, or that
have failed, say nothing, and the kernel forgets the others when a link loses its carrier.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwright.facts.cluster import ClusterFacts
    from linkwright.facts.machine import MachineFacts, Usb4

__all__ = ["SHARED", "End", "FoundCable", "cables_of", "is_port"]

End = tuple[str, str]
"""Machine and interface; a switch that LLDP names, and its port."""
HEARD = frozenset({"REACHABLE", "STALE", "DELAY", "PROBE"})
"""States of a neighbour that has answered since the link came up."""
SHARED = "shared"
"""Certainty of the ends of a segment with a hub or switch."""
CERTAINTIES = ("sure", "likely", SHARED)
"""From the surest one."""
MADE = frozenset({
    "bridge", "bond", "team", "vlan", "macvlan", "ipvlan", "vxlan", "dummy", "loopback", "tun",
    "wireguard", "ifb",
})  # fmt: skip
"""Kinds of interfaces that are no connectors."""


@dataclass(frozen=True)
class FoundCable:
    """A cable, or the interfaces of a shared segment.

    Attributes
    ----------
    ends : tuple of End
        Two ends of a cable, or all known ends of a shared segment, in order.
    evidence : str
        "probe", "lldp", "usb4", "forwarding" or "neighbours".
    certainty : str
        "sure"; "likely" if something unseen may be between both ends, or one of them was not
        heard; "shared" if a switch, hub or bridge is between them.
    """

    ends: tuple[End, ...]
    evidence: str
    certainty: str


def cables_of(facts: ClusterFacts) -> tuple[FoundCable, ...]:
    """Return the cables that the facts show, each once, in the order of their first ends."""
    found: list[FoundCable] = []
    known: set[End] = set()
    certainties = _certainties(facts)
    for evidence, certainty, groups in (
        ("probe", "sure", _joined(_probed(facts))),
        ("lldp", "sure", _joined(_told_by_lldp(facts))),
        ("usb4", "sure", _joined(_usb4_peers(facts))),
        ("forwarding", "likely", _joined(_known_to_bridges(facts))),
        ("neighbours", "likely", _joined(_known_neighbours(facts))),
    ):
        fresh = [
            kept for group in groups if len(kept := [end for end in group if end not in known]) > 1
        ]
        for group in fresh:
            how = certainty if len(group) == 2 else SHARED
            if evidence == "probe" and how == "sure":
                how = max((certainties[end] for end in group), key=CERTAINTIES.index)
            found.append(FoundCable(tuple(sorted(group)), evidence, how))
        known |= {end for group in groups for end in group}
    return tuple(sorted(found, key=lambda one: one.ends))


def is_port(kind: str | None) -> bool:
    """Return whether an interface of a kind is a connector of its machine."""
    return kind not in MADE


def _probed(facts: ClusterFacts) -> Iterator[tuple[End, End]]:
    """Yield the cables of the probe, each as pairs of ends; an end that its machine does not have
    is none. Two cables in one port are a shared segment.
    """
    for ends in _ends_of_probe(facts):
        yield from pairwise(ends)


def _certainties(facts: ClusterFacts) -> dict[End, str]:
    """Return the least certainty of the cables that the probe found at each end."""
    found: dict[End, str] = {}
    for cable in facts.cables:
        how = cable.certainty if cable.certainty in CERTAINTIES else "likely"
        for end in cable.ends:
            found[end] = max(found.get(end, "sure"), how, key=CERTAINTIES.index)
    return found


def _ends_of_probe(facts: ClusterFacts) -> Iterator[list[End]]:
    known = {one.name: {each.name for each in one.interfaces} for one in facts.machines}
    for cable in facts.cables:
        ends = dict.fromkeys(cable.ends)
        kept = [(name, nic) for name, nic in ends if nic in known.get(name, {nic})]
        if len(kept) > 1:
            yield kept


def _told_by_lldp(facts: ClusterFacts) -> Iterator[tuple[End, End]]:
    """Yield the cables that LLDP shows; it remembers neighbours after the carrier is lost."""
    of_mac, names = _macs(facts), _names(facts)
    dark = {
        (machine.name, one.name)
        for machine in facts.machines
        for one in machine.interfaces
        if one.carrier is False
    }
    for machine in facts.machines:
        for entry in machine.lldp:
            own = (machine.name, entry.interface)
            there, port = entry.neighbour or "", entry.port or ""
            opposite = of_mac.get((entry.mac or "").lower())
            other = names.get(there)
            if opposite is None and other is not None:
                has_port = any(one.name == port for one in other.interfaces)
                opposite = (other.name, port) if has_port else None
            elif opposite is None and there:
                opposite = (there, port)
            if opposite is not None and opposite != own and not {own, opposite} & dark:
                yield own, opposite


def _usb4_peers(facts: ClusterFacts) -> Iterator[tuple[End, End]]:
    """Yield links of USB4: both machines know the unique id of the other's router in its domain.

    Without ids, machines that name each other once are the ends of a cable.
    """
    router = {
        one.unique_id: (machine, _domain(one))
        for machine in facts.machines
        for one in machine.usb4
        if one.is_own and one.unique_id
    }
    names = _names(facts)
    to: dict[tuple[str, str], list[str]] = {}
    for machine in facts.machines:
        for link in machine.usb4:
            if link.is_own or not link.interface:
                continue
            there = router.get(link.unique_id or "")
            if there is not None:
                yield from _back(machine, link, *there)
            elif (other := names.get(link.name or "")) is not None:
                to.setdefault((machine.name, other.name), []).append(link.interface)
    for (a, b), ports in to.items():
        back = to.get((b, a), [])
        if len(ports) == len(back) == 1:
            yield (a, ports[0]), (b, back[0])


def _back(
    machine: MachineFacts, link: Usb4, other: MachineFacts, domain: str
) -> Iterator[tuple[End, End]]:
    """Yield the link as the other machine sees it, in the domain of its router."""
    own = {one.unique_id for one in machine.usb4 if one.is_own and _domain(one) == _domain(link)}
    for one in other.usb4:
        if not one.is_own and one.interface and _domain(one) == domain and one.unique_id in own:
            yield (machine.name, str(link.interface)), (other.name, one.interface)


def _domain(link: Usb4) -> str:
    return link.path.partition("-")[0]


def _known_to_bridges(facts: ClusterFacts) -> Iterator[tuple[End, End]]:
    of_mac = _macs(facts)
    for machine in facts.machines:
        ports = _ports(machine)
        for entry in machine.forwarding_database:
            opposite = of_mac.get(entry.mac.lower())
            if opposite and opposite[0] != machine.name and entry.interface in ports:
                yield (machine.name, entry.interface), opposite


def _known_neighbours(facts: ClusterFacts) -> Iterator[tuple[End, End]]:
    of_mac = _macs(facts)
    for machine in facts.machines:
        ports = _ports(machine)
        for entry in machine.neighbours:
            opposite = of_mac.get((entry.lladdr or "").lower())
            own = (machine.name, entry.dev or "")
            if opposite and opposite != own and own[1] in ports and HEARD.intersection(entry.state):
                yield own, opposite


def _ports(machine: MachineFacts) -> set[str]:
    """Return the names of the connectors of a machine."""
    return {one.name for one in machine.interfaces if is_port(one.kind)}


def _macs(facts: ClusterFacts) -> Mapping[str, End]:
    """Return the connector of each hardware address that one connector alone has."""
    ends: dict[str, list[End]] = {}
    for machine in facts.machines:
        for one in machine.interfaces:
            if one.mac and is_port(one.kind):
                ends.setdefault(one.mac.lower(), []).append((machine.name, one.name))
    return {mac: found[0] for mac, found in ends.items() if len(found) == 1}


def _names(facts: ClusterFacts) -> dict[str, MachineFacts]:
    """Return the machines by their own names, short names and names in the design."""
    found: dict[str, MachineFacts] = {}
    for machine in facts.machines:
        hostname = machine.hostname or machine.name
        for name in (hostname.partition(".")[0], hostname, machine.name):
            found[name] = machine
    return found


def _joined(pairs: Iterator[tuple[End, End]]) -> list[list[End]]:
    """Return the groups of ends that pairs join."""
    group: dict[End, list[End]] = {}
    for a, b in pairs:
        one, other = group.setdefault(a, [a]), group.setdefault(b, [b])
        if one is not other:
            one += other
            for end in other:
                group[end] = one
    return list({id(members): members for members in group.values()}.values())
