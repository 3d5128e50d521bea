"""The fewest moves of plugs that turn the cables of a cluster into those of its plan.

Cables of one kind are interchangeable: a cable that joins the wrong ports may become any planned
one. Each found cable is given to a planned cable so that the fewest plugs change their port. The
number of plugs that differ between two cables is a metric on pairs of ports, from which follows
that cables already in place stay there in some best solution. Of the others, a cable with one plug
in place costs one move, and every further one two, so that a maximum matching over shared ports is
exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Given", "Joined", "Move", "Plug", "assigned", "in_order", "is_exchange", "moves_of"]


@dataclass(frozen=True, order=True)
class Plug:
    """A port with a plug in it.

    Attributes
    ----------
    node : str
        The node, hub or switch.
    port : str
        Name of the port; empty if it is not known.
    place : str
        Group of interchangeable ports, such as those of a switch, if two plugs in it are equal.
    """

    node: str
    port: str
    place: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Value that is equal for interchangeable ports."""
        return ("", self.place) if self.place else (self.node, self.port)

    @property
    def text(self) -> str:
        """The port as it is written on a label."""
        return f"{self.node}:{self.port}" if self.port else self.node


@dataclass(frozen=True)
class Joined:
    """A cable between two ports.

    Attributes
    ----------
    ends : tuple of Plug
        Both ends.
    name : str
        Name in the plan; empty for found cables.
    kind : str
        Kind of connector; only cables of one kind replace each other. Empty: any.
    certainty : str
        "sure", or "likely" for a found cable that other evidence could contradict.
    """

    ends: tuple[Plug, Plug]
    name: str = ""
    kind: str = ""
    certainty: str = "sure"

    @property
    def keys(self) -> frozenset[tuple[str, str]]:
        """Values of its ports."""
        return frozenset(end.key for end in self.ends)


@dataclass(frozen=True)
class Given:
    """A found cable and the planned one that it is, or becomes; one of them may be missing."""

    found: Joined | None
    planned: Joined | None

    @property
    def is_in_place(self) -> bool:
        """Whether nothing is to be done."""
        return bool(self.found and self.planned and self.found.keys == self.planned.keys)


@dataclass(frozen=True)
class Move:
    """A plug that is taken from one port to another.

    Attributes
    ----------
    cable : str
        Name of the planned cable that it becomes.
    leaves, enters : Plug
        Both ports.
    other : Plug
        Port of the cable's other plug before the moves, by which the cable is found.
    """

    cable: str
    leaves: Plug
    enters: Plug
    other: Plug

    def to_json(self) -> dict[str, str]:
        """Return the move as a JSON value; the port that the plug enters has its node before it if
        that is another one.
        """
        is_inside = self.leaves.node == self.enters.node
        return {
            "cable": self.cable,
            "node": self.leaves.node,
            "from_port": self.leaves.port,
            "to_port": self.enters.port if is_inside else self.enters.text,
            "other_end": self.other.text,
        }


def assigned(found: Sequence[Joined], planned: Sequence[Joined]) -> list[Given]:
    """Give each found cable to a planned one so that the fewest plugs move.

    Returns
    -------
    list of Given
        The planned cables in their order, then found cables that the plan does not need.
    """
    at = {cable.keys: number for number, cable in enumerate(planned)}
    of: dict[int, int] = {}
    for index, cable in enumerate(found):
        number = at.get(cable.keys)
        if number is not None and number not in of:
            of[number] = index
    taken = set(of.values())
    rest = [index for index in range(len(found)) if index not in taken]
    open_ = [number for number in range(len(planned)) if number not in of]
    of |= _sharing(found, planned, rest, open_)
    taken = set(of.values())
    rest = sorted(
        (index for index in rest if index not in taken), key=lambda index: not found[index].kind
    )
    for number in (one for one in open_ if one not in of):
        fitting = [index for index in rest if _fit(found[index], planned[number])]
        if fitting:
            of[number] = fitting[0]
            rest.remove(fitting[0])
    pairs = [
        Given(found[of[number]] if number in of else None, one)
        for number, one in enumerate(planned)
    ]
    return [*pairs, *(Given(found[index], None) for index in sorted(rest))]


def moves_of(given: Sequence[Given]) -> list[Move]:
    """Return the moves that turn found cables into the planned ones that they are given to, in an
    order in which ports are free if they can be.
    """
    moves = []
    for one in given:
        if one.found and one.planned and not one.is_in_place:
            moves += _moves(one.found, one.planned)
    return in_order(moves)


def in_order(moves: Sequence[Move]) -> list[Move]:
    """Return moves so that a plug enters a port after another has left it; moves in a circle follow
    each other, and begin with a plug that is held in the hand.
    """
    leaving = {one.leaves.key: one for one in moves}
    done: dict[int, Move] = {}
    for first in moves:
        chain = [first]
        while id(chain[-1]) not in done:
            after = leaving.get(chain[-1].enters.key)
            if after is None or any(after is one for one in chain):
                break
            chain.append(after)
        if is_exchange(first, moves):
            chain = [*chain[1:], chain[0]]  # held in the hand, while the others make room
        for one in reversed(chain):
            done.setdefault(id(one), one)
    return list(done.values())


def is_exchange(move: Move, moves: Sequence[Move]) -> bool:
    """Return whether a plug is one of several that take each other's ports in a circle."""
    entered, reached = {move.enters.key}, set[tuple[str, str]]()
    while entered - reached:
        reached |= entered
        entered = {one.enters.key for one in moves if one.leaves.key in reached}
    return move.leaves.key in reached


def _moves(found: Joined, planned: Joined) -> list[Move]:
    """Return the moves of the plugs of one cable: one or two."""
    wrong = [end for end in found.ends if end.key not in planned.keys]
    free = [end for end in planned.ends if end.key not in found.keys]
    if len(wrong) == 2 and _n_inside(wrong, free[::-1]) > _n_inside(wrong, free):
        free = free[::-1]
    return [
        Move(planned.name, end, target, found.ends[end == found.ends[0]])
        for end, target in zip(wrong, free, strict=True)
    ]


def _n_inside(ends: Sequence[Plug], targets: Sequence[Plug]) -> int:
    """Return the number of plugs that stay at their machine."""
    return sum(a.node == b.node for a, b in zip(ends, targets, strict=True))


def _sharing(
    found: Sequence[Joined], planned: Sequence[Joined], rest: list[int], open_: list[int]
) -> dict[int, int]:
    """Return a maximum matching of planned with found cables that share a port."""
    by_port: dict[tuple[str, str], list[int]] = {}
    for number in open_:
        for key in planned[number].keys:
            by_port.setdefault(key, []).append(number)

    def candidates(index: int) -> list[int]:
        numbers = dict.fromkeys(n for end in found[index].ends for n in by_port.get(end.key, ()))
        fitting = [number for number in numbers if _fit(found[index], planned[number])]
        return sorted(fitting, key=lambda number: (_strays(found[index], planned[number]), number))

    return _matching(rest, candidates)


def _strays(found: Joined, planned: Joined) -> bool:
    """Return whether the plug that moves leaves its machine."""
    return any(one.leaves.node != one.enters.node for one in _moves(found, planned))


def _matching(lefts: Sequence[int], candidates: Callable[[int], list[int]]) -> dict[int, int]:
    """Return a maximum matching, right to left, by augmenting paths."""
    of: dict[int, int] = {}
    choices = {left: candidates(left) for left in lefts}

    def place(left: int, tried: set[int]) -> bool:
        stack = [(left, iter(choices[left]))]
        path: list[tuple[int, int]] = []
        while stack:
            at, rest = stack[-1]
            right = next((one for one in rest if one not in tried), None)
            if right is None:
                stack.pop()
                if path:
                    path.pop()
                continue
            tried.add(right)
            path.append((right, at))
            if right not in of:
                of.update(path)
                return True
            stack.append((of[right], iter(choices[of[right]])))
        return False

    for left in lefts:
        place(left, set())
    return of


def _fit(found: Joined, planned: Joined) -> bool:
    """Return whether a found cable has the connectors of a planned one."""
    return not found.kind or not planned.kind or found.kind == planned.kind
