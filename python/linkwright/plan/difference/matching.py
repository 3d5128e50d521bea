"""The matching of devices of two plans.

If nodes have coordinates along the same number of axes in both plans, devices with coordinates
match by kind and coordinates: names count row-major and change when a row grows. All others match
by kind and name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from linkwright.plan.difference.change import Change, Row

_COMPARED = ("role", "part", "parent")
"""Columns that describe a device; `ports` follows from the cables."""


@dataclass(frozen=True)
class Matching:
    """Names of the devices of an old plan in a new one.

    Attributes
    ----------
    now : mapping of str to str
        Name of each old device in the new plan; a removed device keeps its name, with a mark if a
        new device has it.
    rank : mapping of str to int
        Position of each device in the order of the new plan, removed devices at the end.
    """

    now: Mapping[str, str]
    rank: Mapping[str, int]


def match_devices(old: Sequence[Row], new: Sequence[Row]) -> Matching:
    """Return which rows of two `devices.csv` describe the same device."""
    by_place = _n_axes(old) == _n_axes(new) > 0
    old_keys, new_keys = _keys(old, by_place=by_place), _keys(new, by_place=by_place)
    new_name = {key: row["device"] for key, row in zip(new_keys, new, strict=True)}
    taken = {"", *new_name.values()}
    now = {"": ""}
    for key, row in zip(old_keys, old, strict=True):
        name = row["device"]
        now[name] = new_name.get(key, f"{name} (old)" if name in taken else name)
    order = dict.fromkeys([*(row["device"] for row in new), *now.values()])
    return Matching(now, {device: rank for rank, device in enumerate(order)})


def device_changes(old: Sequence[Row], new: Sequence[Row], matching: Matching) -> Iterator[Change]:
    """Yield new, removed, renamed and replaced devices, in the order of the new plan."""
    before = {matching.now[row["device"]]: row for row in old}
    after = {row["device"]: row for row in new}
    for device in sorted({*before, *after}, key=lambda name: matching.rank[name]):
        was, is_now = before.get(device), after.get(device)
        if was is None:
            yield Change("devices", "add", device, "", "", _described(after[device]))
            continue
        if is_now is None:
            yield Change("devices", "remove", device, "", _described(was), "")
            continue
        if was["device"] != device:
            yield Change("devices", "rename", device, "name", was["device"], device)
        parent = matching.now[was["parent"]]
        for column in _COMPARED:
            value = parent if column == "parent" else was[column]
            if value != is_now[column]:
                yield Change("devices", "replace", device, column, value, is_now[column])


def _n_axes(rows: Sequence[Row]) -> int:
    """Return the number of axes of the nodes' coordinates."""
    return max(
        (len(row["coordinates"].split()) for row in rows if row["kind"] == "node"), default=0
    )


def _keys(rows: Sequence[Row], *, by_place: bool) -> list[tuple[str, ...]]:
    """Return the identifying cells of each device of a plan."""
    places = Counter((row["kind"], row["coordinates"]) for row in rows)
    return [
        (row["kind"], "at", row["coordinates"])
        if by_place and row["coordinates"] and places[row["kind"], row["coordinates"]] == 1
        else (row["kind"], "called", row["device"])
        for row in rows
    ]


def _described(row: Row) -> str:
    parent = f"in {row['parent']}" if row["parent"] else ""
    words = (row["kind"], row["role"], row["part"], parent)
    return " ".join(word for word in words if word)
