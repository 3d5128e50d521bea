"""The programs that manage the network: their services, files, interfaces and kept addresses.

An address that no file has is lost at the next boot. The files themselves stay on the machine,
since they may hold passwords of Wi-Fi; only addresses in them are facts.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from linkwright.facts.fact import ROOT, Answers, Command, Fact, Files

__all__ = ["MANAGERS"]

SERVICES = {
    "systemd-networkd": "networkd",
    "NetworkManager": "networkmanager",
    "networking": "ifupdown2",
    "dhcpcd": "dhcpcd",
    "connman": "connman",
    "frr": "frr",
    "docker": "docker",
}
"""Service -> its name among the managers."""
WITHOUT = (1, 3, 4)
"""Exit codes of `systemctl is-active` without systemd, or where a service does not run."""
NOT_RUNNING = (1, 8)
"""Exit codes of `nmcli` where NetworkManager does not run: 1 without a system bus."""
FILES = {
    "netplan": "/etc/netplan/*.yaml",
    "networkd": "/etc/systemd/network/*.network",
    "networkd of netplan": "/run/systemd/network/*.network",
    "networkmanager": "/etc/NetworkManager/system-connections/*",
    "ifupdown2": "/etc/network/interfaces",
    "ifupdown2 parts": "/etc/network/interfaces.d/*",
    "script of each boot": "/etc/linkwright/up.sh",
}
"""Files that the managers read, and the script that `linkwright apply --via ip` starts at boots."""
_ADDRESS = re.compile(r"(?<![\w.:])[0-9A-Fa-f.:]{3,45}(/\d{1,3})?(?![\w.:])")
_NETMASK = re.compile(r"^\s*address\s+(\S+)\s*\n\s*netmask\s+(\S+)", re.MULTILINE)


def read(answers: Answers) -> dict[str, Any]:
    """Return the managers of a machine."""
    states = (answers.output("systemctl", codes={0, *WITHOUT}, is_optional=True) or "").split()
    given = {key: answers.given.get(key) for key in FILES}
    paths = sorted(path for one in given.values() if isinstance(one, dict) for path in one)
    texts = [text for key in FILES for text in answers.files(key).values()]
    n_unread = len(paths) - len(texts)
    if n_unread:
        answers.miss(f"{n_unread} of {len(paths)} files of managers cannot be read", ROOT)
    return {
        "managers": {
            **dict(zip(SERVICES.values(), states, strict=False)),
            "files": paths,
            "configured_addresses": sorted(set(_addresses(texts))),
            "interfaces": _interfaces(answers),
        }
    }


def _addresses(texts: Iterable[str]) -> Iterator[str]:
    """Yield addresses with a prefix length, also those with a netmask in the next line."""
    for text in texts:
        lines = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))
        candidates = [found[0] for found in _ADDRESS.finditer(lines) if found[1]]
        candidates += [f"{address}/{mask}" for address, mask in _NETMASK.findall(lines)]
        for one in candidates:
            try:
                found = ipaddress.ip_interface(one)
            except ValueError:
                continue
            if found.network.network_address != found.ip or found.network.num_addresses <= 2:
                yield str(found)


def _interfaces(answers: Answers) -> dict[str, list[str]]:
    """Return the managers that say that they manage an interface, by its name."""
    numbers_by_path = answers.files("ifindex")
    names = {PurePosixPath(path).parent.name: one for path, one in numbers_by_path.items()}
    numbers = {
        path.rpartition("/")[2]
        for path, text in answers.files("networkd links").items()
        if re.search(r"^NETWORK_FILE=|^ADMIN_STATE=configur", text, re.MULTILINE)
    }
    managed = {name: ["networkd"] for name, number in names.items() if number in numbers}
    states = answers.output("nmcli", codes={0, *NOT_RUNNING}, is_optional=True)
    for line in (states or "").split("\n"):
        name, _, state = line.partition(":")
        if state.startswith(("connected", "connecting")) and "externally" not in state:
            managed.setdefault(name, []).append("networkmanager")
    return managed


MANAGERS = Fact(
    "managers",
    "Managers of the network: services, files, interfaces, and the addresses in their files.",
    {
        "systemctl": Command(("systemctl", "is-active", *SERVICES)),
        "nmcli": Command(("nmcli", "-t", "-f", "DEVICE,STATE", "device")),
        "ifindex": Files("/sys/class/net/*/ifindex"),
        "networkd links": Files("/run/systemd/netif/links/*"),
        **{key: Files(pattern) for key, pattern in FILES.items()},
    },
    read,
)
