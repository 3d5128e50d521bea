"""One change between two plans, and the comparison of two tables line by line.

A table has some lines about each thing; lines that are in both plans are no change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, str]
"""A line of a CSV table by column."""
Cells = tuple[str, ...]
"""Some of its cells."""
Lines = Mapping[Cells, Sequence[Cells]]
"""The lines of a table under the key of each thing."""


@dataclass(frozen=True)
class Change:
    """One change between an old and a new plan.

    Attributes
    ----------
    table : str
        The table it is in: devices, cables, interfaces, routes, hosts or bom.
    change : str
        Kind of change: add, remove or replace; rename for a device and move for a cable.
    device : str
        Device to change, by its name in the new plan; empty for a part to buy.
    what : str
        The thing that changes on that device.
    old, new : str
        Its old and new state; empty if there is none.
    """

    table: str
    change: str
    device: str
    what: str
    old: str
    new: str


def lines_by(rows: Iterable[Row], key: Sequence[str], cells: Sequence[str]) -> Lines:
    """Return some cells of each row, with other cells as key, in the order of the rows."""
    lines: dict[Cells, list[Cells]] = {}
    for row in rows:
        place = lines.setdefault(tuple(row[name] for name in key), [])
        place.append(tuple(row[name] for name in cells))
    return lines


def compare_lines(
    old: Lines, new: Lines, order: Callable[[Cells], Any]
) -> Iterator[tuple[Cells, Cells | None, Cells | None]]:
    """Yield each key with an old line and the new one in its place, None if there is none.

    Lines in both plans are left out. `order` gives the order of the keys.
    """
    for key in sorted({*old, *new}, key=order):
        before, after = old.get(key, ()), new.get(key, ())
        gone = [line for line in before if line not in after]
        come = [line for line in after if line not in before]
        for place in range(max(len(gone), len(come))):
            yield (
                key,
                gone[place] if place < len(gone) else None,
                come[place] if place < len(come) else None,
            )


def change_of(old: object | None, new: object | None) -> str:
    """Return the kind of change from an old line to a new one."""
    if old is None:
        return "add"
    return "remove" if new is None else "replace"
