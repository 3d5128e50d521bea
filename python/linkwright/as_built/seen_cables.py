"""The cables that facts show, by the names of the plan: cables between two ports, and the hub or
switch behind each port of a segment; and the segments that are one by mistake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkwright.as_built.checks.bridges import bridged_ports
from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched
from linkwright.as_built.moves import Joined, Plug
from linkwright.as_built.planned import Planned
from linkwright.facts import ClusterFacts
from linkwright.facts.cabling import FoundCable, cables_of
from linkwright.notebook import listed

__all__ = ["Port", "is_segment", "joins", "seen_cables"]

Port = tuple[str, str]
SURE, LIKELY, SHARED = "sure", "likely", "shared"
SEGMENT = "the segment of "
MOST_PORTS = 4
"""Ports that a sentence lists."""


@dataclass(frozen=True)
class _Group:
    """Ports that see each other: those of nodes by the names of the plan, then ports of switches
    that LLDP names; whether a switch is between them, and how sure that is.
    """

    ports: list[Port]
    switches: list[Port]
    is_shared: bool
    certainty: str

    def is_cable(self, planned: Planned) -> bool:
        """Return whether it is one cable between two nodes."""
        is_planned_segment = all(port in planned.segment_of for port in self.ports)
        is_pair = len(self.ports) == 2 and not self.switches
        return is_pair and not self.is_shared and not is_planned_segment


def seen_cables(
    planned: Planned, machines: Matched, facts: ClusterFacts
) -> tuple[list[Joined], list[Deviation]]:
    """Return the cables that facts show, and findings about segments."""
    groups = _of_plan(planned, machines, cables_of(facts))
    return _joined(planned, groups, {one.name for one in machines.strangers})


def is_segment(found: Joined) -> bool:
    """Return whether a found cable leads to a segment that the plan does not have."""
    return any(end.node.startswith(SEGMENT) for end in found.ends)


def joins(cable: Joined) -> str:
    """Return both ends of a cable as text."""
    return f"{cable.ends[0].text} - {cable.ends[1].text}"


def _of_plan(planned: Planned, machines: Matched, found: Sequence[FoundCable]) -> list[_Group]:
    """Return the groups of ports that see each other, as far as the plan knows one of them.

    Cables of machines that are mixed up, and frames that pass a bridge of a node, are no evidence.
    """
    has_bridge = bool(bridged_ports(machines))
    groups = []
    for cable in found:
        ports: list[Port] = []
        switches: list[Port] = []
        for machine, interface in cable.ends:
            own_name = machine if machine in planned.nodes else None
            node = machines.node_of.get(machine, own_name)
            if node is None:
                switches.append((machine, interface))
            else:
                of = machines.nodes.get(node)
                ports.append((node, of.names.get(interface, interface) if of else interface))
        if any(node in machines.mixed_up for node, _ in ports):
            continue
        is_known = any(port in planned.cable_of for port in ports)
        is_extra = len(ports) == 2 and cable.certainty == SURE and _are_idle(machines, ports)
        is_right = {planned.cable_of[port] for port in ports if port in planned.cable_of}
        if has_bridge and cable.certainty != SURE and len(is_right) != 1:
            continue
        if is_known or is_extra:
            is_sure = cable.certainty != LIKELY and cable.evidence in ("probe", "lldp", "usb4")
            is_shared = cable.certainty == SHARED
            groups.append(_Group(ports, switches, is_shared, SURE if is_sure else LIKELY))
    return groups


def _are_idle(machines: Matched, ports: Sequence[Port]) -> bool:
    """Return whether interfaces outside the plan have no addresses, so that nothing uses them."""
    addressed = {
        (node.name, one.name)
        for node in machines.nodes.values()
        for one in node.others
        if one.addresses or one.master
    }
    return not addressed & set(ports)


def _joined(
    planned: Planned, groups: Sequence[_Group], strangers: set[str]
) -> tuple[list[Joined], list[Deviation]]:
    """Return found cables, with switches as places, and the segments that are one by mistake."""
    found: list[Joined] = []
    mixed: list[Deviation] = []
    for number, group in enumerate(groups):
        ports, switches = group.ports, group.switches
        if len(ports) == len(switches) == 1 and switches[0][0] in strangers:
            found.append(_cable(planned, group, Plug(*ports[0]), Plug(*switches[0])))
        elif group.is_cable(planned):
            found.append(_cable(planned, group, Plug(*ports[0]), Plug(*ports[1])))
        else:
            whole = _whole_segments(planned, ports)
            if len(whole) > 1:
                mixed.append(_joined_segments(planned, whole, ports))
            through = _through_a_switch(planned, ports)
            found += through
            mixed += (_switched(planned, one, group) for one in through)
            found += _at_places(planned, group, whole, through, f"unplanned {number}")
    return found, mixed


def _cable(planned: Planned, group: _Group, a: Plug, b: Plug) -> Joined:
    ports = [(one.node, one.port) for one in (a, b)]
    return Joined((a, b), kind=_kind(planned, ports), certainty=group.certainty)


def _through_a_switch(planned: Planned, ports: Sequence[Port]) -> list[Joined]:
    """Return the cables of the plan from node to node both ends of which are in one segment."""
    cables = dict.fromkeys(planned.cable_of[port] for port in ports if port in planned.cable_of)
    there = {Plug(*port).key for port in ports}
    return [one for one in cables if not any(end.place for end in one.ends) and one.keys <= there]


def _switched(planned: Planned, cable: Joined, group: _Group) -> Deviation:
    """Return the finding about a cable of the plan that is a segment with a switch in it."""
    a, b = (end.text for end in cable.ends)
    others = [":".join(port) for port in group.ports if Plug(*port).key not in cable.keys]
    with_others = f", on one segment with {listed(others, MOST_PORTS)}" if others else ""
    return Deviation(
        kind="joined-segments" if others else "unplanned-switch",
        node=cable.ends[0].node,
        nic=cable.ends[0].port,
        cable=cable.name,
        planned=joins(cable),
        found=", ".join(":".join(port) for port in group.ports[:MOST_PORTS]),
        reason=f"a switch, hub or bridge is between {a} and {b}{with_others}; the plan has cable "
        f"{cable.name} there",
        fix=f"plug one cable into {a} and {b}, with nothing between them",
        certainty=group.certainty,
    )


def _at_places(
    planned: Planned, group: _Group, whole: set[str], through: Sequence[Joined], unplanned: str
) -> Iterator[Joined]:
    """Yield a cable from each port of a segment to its hub or switch."""
    done = {key for cable in through for key in cable.keys}
    segments = {port: planned.segment_of.get(port, "") for port in group.ports}
    best = Counter(one for one in segments.values() if one).most_common(1)
    place = best[0][0] if best else unplanned
    switch = group.switches[0][0] if group.switches else ""
    for port, segment in segments.items():
        if port not in planned.cable_of or Plug(*port).key in done:
            continue
        own = segment if segment in whole else place
        label = _switch_of(planned, own) or switch or _network_of(group.ports, port)
        yield _cable(planned, group, Plug(*port), Plug(label, "", own))


def _kind(planned: Planned, ports: Sequence[Port]) -> str:
    return next((planned.cable_of[port].kind for port in ports if port in planned.cable_of), "")


def _whole_segments(planned: Planned, ports: Sequence[Port]) -> set[str]:
    """Return the segments of the plan all of whose ports are among some."""
    members: dict[str, set[Port]] = {}
    for port, segment in planned.segment_of.items():
        members.setdefault(segment, set()).add(port)
    there = set(ports)
    return {segment for segment, all_of in members.items() if all_of <= there}


def _switch_of(planned: Planned, place: str) -> str:
    """Return the name of the first hub or switch of a segment."""
    return next(
        (end.node for cable in planned.cables for end in cable.ends if end.place == place), ""
    )


def _network_of(ports: Sequence[Port], port: Port) -> str:
    others = [":".join(one) for one in ports if one != port]
    return f"{SEGMENT}{listed(others, MOST_PORTS)}"


def _joined_segments(planned: Planned, whole: set[str], ports: Sequence[Port]) -> Deviation:
    names = sorted(_switch_of(planned, one) for one in whole)
    return Deviation(
        kind="joined-segments",
        node=ports[0][0],
        nic=ports[0][1],
        planned=f"{listed(names)} are apart",
        found="one segment",
        reason=f"the segments of {listed(names)} are one: {len(ports)} ports see each other",
        fix="remove the cable between the switches, or set up their VLANs",
    )
