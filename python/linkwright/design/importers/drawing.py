"""A graph as another tool has it: devices with their kind, and cables between ports.

Names are those of the file; naming.py makes names that a design accepts. `place` is the file and
line of each thing, for messages. Readers collect what they find in a Sketch (sketch.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from linkwright.errors import DesignError, shown

__all__ = ["KIND_KEYS", "Drawing", "DrawnCable", "DrawnDevice", "DrawnEnd", "kind_of"]

KIND_KEYS = ("kind", "role", "device_role", "function", "device_type", "type")
"""Attributes in which other tools say what a device is, most exact first."""
_SWITCHES = frozenset([
    "switch", "leaf", "spine", "superspine", "core", "edge", "aggregation", "tor", "exit", "bridge",
    "ovs-bridge", "access", "distribution",
])  # fmt: skip

_SWITCH_SYSTEMS = ("cumulus", "sonic")
"""Systems of switches, by which NVIDIA Air knows them."""


@dataclass(frozen=True)
class DrawnDevice:
    """A device."""

    kind: str = ""
    """Node, switch, hub, or router for a switch that routes; empty where the file does not say."""
    place: str = field(default="", compare=False)


@dataclass(frozen=True)
class DrawnEnd:
    """An end of a cable; port and hardware address are empty where the file names none."""

    device: str
    port: str = ""
    mac: str = ""


@dataclass(frozen=True)
class DrawnCable:
    """A cable, with its rate if the file has one."""

    a: DrawnEnd
    b: DrawnEnd
    rate_mbps: float | None = None
    place: str = field(default="", compare=False)

    @property
    def ends(self) -> tuple[DrawnEnd, DrawnEnd]:
        """Both ends."""
        return self.a, self.b


@dataclass(frozen=True)
class Drawing:
    """Devices and cables in the order of the file."""

    devices: Mapping[str, DrawnDevice]
    cables: tuple[DrawnCable, ...]
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """Things that were left out, a sentence each."""

    @property
    def kinds(self) -> dict[str, str]:
        """Kind of every device; those of which the file says nothing are nodes."""
        return {name: one.kind or "node" for name, one in self.devices.items()}

    def with_kinds(self, **patterns: Iterable[str]) -> Drawing:
        """Return the drawing with the kinds of the devices that match patterns.

        Parameters
        ----------
        **patterns : iterable of str
            Patterns of names by kind.

        Raises
        ------
        DesignError
            If a pattern matches no device.

        Examples
        --------
        >>> pair = Drawing({"a": DrawnDevice(), "leaf1": DrawnDevice()}, ())
        >>> pair.with_kinds(switch=["leaf*"]).kinds
        {'a': 'node', 'leaf1': 'switch'}
        """
        devices = dict(self.devices)
        for kind, of_kind in patterns.items():
            for pattern in of_kind:
                found = [name for name in devices if fnmatchcase(name, pattern)]
                if not found:
                    raise DesignError(
                        f"no device of the graph is named as {shown(pattern)}",
                        f"known: {', '.join(list(devices)[:8])}",
                    )
                devices |= {name: replace(devices[name], kind=kind) for name in found}
        return replace(self, devices=devices)


def kind_of(attributes: Mapping[str, str]) -> str:
    """Return the kind that the attributes of a device give; empty if they say nothing of it.

    Examples
    --------
    >>> kind_of({"function": "leaf"}), kind_of({"role": "compute"}), kind_of({"os": "sonic-vs"})
    ('switch', 'node', 'switch')
    """
    given = [attributes[key].strip().lower() for key in KIND_KEYS if attributes.get(key)]
    for word in given:
        if word in _SWITCHES or word.endswith("switch"):
            return "switch"
        if word in ("hub", "repeater"):
            return "hub"
        if word == "router":
            return "router"
    if given:
        return "node"
    return "switch" if attributes.get("os", "").lower().startswith(_SWITCH_SYSTEMS) else ""
