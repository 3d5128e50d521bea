"""Names of other tools as names that a design accepts: one rule, applied in the order of the file.

A name that a design accepts stays. Of any other, in this order:

1. Of a full domain name, the first label is kept: `gpu1.example.org` is `gpu1`.
2. Letters of other alphabets become those of ASCII where that is usual: `Köln` is `Koeln`.
3. Every other run of characters becomes one hyphen: `gpu_box 3` is `gpu-box-3`.
4. A number gets the letters of its kind, n, sw or hub: `7` is `n7`.
5. A name longer than 63 characters is cut, and gets eight digits of its SHA-256.
6. A name that is taken gets a number: the second `gpu1` is `gpu1-2`.

Names of ports follow rules 2, 3, 5 and 6, with 15 characters on nodes and 32 on boxes; a name that
is too long first has two letters in front of its numbers: `GigabitEthernet0/0/1` is `Gi0-0-1`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace

from linkwright.design.importers.drawing import Drawing, DrawnCable, DrawnEnd
from linkwright.design.topologies.graph import is_device_name, is_nic_name, is_port_name
from linkwright.design.topologies.numbered import cable_names
from linkwright.errors import DesignError, shown

__all__ = ["Renaming", "named"]

_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS",
     "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l",
     "Ł": "L", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i"}
)  # fmt: skip
"""Letters that Unicode does not decompose into a letter of ASCII and a mark, or not as is usual."""
_DOMAIN = re.compile(r"([^.\s]+)(\.[^.\s]+)*\.[A-Za-z]{2,}")
_STEMS = {"node": "n", "switch": "sw", "router": "sw", "hub": "hub"}
_WITH_INTERFACES = ("node", "router")
_DIGEST = 8
_LENGTHS = {"device": 63, "nic": 15, "port": 32}
_ACCEPTED = {"device": is_device_name, "nic": is_nic_name, "port": is_port_name}


@dataclass(frozen=True)
class Renaming:
    """A device, or a port of one, that has another name in the design."""

    old: str
    new: str
    place: str
    device: str = ""
    """Name in the file of the device, for a port."""

    def __str__(self) -> str:
        of = f"{self.device}:" if self.device else ""
        return f"{self.place}: {shown(of + self.old)} is {self.new}"


def named(
    drawing: Drawing, given: Mapping[str, str], *, is_strict: bool = False
) -> tuple[Drawing, tuple[Renaming, ...]]:
    """Return a drawing with names that a design accepts, and the names that changed.

    Parameters
    ----------
    drawing : Drawing
        Devices and cables with the names of the file.
    given : mapping of str to str
        New names that the user gives, by DEVICE or DEVICE:PORT.
    is_strict : bool
        Whether names that the user does not give must stay.

    Raises
    ------
    DesignError
        If a name must stay and cannot, or a given name is wrong, unknown or taken.
    """
    devices = _Names("device", frozenset(cable_names(len(drawing.cables))))
    places = {name: one.place for name, one in drawing.devices.items()}
    devices.settle(places, given, lambda name: _device_name(name, drawing.kinds[name]), is_strict)
    ports = {name: _Names("nic" if kind in _WITH_INTERFACES else "port", ())
             for name, kind in drawing.kinds.items()}  # fmt: skip
    used: dict[str, dict[str, str]] = {name: {} for name in ports}
    for cable in drawing.cables:
        for end in cable.ends:
            if end.port:
                used[end.device].setdefault(end.port, cable.place)
    for name, own in ports.items():
        of_device = {
            port: given[f"{name}:{port}"] for port in used[name] if f"{name}:{port}" in given
        }
        own.settle(used[name], of_device, own.shortened, is_strict, f"{name}:")
    _check_known(given, devices.new, ports)
    return _applied(drawing, devices, ports), (
        *devices.renamings(places),
        *(one for name, own in ports.items() for one in own.renamings(used[name], name)),
    )


class _Names:
    """The names of all devices, or of the ports of one: what each is called in the design."""

    def __init__(self, what: str, reserved: Container[str]) -> None:
        self._what, self._reserved = what, reserved
        self._taken: set[str] = set()
        self.new: dict[str, str] = {}

    def settle(
        self,
        places: Mapping[str, str],
        given: Mapping[str, str],
        rule: Callable[[str], str],
        is_strict: bool,
        of: str = "",
    ) -> None:
        """Name everything: as given, else unchanged where that is accepted, else by a rule."""
        for old in (old for old in places if old in given):
            is_kept = given[old] in places and given[old] not in given
            if is_kept or not self._is_free(given[old]):
                raise DesignError(
                    f"{shown(given[old])} cannot be the name of {shown(of + old)}: it is taken or "
                    f"no name for a {self._what}",
                    "give another new name",
                )
            self._take(old, given[old])
        for old in places:
            if old not in self.new and self._is_free(old):
                self._take(old, old)
        for old in places:
            if old not in self.new and is_strict:
                raise DesignError(
                    f"{places[old]}: {shown(of + old)} is no name for a {self._what} of a design, "
                    "or taken",
                    "leave --rename away to name it by the rule, or give a new name in a file",
                )
            if old not in self.new:
                self._take(old, self._numbered(rule(old)))

    def shortened(self, name: str) -> str:
        """Return a name by the rule, without regard to others."""
        most = _LENGTHS[self._what]
        plain = _plain(name, "/" if self._what == "port" else "")
        if len(plain) > most and self._what != "device":
            plain = re.sub(r"^([A-Za-z]{2})[A-Za-z]+(?=.*\d)", r"\1", plain)
        if len(plain) > most:
            digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST]
            plain = f"{plain[: most - _DIGEST - 1].rstrip('-')}-{digest}"
        return plain or ("" if self._what == "device" else "p")

    def renamings(self, places: Mapping[str, str], device: str = "") -> list[Renaming]:
        """Return the names that changed, in the order of the file."""
        return [
            Renaming(old, self.new[old], places[old], device)
            for old in places
            if self.new[old] != old
        ]

    def _take(self, old: str, new: str) -> None:
        self.new[old] = new
        self._taken.add(new.lower())

    def _is_free(self, name: str) -> bool:
        accepted = _ACCEPTED[self._what](name) and name not in self._reserved
        return accepted and name.lower() not in self._taken

    def _numbered(self, name: str) -> str:
        """Return a name, with a number if it is taken."""
        most, number, found = _LENGTHS[self._what], 1, name
        while not self._is_free(found):
            number += 1
            end = f"-{number}"
            found = f"{name[: most - len(end)]}{end}"
        return found


def _device_name(name: str, kind: str) -> str:
    domain = _DOMAIN.fullmatch(name)
    plain = _Names("device", ()).shortened(domain[1] if domain else name)
    return plain if re.search("[A-Za-z]", plain) else f"{_STEMS[kind]}{plain}"


def _plain(name: str, kept: str) -> str:
    """Return a name in letters, digits and inner hyphens of ASCII, and `kept`."""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", name).translate(_LETTERS))
    letters = "".join(one for one in parts if not unicodedata.combining(one))
    return re.sub(rf"[^A-Za-z0-9{re.escape(kept)}]+", "-", letters).strip(f"-{kept}")


def _check_known(
    given: Mapping[str, str], devices: Container[str], ports: Mapping[str, _Names]
) -> None:
    for old in given:
        device, _, port = old.rpartition(":")
        if old not in devices and not (device in ports and port in ports[device].new):
            raise DesignError(
                f"there is no device or port {shown(old)} to rename",
                "write DEVICE or DEVICE:PORT as the graph has them",
            )


def _applied(drawing: Drawing, devices: _Names, ports: Mapping[str, _Names]) -> Drawing:
    def end(one: DrawnEnd) -> DrawnEnd:
        port = ports[one.device].new[one.port] if one.port else ""
        return replace(one, device=devices.new[one.device], port=port)

    def cable(one: DrawnCable) -> DrawnCable:
        return replace(one, a=end(one.a), b=end(one.b))

    return replace(
        drawing,
        devices={devices.new[name]: one for name, one in drawing.devices.items()},
        cables=tuple(map(cable, drawing.cables)),
    )
