"""The files of a plan on a machine, each at its place with its owner and mode, and the choice of
the target that writes them.

Exporters return names that are places below `/`, but for the scripts of `ip`, which get a folder of
their own and a unit that runs them at each boot.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from linkwright.plan.exporters import EXPORTERS
from linkwright.plan.exporters.comments import header, text_of
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan

__all__ = ["KERNEL", "TARGETS", "chosen_target", "generated", "installed", "texts_of"]

KERNEL = "kernel"
"""Not a target: the kernel alone, until the next boot."""
TARGETS = ("networkd", "netplan", "networkmanager", "ifupdown2", "ip")
"""Targets that a machine keeps."""
SCRIPTS = "etc/linkwright/"
UNITS = "etc/systemd/system/"
WANTS = f"{UNITS}multi-user.target.wants/"
SERVICE = f"{UNITS}linkwright.service"
MADE = ("/etc/linkwright", "/etc/netplan", "/etc/systemd/system/", "/etc/systemd/network/")
"""Beginnings of folders that a plan may have to make."""
SECRET = ("etc/netplan/", "etc/NetworkManager/system-connections/")
"""Beginnings of files that their managers want readable for root alone."""
SERVICE_LINES = """
[Unit]
Description=Part of this machine in a network planned by linkwright
Wants=network-pre.target
After=network-pre.target systemd-sysctl.service
Before=network.target
ConditionPathExists=/etc/linkwright/up.sh

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /etc/linkwright/up.sh
# A NIC may come late.
Restart=on-failure
RestartSec=2

[Install]
WantedBy=multi-user.target"""


def chosen_target(looked: Mapping[str, Any]) -> str:
    """Return the target for the manager that a machine has, given its own answer.

    With several of them, it is the one that manages the interface of the connection.
    """
    found = looked["managers"]
    if not found["has_systemd"]:
        return KERNEL
    running = [one for one in TARGETS[1:] + TARGETS[:1] if one in found["running"]]
    usable = [one for one in running if one not in found["unready"]]
    preferred = [one for one in usable if one in found["of_connection"]]
    return next(iter([*preferred, *usable, "ip"]))


def installed(network: NetworkPlan, node: NodePlan, target: str) -> dict[str, Any]:
    """Return the value of each place of a target on a machine, folders included."""
    if not target:
        return {}
    found: dict[str, Any] = {}
    for name, text in texts_of(network, node, target).items():
        mode = 0o600 if name.startswith(SECRET) else 0o644
        found[f"/{name}"] = _file(text, mode)
    for name in list(found):
        if name.startswith(f"/{UNITS}"):
            found[f"/{WANTS}{PurePosixPath(name).name}"] = {"kind": "link", "target": name}
    for name in list(found):
        found |= {one: _folder() for one in _folders(name)}
    return dict(sorted(found.items()))


def texts_of(network: NetworkPlan, node: NodePlan, target: str) -> dict[str, str]:
    """Return the text of each file of a target, by its place below `/`."""
    texts = EXPORTERS[target].of_node(network, node)
    if target != "ip":
        return dict(texts)
    scripts = {f"{SCRIPTS}{name}": text for name, text in texts.items()}
    use = (
        "It runs at each boot; a unit is no manager, and sets nothing up again that others remove."
    )
    return scripts | {SERVICE: text_of([*header(network, node, use), *SERVICE_LINES.split("\n")])}


def _file(text: str, mode: int) -> dict[str, Any]:
    content = text.encode()
    return {
        "kind": "file",
        "mode": mode,
        "uid": 0,
        "gid": 0,
        "sha256": hashlib.sha256(content).hexdigest(),
        "content": base64.b64encode(content).decode(),
    }


def _folder() -> dict[str, Any]:
    return {"kind": "folder", "mode": 0o755, "uid": 0, "gid": 0}


def _folders(place: str) -> Iterator[str]:
    """Yield the folders of a place that may not be there."""
    for one in PurePosixPath(place).parents:
        if str(one).startswith(MADE):
            yield str(one)


def generated(node: NodePlan, target: str) -> Sequence[str]:
    """Return the places of files that a manager, or a script, writes for the files of a plan."""
    if target == "ip":
        return ["/run/linkwright.undo"]
    if target != "netplan":
        return []
    return [
        f"/run/systemd/network/10-netplan-{one.name}.{suffix}"
        for one in node.interfaces
        if not one.is_identity
        for suffix in ("link", "netdev", "network")
    ]
