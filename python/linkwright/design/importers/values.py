"""Values of cables that other tools write in many ways: rates and lengths.

A rate counts only with its unit: 10 may be Mb/s or Gb/s.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkwright.design.importers.sketch import Sketch

__all__ = ["first_of", "note_values", "rate_mbps", "rate_of"]

_RATE_KEYS = ("speed", "rate", "bandwidth", "capacity", "linkspeed", "link_speed")
_RATE = re.compile(
    r"([0-9]{1,15}(?:\.[0-9]{1,9})?) *([kMGT]?)(?:(bit|b)(?:ps|/s|/sec|e)?|e)?", re.I
)
_PLAIN_RATES = (
    ("rate_mbps", 1.0), ("speed_mbps", 1.0), ("speed_gbps", 1e3), ("linkspeedraw", 1e-6),
)  # fmt: skip
"""Keys of numbers, and their unit in Mb/s; the last is that of the Topology Zoo, in bit/s."""
_UNITS = {"": 1e-6, "k": 1e-3, "m": 1.0, "g": 1e3, "t": 1e6}
_LENGTH_KEYS = ("length", "length_m", "cable_length")
_NO_RATE = frozenset({"", "auto", "none", "unknown"})


def first_of(values: Mapping[str, str], keys: tuple[str, ...]) -> str:
    """Return the first of several values that is given, or an empty text."""
    return next((values[key] for key in keys if values.get(key)), "")


def rate_mbps(text: str) -> float | None:
    """Return a rate with its unit in Mb/s, or None if it has none or is no rate.

    Examples
    --------
    >>> rate_mbps("10G"), rate_mbps("2.5 Gbps"), rate_mbps("125MBps"), rate_mbps("10")
    (10000.0, 2500.0, 1000.0, None)
    """
    found = _RATE.fullmatch(text.strip())
    if not found or not (found[2] or found[3]):
        return None
    bits = 8 if found[3] == "B" and text.strip().endswith(("Bps", "B/s")) else 1
    rate = float(found[1]) * _UNITS[found[2].lower()] * bits
    return rate if 0 < rate < float("inf") else None


def rate_of(values: Mapping[str, str]) -> float | None:
    """Return the rate of a cable in Mb/s, or None if its values do not say one with its unit."""
    plain = {key.lower(): value for key, value in values.items()}
    for key, factor in _PLAIN_RATES:
        try:
            rate = float(plain.get(key, "")) * factor
        except ValueError:
            continue
        if 0 < rate < float("inf"):
            return rate
    return rate_mbps(first_of(plain, _RATE_KEYS) + plain.get("linkspeedunits", ""))


def note_values(values: Mapping[str, str], sketch: Sketch, line: int) -> None:
    """Remark the values of a cable that a design has no place for."""
    plain = {key.lower(): value for key, value in values.items()}
    given = first_of(plain, _RATE_KEYS)
    if given.strip().lower() not in _NO_RATE and rate_of(values) is None:
        sketch.leave_out("a rate without a unit", line, given.strip()[:20])
    length = first_of(plain, _LENGTH_KEYS)
    if length:
        sketch.leave_out("the length of a cable", line, length.strip()[:20])
