"""Names that are a stem and a number, for devices and cables that the design does not name."""

from __future__ import annotations

__all__ = ["cable_names", "numbered"]


def numbered(stem: str, n_members: int) -> tuple[str, ...]:
    """Return the stem with each number, all of equal width.

    Examples
    --------
    >>> numbered("sw", 11)[:2]
    ('sw00', 'sw01')
    """
    width = len(str(max(n_members - 1, 0)))
    return tuple(f"{stem}{number:0{width}}" for number in range(n_members))


def cable_names(n_cables: int) -> tuple[str, ...]:
    """Return the name of each cable, beginning with those that are not inside a stack."""
    return numbered("c", n_cables)
