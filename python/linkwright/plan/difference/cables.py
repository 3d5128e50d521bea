"""The matching of cables of two plans: by their ends, since their names are only numbers.

A cable that keeps one end and has another device or port at the other one was moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linkwright.plan.difference.change import Change, Row
from linkwright.plan.difference.matching import Matching

_End = tuple[str, str]
_Ends = tuple[_End, _End]


def cable_changes(old: Sequence[Row], new: Sequence[Row], matching: Matching) -> Iterator[Change]:
    """Yield cables that are new, moved, of another kind or rate, or removed.

    Existing cables come in the order of the new plan, removed cables in that of the old.
    """
    before = {_sorted(_ends(row, matching)): row for row in old}
    gone = dict(before)
    come = []
    for row in new:
        ends = _ends(row, None)
        was = gone.pop(_sorted(ends), None)
        if was is None:
            come.append((row, ends))
        elif _sold_as(was) != _sold_as(row):
            yield Change("cables", "replace", ends[0][0], _text(ends), _sold_as(was), _sold_as(row))
    holder = {end: ends for ends in gone for end in ends}
    for row, ends in come:
        kept = next((holder[end] for end in ends if holder.get(end) in gone), None)
        old_text = "" if kept is None else _text(_ends(gone.pop(kept), matching))
        change = "add" if kept is None else "move"
        new_text = _text(ends) if kept is not None else _sold_as(row)
        yield Change("cables", change, ends[0][0], _text(ends), old_text, new_text)
    for row in gone.values():
        ends = _ends(row, matching)
        yield Change("cables", "remove", ends[0][0], _text(ends), _sold_as(row), "")


def _ends(row: Row, matching: Matching | None) -> _Ends:
    a, b = row["a_device"], row["b_device"]
    if matching is not None:
        a, b = matching.now[a], matching.now[b]
    return (a, row["a_port"]), (b, row["b_port"])


def _sorted(ends: _Ends) -> _Ends:
    return ends if ends[0] <= ends[1] else (ends[1], ends[0])


def _sold_as(row: Row) -> str:
    return f"{row['kind']} {row['rate_mbps']} Mb/s"


def _text(ends: _Ends) -> str:
    (a, a_port), (b, b_port) = ends
    return f"{a}:{a_port} - {b}:{b_port}"
