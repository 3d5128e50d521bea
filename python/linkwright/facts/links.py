"""The interfaces: hardware address, MTU, state, master, kind, VLAN, speed, counters, PCI slot.

Drivers and offloads are in offloads.py.
"""

from __future__ import annotations

import re
from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, Files, whole

__all__ = ["LINKS"]

_SYSFS = "/sys/class/net/"
_ATTRIBUTES = ("speed", "duplex", "carrier_changes")
_PCI = ("uevent", "current_link_width", "max_link_width", "current_link_speed", "max_link_speed")
_PATH = re.compile(r"^PCI_SLOT_NAME=([0-9a-f:.]{1,20})$", re.MULTILINE)
_DRIVER = re.compile(r"^DRIVER=(\S{1,100})$", re.MULTILINE)
_RATE = re.compile(r"(\d{1,3}(\.\d{1,3})?) GT/s")
_BELOW = ("vlan", "macvlan", "ipvlan")
"""Kinds of interfaces whose `link` is the interface below; that of others is a peer."""


def read(answers: Answers) -> dict[str, Any]:
    """Return the interfaces of a machine, in the order of `ip link`."""
    sysfs = _by_interface({k: v for one in _ATTRIBUTES for k, v in answers.files(one).items()})
    slots = _by_interface({k: v for one in _PCI for k, v in answers.files(one).items()})
    interfaces = {}
    for link in answers.listed("ip link"):
        name = link.get("ifname")
        if isinstance(name, str):
            own = sysfs.get(name, {})
            slot = slots.get(name, {})
            interfaces[name] = {**_link(link, own), "driver": _driver(slot), "pci": _slot(slot)}
    return {"interfaces": interfaces}


def _link(link: dict[str, Any], sysfs: dict[str, str]) -> dict[str, Any]:
    """Return the keys of an interface."""
    info = _mapping(link.get("linkinfo"))
    kind, flags = info.get("info_kind"), link.get("flags")
    data = _mapping(info.get("info_data"))
    flags = flags if isinstance(flags, list) else []
    is_up = "UP" in flags
    return {
        "mac": link.get("address"),
        "kind": kind or link.get("link_type"),
        "permanent_mac": link.get("permaddr"),
        "speed_mbps": whole(sysfs.get("speed")),
        "duplex": sysfs.get("duplex") if sysfs.get("duplex") != "unknown" else None,
        "mtu": link.get("mtu"),
        "is_up": is_up,
        "carrier": "LOWER_UP" in flags if is_up else None,
        "master": link.get("master"),
        "parent": link.get("link") if kind in _BELOW else None,
        "vlan": data.get("id") if kind == "vlan" else None,
        "bond_mode": data.get("mode") if kind == "bond" else None,
        "has_stp": bool(data.get("stp_state")) if kind == "bridge" else None,
        "counters": _counters(link, sysfs),
    }


def _counters(link: dict[str, Any], sysfs: dict[str, str]) -> dict[str, int]:
    """Return frames, bytes and errors in both directions, and changes of the carrier."""
    found = {
        f"{direction}_{key}": whole(count)
        for direction in ("rx", "tx")
        for key, count in _mapping(_mapping(link.get("stats64")).get(direction)).items()
    }
    found["carrier_changes"] = whole(sysfs.get("carrier_changes"))
    return {key: count for key, count in found.items() if count is not None}


def _driver(slot: dict[str, str]) -> str | None:
    """Return the driver that the kernel names for a device; `ethtool` knows virtual ones too."""
    found = _DRIVER.search(slot.get("uevent", ""))
    return found[1] if found else None


def _slot(slot: dict[str, str]) -> dict[str, Any] | None:
    """Return the PCI slot of a NIC; None if it has none."""
    path = _PATH.search(slot.get("uevent", ""))
    if path is None:
        return None
    return {
        "path": path[1],
        "width": whole(slot.get("current_link_width")) or None,
        "most_width": whole(slot.get("max_link_width")) or None,
        "rate_gts": _rate(slot.get("current_link_speed", "")),
        "most_rate_gts": _rate(slot.get("max_link_speed", "")),
    }


def _rate(text: str) -> float | None:
    found = _RATE.match(text)
    return float(found[1]) if found else None


def _by_interface(files: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return the attributes of each interface by their names."""
    found: dict[str, dict[str, str]] = {}
    for path, value in files.items():
        name, _, attribute = path.removeprefix(_SYSFS).partition("/")
        found.setdefault(name, {})[attribute.rpartition("/")[2]] = value
    return found


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


LINKS = Fact(
    "interfaces",
    "Interfaces: hardware address, MTU, state, master, kind, VLAN, speed, counters, PCI slot.",
    {
        "ip link": Command(("ip", "-json", "-details", "-statistics", "link", "show")),
        **{one: Files(f"{_SYSFS}*/{one}") for one in _ATTRIBUTES},
        **{one: Files(f"{_SYSFS}*/device/{one}") for one in _PCI},
    },
    read,
)
