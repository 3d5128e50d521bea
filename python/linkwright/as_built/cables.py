"""The cabling of real machines against that of the plan: findings, and the moves that mend it.

Two interfaces that see each other are a cable. More of them, or two behind one switch of the plan,
are a segment: it is the hub or switch that most of its ports have in the plan. Between two planned
cables to one switch nothing is found, whichever of its ports they are in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from linkwright.as_built.checks.bridges import bridged_ports
from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched
from linkwright.as_built.moves import (
    Given,
    Joined,
    Move,
    Plug,
    assigned,
    in_order,
    is_exchange,
    moves_of,
)
from linkwright.as_built.planned import Planned
from linkwright.facts import ClusterFacts
from linkwright.facts.cabling import FoundCable, cables_of

__all__ = ["Cabling", "compare_cables"]

Port = tuple[str, str]
PROBE = "run `linkwright facts HOSTS --probe DESIGN -o facts.json` as root, which finds all cables"
SURE = "sure"


@dataclass(frozen=True, eq=False)
class Cabling:
    """The cabling as it is found.

    Attributes
    ----------
    given : tuple of Given
        Planned cables with found ones, and found cables that the plan does not have.
    unseen : tuple of Joined
        Planned cables that may be there, without evidence.
    left_out : tuple of Joined
        Planned cables at machines without facts.
    moves : tuple of Move
        The fewest moves that mend it, in their order.
    deviations : tuple of Deviation
    """

    given: tuple[Given, ...]
    unseen: tuple[Joined, ...]
    left_out: tuple[Joined, ...]
    moves: tuple[Move, ...]
    deviations: tuple[Deviation, ...]


def compare_cables(planned: Planned, machines: Matched, facts: ClusterFacts) -> Cabling:
    """Return the cabling that facts show, compared with the plan."""
    groups = _of_plan(planned, machines, cables_of(facts))
    found, mixed = _joined(planned, groups, {one.name for one in machines.strangers})
    seen = {key for cable in found for key in cable.keys}
    comparable = [cable for cable in planned.cables if _is_comparable(machines, cable, seen)]
    left_out = [cable for cable in planned.cables if cable not in comparable]
    unseen = [cable for cable in comparable if _may_be_there(machines, cable, seen)]
    expected = [cable for cable in comparable if cable not in unseen]
    given = assigned(found, expected)
    moves = in_order(moves_of(given))
    deviations = [
        *_unseen(unseen, bool(found)),
        *(one for each in given for one in _of_cable(planned, machines, each, moves)),
        *mixed,
    ]
    return Cabling(
        given=tuple(given),
        unseen=tuple(unseen),
        left_out=tuple(left_out),
        moves=tuple(moves),
        deviations=tuple(deviations),
    )


def _of_plan(
    planned: Planned, machines: Matched, found: Sequence[FoundCable]
) -> list[tuple[list[Port], list[Port], str]]:
    """Return the groups of ports that see each other, by the names of the plan: ports of nodes,
    then ports of switches that LLDP names; and how sure it is.

    What passes a bridge of a node is no evidence of cables.
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
        is_known = any(port in planned.cable_of for port in ports)
        is_extra = len(ports) == 2 and cable.certainty == SURE and _are_idle(machines, ports)
        is_right = {planned.cable_of[port] for port in ports if port in planned.cable_of}
        if has_bridge and cable.certainty != SURE and len(is_right) != 1:
            continue
        if is_known or is_extra:
            groups.append((ports, switches, cable.certainty))
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
    planned: Planned, groups: Sequence[tuple[list[Port], list[Port], str]], strangers: set[str]
) -> tuple[list[Joined], list[Deviation]]:
    """Return found cables, with switches as places, and the segments that are one by mistake."""
    found: list[Joined] = []
    mixed: list[Deviation] = []
    for number, (ports, switches, _) in enumerate(groups):
        segments = [planned.segment_of.get(port, "") for port in ports]
        if len(ports) == len(switches) == 1 and switches[0][0] in strangers:
            found.append(Joined((Plug(*ports[0]), Plug(*switches[0])), kind=_kind(planned, ports)))
            continue
        if len(ports) == 2 and not switches and not all(segments):
            found.append(Joined((Plug(*ports[0]), Plug(*ports[1])), kind=_kind(planned, ports)))
            continue
        whole = _whole_segments(planned, ports)
        if len(whole) > 1:
            mixed.append(_joined_segments(planned, whole, ports))
        best = Counter(one for one in segments if one).most_common(1)
        place = best[0][0] if best else f"unplanned {number}"
        name = _switch_of(planned, place) or (switches[0][0] if switches else _network_of(ports))
        for port, segment in zip(ports, segments, strict=True):
            own = segment if segment in whole else place
            label = _switch_of(planned, own) or name
            if port in planned.cable_of:
                found.append(
                    Joined((Plug(*port), Plug(label, "", own)), kind=_kind(planned, [port]))
                )
    return found, mixed


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


def _network_of(ports: Sequence[Port]) -> str:
    return f"the network of {ports[0][0]}:{ports[0][1]}"


def _joined_segments(planned: Planned, whole: set[str], ports: Sequence[Port]) -> Deviation:
    names = sorted(_switch_of(planned, one) for one in whole)
    return Deviation(
        kind="joined-segments",
        node=ports[0][0],
        nic=ports[0][1],
        planned=f"{', '.join(names)} are apart",
        found="one segment",
        reason=f"the segments of {', '.join(names)} are one: {len(ports)} ports see each other",
        fix="remove the cable between the switches, or set up their VLANs",
    )


def _is_comparable(machines: Matched, cable: Joined, seen: set[Port]) -> bool:
    """Return whether the machines of a cable have facts, or another machine saw the cable."""
    nodes = [end.node for end in cable.ends if not end.place]
    if all(node in machines.nodes for node in nodes):
        return True
    return cable.keys <= seen


def _may_be_there(machines: Matched, cable: Joined, seen: set[Port]) -> bool:
    """Return whether nothing is known of a cable, and its ports could have it."""
    ends = [end for end in cable.ends if not end.place]
    if any(end.key in seen for end in ends):
        return False
    return all(_carrier(machines, end) is not False for end in ends)


def _carrier(machines: Matched, end: Plug) -> bool | None:
    """Return whether a port has a carrier; None if it is not known."""
    node = machines.nodes.get(end.node)
    found = node.interfaces.get(end.port) if node else None
    if node is not None and found is None:
        return False
    return found.carrier if found is not None and found.is_up else None


def _unseen(cables: Sequence[Joined], has_others: bool) -> Iterator[Deviation]:
    if cables and not has_others:
        yield Deviation(
            kind="unseen-cable",
            reason=f"nothing in the facts says which cable is where: none of {len(cables)} cables "
            "could be compared",
            fix=PROBE,
        )
        return
    for cable in cables:
        end = next(end for end in cable.ends if not end.place)
        yield Deviation(
            kind="unseen-cable",
            node=end.node,
            nic=end.port,
            cable=cable.name,
            planned=_text(cable),
            reason=f"nothing in the facts says what {end.text} is cabled to",
            fix=PROBE,
        )


def _of_cable(
    planned: Planned, machines: Matched, given: Given, moves: Sequence[Move]
) -> Iterator[Deviation]:
    if given.is_in_place:
        return
    if given.planned is None:
        assert given.found is not None
        yield _extra(given.found)
    elif given.found is None:
        yield _missing(machines, given.planned)
    elif given.found.keys & given.planned.keys:
        yield _displaced(planned, given.found, given.planned, moves)
    else:
        remedy = _remedy(one for one in moves if one.cable == given.planned.name)
        yield replace(_missing(machines, given.planned), fix=remedy)
        yield replace(_extra(given.found), cable=given.planned.name, fix=remedy)


def _extra(found: Joined) -> Deviation:
    end = found.ends[0]
    return Deviation(
        kind="extra-cable",
        node=end.node,
        nic=end.port,
        found=_text(found),
        reason=f"a cable joins {found.ends[0].text} and {found.ends[1].text}, which the plan does "
        "not have",
        fix="unplug it",
    )


def _missing(machines: Matched, planned: Joined) -> Deviation:
    ends = [end for end in planned.ends if not end.place]
    dark = [end for end in ends if _carrier(machines, end) is False] or ends
    return Deviation(
        kind="missing-cable",
        node=dark[0].node,
        nic=dark[0].port,
        cable=planned.name,
        planned=_text(planned),
        found=", ".join(f"{end.text} without carrier" for end in dark),
        reason=f"cable {planned.name} between {planned.ends[0].text} and {planned.ends[1].text} is "
        "missing, broken, or in another port at both ends",
        fix=f"plug a cable into {planned.ends[0].text} and {planned.ends[1].text}",
    )


def _displaced(planned: Planned, found: Joined, cable: Joined, moves: Sequence[Move]) -> Deviation:
    own = [one for one in moves if one.cable == cable.name]
    ports = (own[0].leaves, own[0].enters, own[0].other)
    at = next((one for one in ports if one.key in planned.cable_of), own[0].leaves)
    return Deviation(
        kind="swapped-cable" if any(is_exchange(one, moves) for one in own) else "wrong-port",
        node=at.node,
        nic=at.port or None,
        cable=cable.name,
        planned=_text(cable),
        found=_text(found),
        reason=f"a cable joins {found.ends[0].text} and {found.ends[1].text} instead of "
        f"{cable.ends[0].text} and {cable.ends[1].text}",
        fix=_remedy(own),
    )


def _remedy(moves: Iterable[Move]) -> str:
    steps = (f"{one.leaves.text} to {one.enters.text}" for one in moves)
    return f"move a plug from {', and one from '.join(steps)}"


def _text(cable: Joined) -> str:
    return f"{cable.ends[0].text} - {cable.ends[1].text}"
