"""The interfaces: hardware address, MTU, state, master, kind, speed and PCI slot.

Drivers and offloads are in offloads.py.
"""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, Files

__all__ = ["LINKS"]

_SYSFS = "/sys/class/net/"
_ATTRIBUTES = ("speed", "duplex", "carrier", "carrier_changes")
_PCI = ("current_link_width", "max_link_width", "current_link_speed", "max_link_speed")


def read(answers: Answers) -> list[dict[str, Any]]:
    """Return the interfaces of a machine, in the order of `ip link`."""
    attributes = _by_interface({k: v for one in _ATTRIBUTES for k, v in answers.files(one).items()})
    pci = _by_interface({k: v for one in _PCI for k, v in answers.files(one).items()})
    links = []
    for link in answers.listed("ip link"):
        name = str(link.get("ifname", ""))
        own, info = attributes.get(name, {}), link.get("linkinfo")
        slot = pci.get(name, {})
        links.append(
            {
                "name": name,
                "mac": link.get("address"),
                "mtu": link.get("mtu"),
                "is_up": "UP" in _list(link.get("flags")),
                "has_carrier": "LOWER_UP" in _list(link.get("flags")),
                "master": link.get("master"),
                "kind": info.get("info_kind") if isinstance(info, dict) else None,
                "permanent_mac": link.get("permaddr"),
                "pci": link.get("parentdev") if link.get("parentbus") == "pci" else None,
                "speed_mbps": _positive(own.get("speed")),
                "duplex": own.get("duplex"),
                "carrier_changes": _positive(own.get("carrier_changes")),
                "pci_width": _positive(slot.get("current_link_width")),
                "pci_most_width": _positive(slot.get("max_link_width")),
                "pci_speed": slot.get("current_link_speed"),
                "pci_most_speed": slot.get("max_link_speed"),
            }
        )
    return links


def _by_interface(files: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return the attributes of each interface by their names."""
    found: dict[str, dict[str, str]] = {}
    for path, value in files.items():
        name, _, attribute = path.removeprefix(_SYSFS).partition("/")
        found.setdefault(name, {})[attribute.rpartition("/")[2]] = value
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _positive(value: Any) -> int | None:
    """Return a number; None for -1, which drivers say for unknown, and for what is no number."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


LINKS = Fact(
    "links",
    "Interfaces: hardware address, MTU, state, master, kind, speed, PCI slot and its width.",
    {
        "ip link": Command(("ip", "-json", "-details", "link", "show")),
        **{one: Files(f"{_SYSFS}*/{one}") for one in _ATTRIBUTES},
        **{one: Files(f"{_SYSFS}*/device/{one}") for one in _PCI},
    },
    read,
)
