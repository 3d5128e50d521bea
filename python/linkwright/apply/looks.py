"""Facts about a machine that decide whether it may be changed.

It runs by itself on the machine, in one program (`program.py`).
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any

from linkwright.apply.guard import guarded_places
from linkwright.apply.journal import BEFORE, saved
from linkwright.apply.managers import claims, managers, managing
from linkwright.apply.present import NET, call, has_filter, output


def look(given: dict[str, Any]) -> dict[str, Any]:
    """Return the facts about this machine that decide whether it may be changed."""
    if os.geteuid() != 0:
        return {"is_root": False}
    before = saved(BEFORE)
    management = below(of_connection())
    names = [found_name(one) for one in given["interfaces"]]
    lines = [line.split() for family in ("-4", "-6") for line in main_routes(family)]
    return {
        "is_root": True,
        "hostname": os.uname().nodename,
        "names": names,
        "managers": {**managers(), "of_connection": managing(management)},
        "claims": claims([one for one in names if one]),
        "management": sorted(management),
        "default": sorted(below(default_interfaces())),
        "routes": [words for words in lines if words and words[0] != "default"],
        "has_docker": has_filter("iptables", "filter", "-N", "DOCKER-USER"),
        "scope": before and without_guard(before["scope"]),
        "given": before["given"] if before else None,
        "kept": kept_places(before),
    }


def of_connection() -> set[str]:
    """Return the interfaces with the address that this connection has come to."""
    # Where sudo hides it, the first argument has it.
    words = (os.environ.get("SSH_CONNECTION") or "".join(sys.argv[1:2])).split()
    address = words[2].partition("%")[0] if len(words) > 2 else None
    listed = json.loads(output("ip", "-j", "address"))
    return {
        one["ifname"]
        for one in listed
        if any(each.get("local") == address for each in one.get("addr_info", []))
    }


def below(names: set[str]) -> set[str]:
    """Return interfaces, and those that bridges, bonds and VLANs among them are made of."""
    found = set(names)
    for name in names:
        lower = {one.name[len("lower_") :] for one in (NET / name).glob("lower_*")}
        found |= below(lower)
    return found


def main_routes(family: str) -> list[str]:
    """Return the lines of the main table of a family."""
    return output("ip", "-N", "-o", family, "route", "show").splitlines()


def default_interfaces() -> set[str]:
    """Return the interfaces with a default route, in any table."""
    found = set()
    for family in ("-4", "-6"):
        for line in output("ip", "-o", family, "route", "show", "table", "all").splitlines():
            words = line.split()
            if words[0] == "default":
                found |= {name for key, name in itertools.pairwise(words) if key == "dev"}
    return found


def found_name(one: dict[str, str]) -> str | None:
    """Return the interface with a hardware address, a place or a name; None if there is none."""
    there = [nic for nic in sorted(NET.iterdir()) if (nic / "address").exists()]
    nics = [nic for nic in there if not any(nic.glob("lower_*"))]
    if one["mac"]:
        has = (nic.name for nic in nics if (nic / "address").read_text().strip() == one["mac"])
        return next(has, None)
    if one["path"]:
        return next((nic.name for nic in nics if is_at(nic, one["path"])), None)
    return one["name"] if (NET / one["name"]).exists() else None


def is_at(nic: Path, place: str) -> bool:
    """Return whether a NIC is at a place of the machine."""
    about = call(["udevadm", "info", "--query=property", f"--path={nic}"]).stdout
    return f"ID_PATH={place}" in about.splitlines()


def without_guard(scope: dict[str, Any]) -> dict[str, Any]:
    """Return a scope without the places of the guard, which is no part of a plan."""
    guarded = guarded_places()
    return {**scope, "files": [one for one in scope.get("files", []) if one not in guarded]}


def kept_places(before: dict[str, Any] | None) -> list[str]:
    """Return the places that had something before the first plan."""
    values = before["state"].get("files", {}) if before else {}
    return [path for path, value in values.items() if value]
