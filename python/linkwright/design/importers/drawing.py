"""A graph as another tool has it: names of devices with their kind, and cables between ports.

Nothing is checked here; the design that is made of it keeps the rules of names and ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from linkwright.errors import DesignError, shown

__all__ = ["KIND_KEYS", "Drawing", "DrawnCable", "kind_of"]

KIND_KEYS = ("kind", "type", "role", "device_role", "function")
"""Attributes in which other tools say what a device is."""
_SWITCHES = frozenset({"switch", "leaf", "spine", "core", "edge", "aggregation", "tor", "bridge"})


@dataclass(frozen=True)
class DrawnCable:
    """A cable; a port is empty where the file names none."""

    a: str
    a_port: str
    b: str
    b_port: str


@dataclass(frozen=True)
class Drawing:
    """Devices and cables in the order of the file."""

    cables: tuple[DrawnCable, ...]
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Kind of each device that the file names: node, switch or hub; the others are nodes."""

    @property
    def devices(self) -> dict[str, str]:
        """Kind of every device."""
        names = [name for cable in self.cables for name in (cable.a, cable.b)]
        return {**dict.fromkeys([*self.kinds, *names], "node"), **self.kinds}

    def with_kinds(self, switches: Iterable[str], hubs: Iterable[str]) -> Drawing:
        """Return the drawing with the devices that match patterns as switches and hubs.

        Raises
        ------
        DesignError
            If a pattern matches no device.

        Examples
        --------
        >>> pair = Drawing((DrawnCable("a", "", "leaf1", ""),))
        >>> pair.with_kinds(["leaf*"], []).devices
        {'a': 'node', 'leaf1': 'switch'}
        """
        kinds = self.devices
        for kind, patterns in (("switch", switches), ("hub", hubs)):
            for pattern in patterns:
                found = {name: kind for name in kinds if fnmatchcase(name, pattern)}
                if not found:
                    raise DesignError(
                        f"no device of the graph is named as {shown(pattern)}",
                        f"known: {', '.join(list(kinds)[:8])}",
                    )
                kinds |= found
        return Drawing(self.cables, kinds)


def kind_of(attributes: Mapping[str, str]) -> str | None:
    """Return the kind that the attributes of a device give, or None if they say nothing of it.

    Examples
    --------
    >>> kind_of({"function": "leaf"}), kind_of({"role": "compute"}), kind_of({})
    ('switch', 'node', None)
    """
    given = [attributes[key].strip().lower() for key in KIND_KEYS if attributes.get(key)]
    for word in given:
        if word in _SWITCHES or word.endswith("switch"):
            return "switch"
        if word in ("hub", "repeater"):
            return "hub"
    return "node" if given else None
