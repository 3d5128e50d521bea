"""Reductions: pure functions that compute one number from several, by the names that claims use.

A row of `claims.toml` names one for each axis, such as `"max"`, or a table if the function has a
parameter: `{ name = "rise_per_step", steps = 3 }`. The numbers come in the order of the axis.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

__all__ = ["KEEP_THE_UNIT", "REDUCTIONS", "mean"]

Numbers = Sequence[float]


def mean(numbers: Numbers) -> float:
    """Return the arithmetic mean."""
    return sum(numbers) / len(numbers)


def share(numbers: Numbers, *, of: int) -> float:
    """Return one number divided among `of`."""
    (number,) = numbers
    return number / of


def first_over_second(numbers: Numbers) -> float:
    """Return the first of two numbers over the second."""
    first, second = numbers
    return first / second


def last_over_first(numbers: Numbers) -> float:
    """Return the last number over the first."""
    return numbers[-1] / numbers[0]


def first_over_largest_other(numbers: Numbers) -> float:
    """Return the first number over the largest of the others; above one if it is the best.

    Examples
    --------
    >>> first_over_largest_other([9.0, 6.0, 7.5])
    1.2
    """
    first, *others = numbers
    return first / max(others)


def first_over_least_other(numbers: Numbers) -> float:
    """Return the first number over the least of the others; below one if it is the worst."""
    first, *others = numbers
    return first / min(others)


def largest_over_least(numbers: Numbers) -> float:
    """Return the largest number over the least."""
    return max(numbers) / min(numbers)


def largest_fall(numbers: Numbers) -> float:
    """Return the largest relative loss from one number to the next, 0 for none.

    Examples
    --------
    >>> largest_fall([4.0, 8.0, 6.0, 7.0])
    0.25
    """
    return max(0.0, *(1.0 - after / before for before, after in itertools.pairwise(numbers)))


def largest_rise(numbers: Numbers) -> float:
    """Return the largest relative gain from one number to the next, 0 for none."""
    return max(0.0, *(after / before - 1.0 for before, after in itertools.pairwise(numbers)))


def part_lost(numbers: Numbers) -> float:
    """Return the fraction of the first number that the second lacks."""
    before, after = numbers
    return 1.0 - after / before


def rise_per_step(numbers: Numbers, *, steps: int) -> float:
    """Return the difference of the last number and the first, divided by the steps between them."""
    return (numbers[-1] - numbers[0]) / steps


def position_between(numbers: Numbers) -> float:
    """Return the position of the middle one of three numbers: 0 at the first, 1 at the last.

    Examples
    --------
    >>> position_between([180.0, 230.0, 280.0])
    0.5
    """
    first, middle, last = numbers
    return (middle - first) / (last - first)


def leading_over_rest(numbers: Numbers, *, n: int) -> float:
    """Return the mean of the first `n` numbers over the mean of the others."""
    return mean(numbers[:n]) / mean(numbers[n:])


def marginal_over_mean(numbers: Numbers, *, fewer: int, more: int) -> float:
    """Return the gain by each contributor beyond `fewer` over the mean gain by the first ones.

    Examples
    --------
    >>> marginal_over_mean([4.0, 5.5], fewer=4, more=7)
    0.5
    """
    at_fewer, at_more = numbers
    return ((at_more - at_fewer) / (more - fewer)) / (at_fewer / fewer)


def part_not_computed(times: Numbers, *, slower: float) -> float:
    """Return the fraction of a run's time that does not depend on the speed of its nodes.

    Parameters
    ----------
    times : sequence of float
        Time at full speed, then with slower nodes.
    slower : float
        Speed of the slower nodes; full speed is 1.
    """
    at_full, at_slower = times
    return 1.0 - (at_slower - at_full) / (1.0 / slower - 1.0) / at_full


REDUCTIONS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "max": max,
        "min": min,
        **{
            function.__name__: function
            for function in (
                mean,
                share,
                first_over_second,
                last_over_first,
                first_over_largest_other,
                first_over_least_other,
                largest_over_least,
                largest_fall,
                largest_rise,
                part_lost,
                rise_per_step,
                position_between,
                leading_over_rest,
                marginal_over_mean,
                part_not_computed,
            )
        },
    }
)
"""Every reduction by name."""

KEEP_THE_UNIT = frozenset({"max", "min", "mean", "share", "rise_per_step"})
"""Reductions that return a quantity of the same kind; the others return a ratio."""
