"""The system: name, kernel, serial number, and the programs that manage the network."""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, Files

__all__ = ["SYSTEM"]

MANAGERS = {
    "systemd-networkd": "networkd",
    "NetworkManager": "networkmanager",
    "networking": "ifupdown2",
}
"""Service -> the manager of the network that it is."""
INACTIVE = (3, 4)
"""Exit codes of `systemctl is-active` where a service is not, or is unknown."""
FILES = {
    "netplan": "/etc/netplan/*.yaml",
    "networkd": "/etc/systemd/network/*",
    "networkmanager": "/etc/NetworkManager/system-connections/*",
    "ifupdown2": "/etc/network/interfaces",
    "ifupdown2 parts": "/etc/network/interfaces.d/*",
}
"""Files of managers that a machine keeps its network in. Only their paths are facts."""


def read(answers: Answers) -> dict[str, Any]:
    """Return the system of a machine."""
    states = (answers.output("systemctl", codes={0, *INACTIVE}, is_optional=True) or "").split()
    files = (answers.given.get(key) for key in FILES)
    paths = sorted(path for one in files if isinstance(one, dict) for path in one)
    return {
        "hostname": (answers.output("uname -n") or "").strip() or None,
        "kernel": (answers.output("uname -r") or "").strip() or None,
        "serial": answers.file("serial number"),
        "managers": {**dict(zip(MANAGERS.values(), states, strict=False)), "files": paths},
    }


SYSTEM = Fact(
    "system",
    "Host name, kernel, serial number, and the managers of the network with their files.",
    {
        "uname -n": Command(("uname", "-n")),
        "uname -r": Command(("uname", "-r")),
        "serial number": Files("/sys/class/dmi/id/product_serial"),
        "systemctl": Command(("systemctl", "is-active", *MANAGERS)),
        **{key: Files(pattern) for key, pattern in FILES.items()},
    },
    read,
    needs_root="the serial number",
)
