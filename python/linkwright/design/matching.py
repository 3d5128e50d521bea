"""A maximum matching by preference: things get the places that they prefer, and give way to others
that would have none.

The method is that of augmenting paths (H. W. Kuhn, 1955), for a few dozen things.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

__all__ = ["matched"]

Place = TypeVar("Place", bound=Hashable)


def matched(wishes: Sequence[Sequence[Place]], room: Mapping[Place, int]) -> list[Place | None]:
    """Return the place of each thing, or None, so that as many as possible have one.

    Parameters
    ----------
    wishes : sequence of sequences
        The places that each thing may have, the preferred first. Earlier things choose before later
        ones, and keep some place.
    room : mapping
        Place -> number of things that it takes.

    Examples
    --------
    >>> matched(["ab", "a", "a"], {"a": 1, "b": 1})
    ['b', 'a', None]
    """
    held: dict[Place, list[int]] = {place: [] for place in room}

    def settle(thing: int, tried: set[Place]) -> bool:
        places = [place for place in wishes[thing] if place in held]
        for place in places:
            if len(held[place]) < room[place]:
                held[place].append(thing)
                return True
        for place in places:
            if place in tried:
                continue
            tried.add(place)
            for index, other in enumerate(held[place]):
                if settle(other, tried):
                    held[place][index] = thing
                    return True
        return False

    for thing in range(len(wishes)):
        settle(thing, set())
    place_of = {thing: place for place, things in held.items() for thing in things}
    return [place_of.get(thing) for thing in range(len(wishes))]
