"""Hosts with the constants of a class of NICs.

The closed forms of a path move with them: each message waits once for an interrupt, and each
forward once more. A node that cuts packets itself forwards at the rate of its processor.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel

from linkwright.calibrations.changes import ORIGIN
from linkwright.calibrations.nics import NicClass
from linkwright.calibrations.stacks import merged

__all__ = ["with_nic"]

Hosts = TypeVar("Hosts", bound=BaseModel)

ONCE_A_MESSAGE = (("host", "interrupt", "us"), ("queues", "interrupt_hold_us", "value"))
"""Constants whose time every message takes once."""
PAYLOAD_BYTES = 1448
"""Payload of a frame of 1500 bytes with time stamps, for which the closed forms hold."""


def with_nic(hosts: Hosts, nic: NicClass, *, forwards: bool) -> Hosts:
    """Return hosts with the constants of a class of NICs, except those that a user has set."""
    table = hosts.model_dump(exclude_none=True)
    after = merged(table, _unset(nic, table, forwards=forwards))
    after["name"] = f"{table['name']} nic={nic.name}"
    if "path" in after:
        after["path"] = _moved(after["path"], table, after)
    return type(hosts).model_validate(after)


def _unset(nic: NicClass, table: dict[str, Any], *, forwards: bool) -> dict[str, Any]:
    """Return the constants of a class that no user has set, each with the class in its origin."""
    return {
        section: {
            name: constant | {"origin": f"NIC class {nic.name}: {constant['origin']}"}
            for name, constant in constants.items()
            if table[section].get(name, {}).get("origin") != ORIGIN
        }
        for section, constants in nic.constants(forwards=forwards).items()
    }


def _once_us(table: dict[str, Any]) -> float:
    """Return the time that a message takes once for the interrupt at its end."""
    return float(
        sum(table[section].get(name, {}).get(part, 0) for section, name, part in ONCE_A_MESSAGE)
    )


def _moved(path: dict[str, Any], before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the constants of a path between hosts whose other constants have changed."""
    more_us = _once_us(after) - _once_us(before)
    forward_us = after["host"]["forward"]["us"] - before["host"]["forward"]["us"]
    values = {name: constant["value"] for name, constant in path.items()}
    values["latency_us"] += more_us
    values["latency_per_forward_us"] += more_us + forward_us
    if after["queues"].get("tso_bytes", {}).get("value") == 0:
        slower = values["bandwidth_bytes_per_s"] - _forwarded_bytes_per_s(after["host"])
        lost = "bandwidth_per_forward_bytes_per_s"
        values[lost] = max(values[lost], slower)
    return {name: path[name] | {"value": round(value, 3)} for name, value in values.items()}


def _forwarded_bytes_per_s(host: dict[str, Any]) -> float:
    """Return the payload that a processor forwards in a second if it cuts merged packets again."""
    frame_us = host.get("receive_frame", {}).get("us", 0) + host["forward"]["us"]
    return PAYLOAD_BYTES * 1e6 / float(frame_us)
