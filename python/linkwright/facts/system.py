"""The system: name, kernel, serial number, processors, and who manages the network."""

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
INACTIVE = 3
"""Exit code of `systemctl is-active` where a service is not."""


def read(answers: Answers) -> dict[str, Any]:
    """Return the system of a machine."""
    files = answers.files("serial number")
    states = (answers.output("systemctl", codes={0, INACTIVE}) or "").split()
    active = [
        manager
        for (service, manager), state in zip(MANAGERS.items(), states, strict=False)
        if state == "active"
    ]
    netplan = sorted(answers.files("netplan"))
    return {
        "hostname": (answers.output("hostname") or "").strip(),
        "kernel": (answers.output("uname") or "").strip(),
        "serial": next(iter(files.values()), None),
        "managers": [*active, *(["netplan"] if netplan else [])],
        "is_docker_host": bool(answers.files("docker")),
    }


SYSTEM = Fact(
    "system",
    "Host name, kernel, serial number, and the managers of the network.",
    {
        "hostname": Command(("hostname",)),
        "uname": Command(("uname", "-r")),
        "serial number": Files("/sys/class/dmi/id/product_serial"),
        "systemctl": Command(("systemctl", "is-active", *MANAGERS)),
        "netplan": Files("/etc/netplan/*.yaml"),
        "docker": Files("/sys/class/net/docker0/address"),
    },
    read,
    needs_root=True,
)
