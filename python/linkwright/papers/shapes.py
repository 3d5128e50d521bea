"""Figures of orders and shapes: pure numbers read from numbers that stand in a row.

Each takes labelled numbers in their order, such as throughputs by size, and returns one ratio.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

__all__ = [
    "Shape",
    "between",
    "first_over_largest_other",
    "first_over_second",
    "largest_fall",
    "largest_rise",
    "last_over_first",
    "spread_of",
]

Numbers = Mapping[str, float]
Shape = Callable[[Numbers], float]
"""Makes one figure of labelled numbers."""


def first_over_second(numbers: Numbers) -> float:
    """Return the first of two numbers over the second."""
    first, second = numbers.values()
    return first / second


def last_over_first(numbers: Numbers) -> float:
    """Return the last number over the first."""
    values = list(numbers.values())
    return values[-1] / values[0]


def first_over_largest_other(numbers: Numbers) -> float:
    """Return the first number over the largest of the others; above one where it is the best.

    Examples
    --------
    >>> first_over_largest_other({"8 KiB": 9.0, "4 KiB": 6.0, "16 KiB": 7.5})
    1.2
    """
    first, *others = numbers.values()
    return first / max(others)


def largest_fall(numbers: Numbers) -> float:
    """Return the part that is lost in the worst step from one number to the next, 0 for none.

    Examples
    --------
    >>> largest_fall({"1": 4.0, "2": 8.0, "3": 6.0, "4": 7.0})
    0.25
    """
    steps = itertools.pairwise(numbers.values())
    return max(0.0, *(1.0 - after / before for before, after in steps))


def largest_rise(numbers: Numbers) -> float:
    """Return the part that is gained in the best step from one number to the next, 0 for none."""
    steps = itertools.pairwise(numbers.values())
    return max(0.0, *(after / before - 1.0 for before, after in steps))


def spread_of(numbers: Numbers) -> float:
    """Return the largest number over the least."""
    return max(numbers.values()) / min(numbers.values())


def between(numbers: Numbers) -> float:
    """Return where the middle one of three stands: 0 at the first, 1 at the last.

    Examples
    --------
    >>> between({"switch": 180.0, "p-mesh": 230.0, "torus": 280.0})
    0.5
    """
    first, middle, last = numbers.values()
    return (middle - first) / (last - first)
