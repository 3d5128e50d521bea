"""USB4 and Thunderbolt: the routers of this machine, and the machines and devices behind cables.

The kernel names a machine behind a cable by its domain and route, such as 0-1, and this machine's
router by 0-0. Both know the router of the other by its unique id.
"""

from __future__ import annotations

import re
from typing import Any

from linkwright.facts.fact import Answers, Fact, Files, whole

__all__ = ["USB4"]

_BUS = "/sys/bus/thunderbolt/devices/"
_ATTRIBUTES = (
    "device_name", "vendor_name", "unique_id", "rx_speed", "rx_lanes", "tx_speed", "tx_lanes",
)  # fmt: skip
_SPEED = re.compile(r"(\d{1,3}(\.\d{1,3})?) Gb/s")
_NAME = re.compile(r"\d{1,3}-[0-9a-f]{1,16}")


def read(answers: Answers) -> dict[str, Any]:
    """Return routers and machines of all domains."""
    devices: dict[str, dict[str, str]] = {}
    for one in _ATTRIBUTES:
        for path, value in answers.files(one).items():
            name = path.removeprefix(_BUS).partition("/")[0]
            if _NAME.fullmatch(name):
                devices.setdefault(name, {})[one] = value
    interfaces = _interfaces(answers.files("net"))
    return {
        "usb4": [
            {
                "path": name,
                "is_own": name.endswith("-0"),
                "name": own.get("device_name"),
                "vendor": own.get("vendor_name"),
                "unique_id": own.get("unique_id"),
                "interface": interfaces.get(name),
                "rx_gbps": _rate(own, "rx"),
                "tx_gbps": _rate(own, "tx"),
            }
            for name, own in devices.items()
        ]
    }


def _interfaces(files: dict[str, str]) -> dict[str, str]:
    """Return the network interface of each machine behind a cable, from paths of its services."""
    parts = (path.removeprefix(_BUS).split("/") for path in files)
    return {part[0].partition(".")[0]: part[2] for part in parts if len(part) > 3}


def _rate(own: dict[str, str], direction: str) -> float | None:
    """Return the rate of all lanes of a direction in Gb/s."""
    speed, lanes = _SPEED.match(own.get(f"{direction}_speed", "")), own.get(f"{direction}_lanes")
    return float(speed[1]) * (whole(lanes) or 1) if speed else None


USB4 = Fact(
    "usb4",
    "Routers of USB4 and Thunderbolt, and machines behind cables with their rates.",
    {
        **{one: Files(f"{_BUS}*/{one}") for one in _ATTRIBUTES},
        "net": Files(f"{_BUS}*/net/*/address"),
    },
    read,
)
