"""Rates of links as people write them: 25g, 100m."""

from __future__ import annotations

import re

from linkwright.errors import UsageError, shown

__all__ = ["mbps_of"]

_RATE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)([gm])", re.ASCII)


def mbps_of(text: str) -> float:
    """Return a rate in Mb/s.

    Raises
    ------
    UsageError
        If the text is not a rate.

    Examples
    --------
    >>> mbps_of("25g"), mbps_of("100m")
    (25000.0, 100.0)
    """
    found = _RATE.fullmatch(text.strip().lower())
    if found is None:
        raise UsageError(
            f"--rate: {shown(text)} is no rate", "give Gb/s as in 25g, or Mb/s as in 100m"
        )
    return float(found[1]) * (1000 if found[2] == "g" else 1)
