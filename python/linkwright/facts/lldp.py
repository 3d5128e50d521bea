"""Neighbours that announce themselves by LLDP, as `lldpctl` says.

Its plain JSON has names as keys, and an object for one neighbour where several are a list; the form
`json0` has lists only.
"""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, objects

__all__ = ["LLDP"]


def read(answers: Answers) -> dict[str, Any]:
    """Return the neighbours of each interface."""
    if "unable to connect" in str(answers.given.get("lldpctl")):
        answers.miss("lldpd does not run", "start lldpd on all machines, or give --probe")
        return {"lldp": []}
    found = [
        _neighbour(interface)
        for part in objects(answers.json("lldpctl"), "lldp")
        for interface in objects(part, "interface")
    ]
    return {"lldp": found}


def _neighbour(interface: dict[str, Any]) -> dict[str, Any]:
    chassis, port = (next(iter(objects(interface, one)), {}) for one in ("chassis", "port"))
    (kind, identity), description = _typed(port, "id"), _typed(port, "descr")[1]
    mac = identity if kind == "mac" else None
    return {
        "interface": interface.get("name"),
        "neighbour": _typed(chassis, "name")[1],
        "port": identity if kind in ("ifname", "local") else description,
        "mac": mac,
    }


def _typed(part: dict[str, Any], key: str) -> tuple[Any, Any]:
    """Return type and value of the first entry of a key."""
    first = next(iter(objects(part, key)), {})
    return first.get("type"), first.get("value")


LLDP = Fact(
    "lldp",
    "Neighbours that announce themselves by LLDP.",
    {"lldpctl": Command(("lldpctl", "-f", "json0"), as_root=True)},
    read,
)
