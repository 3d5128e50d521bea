"""The cabling of real machines against that of the plan: findings, and the moves that mend it.

Two interfaces that see each other are a cable. More of them, two that see each other through a
switch, or two behind one switch of the plan, are a segment: it is the hub or switch that most of
its ports have in the plan. Between two planned cables to one switch nothing is found, whichever of
its ports they are in. A cable of the plan with a switch in it is in its ports, and is a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

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
from linkwright.as_built.seen_cables import Port, is_segment, joins, seen_cables
from linkwright.facts import ClusterFacts
from linkwright.notebook import counted

__all__ = ["Cabling", "compare_cables"]

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
    found, mixed = seen_cables(planned, machines, facts)
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
            reason="nothing in the facts says which cable is where: "
            f"{counted(len(cables), 'cable')} could not be compared",
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
            planned=joins(cable),
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
        found=joins(found),
        reason=f"{_said(found)}, which the plan does not have",
        fix="unplug it" if not is_segment(found) else f"unplug the cable in {end.text}",
        certainty=found.certainty,
    )


def _said(found: Joined) -> str:
    """Return the observation of a found cable, or of a port in a segment, as a sentence."""
    a, b = (end.text for end in found.ends)
    seems = "" if found.certainty == SURE else " seems to be" if is_segment(found) else " seems to"
    if is_segment(found):
        return f"{a}{seems or ' is'} in {b}"
    return f"a cable{seems} join {a} and {b}" if seems else f"a cable joins {a} and {b}"


def _missing(machines: Matched, planned: Joined) -> Deviation:
    ends = [end for end in planned.ends if not end.place]
    dark = [end for end in ends if _carrier(machines, end) is False] or ends
    return Deviation(
        kind="missing-cable",
        node=dark[0].node,
        nic=dark[0].port,
        cable=planned.name,
        planned=joins(planned),
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
        planned=joins(cable),
        found=joins(found),
        reason=f"{_said(found)} instead of {_instead(found, cable)}",
        fix=_remedy(own),
        certainty=found.certainty,
    )


def _instead(found: Joined, cable: Joined) -> str:
    if is_segment(found):
        return f"being cabled to {_other_end(found, cable)}"
    return f"{cable.ends[0].text} and {cable.ends[1].text}"


def _other_end(found: Joined, cable: Joined) -> str:
    """Return the end of a planned cable that a found one does not have."""
    return next(end.text for end in cable.ends if end.key not in found.keys)


def _remedy(moves: Iterable[Move]) -> str:
    steps = (f"{one.leaves.text} to {one.enters.text}" for one in moves)
    return f"move a plug from {', and one from '.join(steps)}"
