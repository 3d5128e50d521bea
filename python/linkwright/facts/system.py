"""The system: host name, kernel and serial number.

The serial number tells machines with equal names apart.
"""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Command, Fact, Files

__all__ = ["SYSTEM"]

_PLACEHOLDERS = ("", "none", "default string", "to be filled by o.e.m.", "system serial number")
"""Serial numbers of boards without one, in small letters."""


def read(answers: Answers) -> dict[str, Any]:
    """Return the system of a machine."""
    serial = (answers.file("serial number") or answers.file("device tree") or "").strip("\0 ")
    return {
        "hostname": (answers.output("uname -n") or "").strip() or None,
        "kernel": (answers.output("uname -r") or "").strip() or None,
        "serial": serial if serial.lower() not in _PLACEHOLDERS else None,
    }


SYSTEM = Fact(
    "system",
    "Host name, kernel and serial number.",
    {
        "uname -n": Command(("uname", "-n")),
        "uname -r": Command(("uname", "-r")),
        "serial number": Files("/sys/class/dmi/id/product_serial"),
        "device tree": Files("/sys/firmware/devicetree/base/serial-number"),
    },
    read,
    needs_root="the serial number",
)
