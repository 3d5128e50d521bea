"""A drawing in the making: a reader adds devices and cables as it finds them in its file.

A cable that the file lists twice is one cable: with the same ports at both ends, in both directions
of a directed graph, or again in a strict one. Cables from a device to itself and devices without a
cable are left out, with a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from linkwright.design.importers.drawing import Drawing, DrawnCable, DrawnDevice, DrawnEnd
from linkwright.design.topologies.custom import MOST_CUSTOM_CABLES
from linkwright.errors import DesignError

__all__ = ["Sketch", "label_or_id", "unique_names"]

_MADE = re.compile(r"(?:n|node|v)?\d+(?:::n?\d+)*", re.IGNORECASE)
"""Ids that an editor or a library makes."""
_MOST_TRIED = 256
"""Parallel edges in one direction that one in the other is held against."""
_MOST_LISTED = 5
"""Names that a remark lists; further ones are counted."""


class Sketch:
    """Devices, cables and remarks so far.

    Parameters
    ----------
    where : str
        Name of the file, for messages.
    is_directed : bool
        Whether an edge and one in the other direction are the same cable.
    is_strict : bool
        Whether a second edge between two devices is the same cable.
    """

    def __init__(self, where: str, *, is_directed: bool = False, is_strict: bool = False) -> None:
        self.where = where
        self._is_directed, self._is_strict = is_directed, is_strict
        self._devices: dict[str, DrawnDevice] = {}
        self._cables: list[DrawnCable] = []
        self._by_ends: dict[frozenset[tuple[str, str]], int] = {}
        self._one_way: dict[tuple[str, str], list[int]] = {}
        self._unkept: dict[str, list[str]] = {}
        self._owners: dict[str, tuple[str, str]] = {}

    def at(self, line: int) -> str:
        """Return the file and a line."""
        return f"{self.where}, line {line}"

    def wrong(self, line: int, rule: str, remedy: str) -> DesignError:
        """Return the error of a line."""
        return DesignError(f"{self.at(line)}: {rule}", remedy)

    def leave_out(self, what: str, line: int, name: str = "") -> None:
        """Remark that something of a line is left out, such as "the length of a cable"."""
        self._left_out(what, self.at(line), name)

    def _left_out(self, what: str, place: str, name: str) -> None:
        self._unkept.setdefault(what, []).append(f"{place}{f' ({name})' if name else ''}")

    def has(self, name: str) -> bool:
        """Return whether there is a device of that name."""
        return name in self._devices

    def device(self, name: str, line: int, kind: str = "") -> None:
        """Add a device, or give one its kind."""
        known = self._devices.setdefault(name, DrawnDevice(kind, self.at(line)))
        if kind and known.kind != kind:
            self._devices[name] = replace(known, kind=kind)

    def cable(self, a: DrawnEnd, b: DrawnEnd, line: int, rate_mbps: float | None = None) -> None:
        """Add a cable and the devices at its ends."""
        for end in (a, b):
            self.device(end.device, line)
        if a.device == b.device:
            self.leave_out("a cable from a device to itself", line, a.device)
            return
        cable = DrawnCable(self._checked(a, line), self._checked(b, line), rate_mbps, self.at(line))
        same = self._same(cable)
        if same is not None:
            self._cables[same] = _joined(self._cables[same], cable)
            return
        if len(self._cables) == MOST_CUSTOM_CABLES:
            raise self.wrong(
                line, f"more than {MOST_CUSTOM_CABLES:,} cables", "import a part of the graph"
            )
        self._remember(cable)
        self._cables.append(cable)

    def _checked(self, end: DrawnEnd, line: int) -> DrawnEnd:
        """Return an end with its hardware address in the usual form, if it is one of its own."""
        if not end.mac:
            return end
        digits = re.sub(r"[:.\- ]", "", end.mac.lower())
        owner = self._owners.setdefault(digits, (end.device, end.port))
        is_one = re.fullmatch(r"[0-9a-f]{12}", digits) and int(digits[1], 16) % 2 == 0
        if not is_one or not int(digits, 16) or owner != (end.device, end.port):
            self.leave_out("a hardware address that is none, or of two ports", line, end.mac[:20])
            return replace(end, mac="")
        return replace(end, mac=":".join(re.findall("..", digits)))

    def _same(self, cable: DrawnCable) -> int | None:
        """Return the number of the cable that another listing is of, if there is one."""
        number = self._by_ends.get(_ends(cable))
        if number is not None:
            return number
        if not self._is_directed:
            return None
        turned = self._one_way.get((cable.b.device, cable.a.device), [])
        for number in turned[:_MOST_TRIED]:
            known = self._cables[number]
            if _agree(known.a.port, cable.b.port) and _agree(known.b.port, cable.a.port):
                turned.remove(number)
                return number
        return None

    def _remember(self, cable: DrawnCable) -> None:
        """Note how a cable that comes next can be listed again."""
        number = len(self._cables)
        if self._is_strict or all(end.port for end in cable.ends):
            self._by_ends[_ends(cable)] = number
        if self._is_directed:
            self._one_way.setdefault((cable.a.device, cable.b.device), []).append(number)

    def drawing(self) -> Drawing:
        """Return the drawing.

        Raises
        ------
        DesignError
            If it has no cable.
        """
        if not self._cables:
            raise DesignError(f"{self.where} has no cable", "give a graph with cables")
        used = {end.device for cable in self._cables for end in cable.ends}
        for name, one in self._devices.items():
            if name not in used:
                self._left_out("a device without a cable", one.place, name)
        devices = {name: one for name, one in self._devices.items() if name in used}
        return Drawing(devices, tuple(self._cables), tuple(self._remarks()))

    def _remarks(self) -> Iterable[str]:
        for what, places in self._unkept.items():
            more = f" and {len(places) - _MOST_LISTED} more" if len(places) > _MOST_LISTED else ""
            yield f"left out {what}: {'; '.join(places[:_MOST_LISTED])}{more}"


def _ends(cable: DrawnCable) -> frozenset[tuple[str, str]]:
    return frozenset((end.device, end.port) for end in cable.ends)


def _agree(one: str, other: str) -> bool:
    return not one or not other or one == other


def _joined(known: DrawnCable, other: DrawnCable) -> DrawnCable:
    """Return a cable with all that both of its listings say."""
    c, d = other.ends if known.a.device == other.a.device else other.ends[::-1]
    ends = [
        replace(one, port=one.port or more.port, mac=one.mac or more.mac)
        for one, more in ((known.a, c), (known.b, d))
    ]
    rate = known.rate_mbps if known.rate_mbps is not None else other.rate_mbps
    return replace(known, a=ends[0], b=ends[1], rate_mbps=rate)


def label_or_id(identity: str, label: str, *, is_sure: bool = False) -> str:
    """Return the name of a device: its label if the id was made by an editor, or if it is sure that
    the user wrote the label; else its id.

    Examples
    --------
    >>> label_or_id("n0", "hestia"), label_or_id("leaf1", "Leaf 1"), label_or_id("n0", "n0 (left)")
    ('hestia', 'leaf1', 'n0')
    """
    is_made = _MADE.fullmatch(identity) and identity not in label.split()
    return label if label and (is_sure or is_made) else identity


def unique_names(labels: Mapping[str, str]) -> dict[str, str]:
    """Return a name for each id: its label, with a number if another id has the same.

    Examples
    --------
    >>> unique_names({"n0": "Wien", "n1": "Wien", "n2": ""})
    {'n0': 'Wien', 'n1': 'Wien 2', 'n2': 'n2'}
    """
    names: dict[str, str] = {}
    labelled, given = set(labels.values()), set[str]()
    for identity, label in labels.items():
        base = name = label or identity
        number = 1
        while name in given or (number > 1 and name in labelled):
            number += 1
            name = f"{base} {number}"
        given.add(name)
        names[identity] = name
    return names
