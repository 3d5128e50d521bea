"""The dilations that are chosen or advised: 1, 2, 5, 10, 20, ..."""

from __future__ import annotations

__all__ = ["least_step"]

FIRST_DIGITS = (1.0, 2.0, 5.0)
MOST = 1e12


def least_step(needed: float) -> float:
    """Return the least dilation of 1, 2, 5, 10, 20, ... that is at least as large as needed."""
    scale = 1.0
    while scale < MOST:
        for digit in FIRST_DIGITS:
            if digit * scale >= needed:
                return digit * scale
        scale *= 10
    return scale
