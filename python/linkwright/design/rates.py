"""Rates of links as people write them, 25g or 100m, and as they read them, 25 Gb/s."""

from __future__ import annotations

import re

from linkwright.errors import UsageError, shown

__all__ = ["mbps_of", "rate_text"]

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


def rate_text(rate_mbps: float, digits: int = 6) -> str:
    """Return a rate with its unit; a measured one has fewer digits.

    Examples
    --------
    >>> rate_text(2500), rate_text(100), rate_text(9412.3, digits=3)
    ('2.5 Gb/s', '100 Mb/s', '9.41 Gb/s')
    """
    if rate_mbps >= 1000:
        return f"{rate_mbps / 1000:.{digits}g} Gb/s"
    return f"{rate_mbps:.{digits}g} Mb/s"
