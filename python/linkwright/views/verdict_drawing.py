"""The drawing of real machines beside their plan: wrong cables in red, moves with their numbers.

A planned cable that is not there is dashed; a found one that should not be there is a full line. A
plug leaves the port with the filled number, and enters that with the hollow one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from linkwright.as_built.planned import Planned
from linkwright.plan.finding import Severity
from linkwright.views.drawing import picture_of
from linkwright.views.drawing.picture import Badge, Box, Picture, Wire, bow, number
from linkwright.views.drawing.svg import BADGE_RADIUS, to_svg

if TYPE_CHECKING:
    from linkwright.as_built import Deviation, Move, Verdict
    from linkwright.as_built.moves import Joined, Plug
    from linkwright.network import Network
    from linkwright.views.verdict_state import State

__all__ = ["marks_of", "state_drawing", "verdict_drawing"]

DOUBTED = (
    "slow-cable", "half-duplex", "slow-slot", "unseen-cable", "unplanned-switch", "joined-segments",
)  # fmt: skip
"""Kinds of findings about cables that are in their ports."""
STEP = 2.3 * BADGE_RADIUS
"""Distance between badges."""
LOOP = 34.0
"""Reach of a cable between two ports of one device."""
BEND = 12.0
"""Height of the arc of a found cable, which keeps it apart from planned ones."""


def verdict_drawing(verdict: Verdict, problems: Mapping[str, Sequence[int]] | None = None) -> str:
    """Return the drawing as one `<svg>` element.

    Parameters
    ----------
    verdict : Verdict
    problems : mapping of str to sequence of int, optional
        Numbers of problems by the cable that has them, instead of moves.
    """
    picture = picture_of(verdict.network)
    numbers = Planned(verdict.network).numbers
    wrong = {
        numbers[one.planned.name]
        for one in verdict.cabling.given
        if one.planned is not None and not one.is_in_place
    }
    doubted = {
        numbers[one.cable]
        for one in verdict.findings
        if one.kind in DOUBTED and one.cable is not None and one.cable in numbers
    }
    picture.wires = [
        replace(wire, style=wire.style + _style(wire, wrong, doubted)) for wire in picture.wires
    ]
    picture.wires += _found_wires(verdict, picture)
    if problems is None:
        for step, move in enumerate(verdict.cabling.moves, 1):
            _add_badges(verdict, picture, step, move)
    else:
        _mark(picture, {numbers[one]: of for one, of in problems.items() if one in numbers})
    return to_svg(picture, verdict.answer)


def state_drawing(network: Network, state: State) -> str:
    """Return the drawing of a state whose found cables are not known: what has findings is marked.

    A plug leaves the node with the filled number, and enters that with the hollow one.
    """
    picture = picture_of(network)
    marks = marks_of(network, state.findings)
    styles = {"wrong": " absent", "doubted": " doubted"}
    picture.wires = [
        replace(wire, style=wire.style + styles.get(_worst(marks["cables"], wire.cables), ""))
        for wire in picture.wires
    ]
    for device, box in picture.boxes.items():
        mark = marks["nodes"].get(device)
        if mark:
            picture.boxes[device] = replace(box, style=f"{box.style} {mark}-node")
    names = network.device_names
    for step, move in enumerate(state.moves, 1):
        for text, style, verb in (
            (move.leaves, "badge leaves", "take the plug out of"),
            (move.enters, "badge enters", "plug it into"),
        ):
            node = text.partition(":")[0]
            place = picture.boxes.get(names.index(node)) if node in names else None
            if place is not None:
                x, y = _free_place(picture, place)
                title = f"move {step}: {verb} {text}"
                picture.badges.append(Badge(x, y, style, str(step), title))
    return to_svg(picture, state.answer)


def marks_of(network: Network, findings: Sequence[Deviation]) -> dict[str, dict[int, str]]:
    """Return the marks of cables and nodes with findings, by their numbers.

    "wrong" stands for an error and "doubted" for a warning; a node without an answer is "silent".
    """
    planned = Planned(network)
    cables: dict[int, str] = {}
    nodes: dict[int, str] = {}
    index = {name: number for number, name in enumerate(network.device_names)}
    for one in findings:
        mark = "wrong" if one.severity is Severity.ERROR else "doubted"
        cable = planned.cable_of.get((one.node or "", one.nic or ""))
        number = planned.numbers.get(one.cable or (cable.name if cable else ""))
        if number is not None:
            cables.setdefault(number, mark)
        elif one.node in index:
            silent = one.kind in ("missing-machine", "wrong-machine")
            nodes.setdefault(index[one.node], "silent" if silent else mark)
    return {"cables": cables, "nodes": nodes}


def _worst(marks: Mapping[int, str], cables: Sequence[int]) -> str:
    found = [marks[one] for one in cables if one in marks]
    return "wrong" if "wrong" in found else (found or [""])[0]


def _mark(picture: Picture, problems: Mapping[int, Sequence[int]]) -> None:
    """Draw cables with problems in red, with the number of the first problem between their ends."""
    for place, wire in enumerate(picture.wires):
        found = sorted({one for cable in wire.cables for one in problems.get(cable, ())})
        if found:
            style = wire.style if " absent" in wire.style else f"{wire.style} misplaced"
            picture.wires[place] = replace(wire, style=style)
            x, y = wire.middle
            title = f"problem {', '.join(map(str, found))}: {wire.title}"
            picture.badges.append(Badge(x, y, "badge leaves", str(found[0]), title))


def _style(wire: Wire, wrong: set[int], doubted: set[int]) -> str:
    if wrong & set(wire.cables):
        return " absent"
    return " doubted" if doubted & set(wire.cables) else ""


def _found_wires(verdict: Verdict, picture: Picture) -> Iterator[Wire]:
    """Yield found cables that are in other ports than planned ones, between known devices."""
    for one in verdict.cabling.given:
        if one.found is None or one.is_in_place:
            continue
        boxes = [_box(verdict, picture, end) for end in one.found.ends]
        a, b = boxes
        if a is not None and b is not None:
            path = bow((a.x, a.y), (b.x, b.y), BEND) if a is not b else _loop(a)
            yield Wire(path, "cable misplaced", _title(one.found), ())


def _title(found: Joined) -> str:
    return f"{found.ends[0].text} - {found.ends[1].text}: not of the plan"


def _loop(box: Box) -> str:
    """Return the path of a cable between two ports of one device."""
    _, top, right, _ = box.corners
    points = ((box.x, top - LOOP), (right + LOOP, box.y), (right, box.y))
    bent = " ".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{number(box.x)} {number(top)}C{bent}"


def _box(verdict: Verdict, picture: Picture, end: Plug) -> Box | None:
    names = verdict.network.device_names
    return picture.boxes.get(names.index(end.node)) if end.node in names else None


def _add_badges(verdict: Verdict, picture: Picture, step: int, move: Move) -> None:
    """Add the number of a move at the port that the plug leaves, and at the one that it enters."""
    for plug, style, verb in (
        (move.leaves, "badge leaves", "take the plug out of"),
        (move.enters, "badge enters", "plug it into"),
    ):
        box = _box(verdict, picture, plug)
        if box is not None:
            x, y = _free_place(picture, box)
            title = f"move {step}: {verb} {plug.text}"
            picture.badges.append(Badge(x, y, style, str(step), title))


def _free_place(picture: Picture, box: Box) -> tuple[float, float]:
    """Return a place at the edge of a box without another badge: above it, then below, from the
    left.
    """
    left, top, right, bottom = box.corners
    n_columns = max(2, int((right - left) / STEP) + 1)
    taken = {(round(one.x), round(one.y)) for one in picture.badges}
    row = 0
    while True:
        for y in (top - row * STEP, bottom + row * STEP):
            for column in range(n_columns):
                x = left + column * (right - left) / (n_columns - 1)
                if (round(x), round(y)) not in taken:
                    return x, y
        row += 1
