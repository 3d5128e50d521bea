"""Durations on the command line, such as 60s or 2m."""

from __future__ import annotations

from linkwright.errors import UsageError

__all__ = ["duration_s"]

SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
"""Unit -> its seconds."""


def duration_s(option: str, text: str, least_s: float, most_s: float) -> float:
    """Return the seconds of the value of an option: 60s, 2m, 1h or a number of seconds.

    Raises
    ------
    UsageError
        If it is no duration from `least_s` to `most_s`.

    Examples
    --------
    >>> duration_s("--interval", "2m", 1, 3600), duration_s("--interval", "0.5", 0, 1)
    (120.0, 0.5)
    """
    number, unit = (text[:-1], text[-1:]) if text[-1:] in SECONDS else (text, "s")
    try:
        found = float(number) * SECONDS[unit]
    except ValueError:
        found = -1.0
    if not least_s <= found <= most_s:
        raise UsageError(
            f"{option} {text} is no time from {least_s:g} s to {most_s / 60:g} min",
            "give it as 60s or 2m",
        )
    return found
