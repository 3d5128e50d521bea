"""The type of progress reports of long work; the caller decides how to show them."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Report", "time_left"]

Report = Callable[[int, int, str], object]
"""Takes the number of finished steps, the number of known steps (0 if unknown), and a label."""


def time_left(share: float, passed_s: float) -> str:
    """Return the time left after a share of some work, for the end of a report.

    It is empty while too little is done to tell.

    Examples
    --------
    >>> time_left(0.5, 42.0), time_left(0.25, 200.0), time_left(0.001, 9.0), time_left(1.0, 9.0)
    (', 42 s left', ', 10 min left', '', '')
    """
    if not 0.01 <= share < 1:
        return ""
    left_s = passed_s * (1 - share) / share
    if left_s < 100:
        return f", {left_s:.0f} s left"
    return f", {left_s / 60:.0f} min left" if left_s < 6000 else f", {left_s / 3600:.1f} h left"
