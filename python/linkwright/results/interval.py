"""The uncertainty of a prediction: mean, deviation and 90 % interval of a few runs.

The runs differ in their seeds, or in their seeds and the constants of their hosts. The interval is
the one in which the value of another such run lies with a probability of 90 %, by Student's
distribution: of few runs it is wider than their range. An error of the model itself
is not in it. docs/design/uncertainty.md has the choice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

__all__ = ["LEVEL", "Interval", "interval_of"]

LEVEL = 0.9
"""Probability that the value of another run lies in the interval."""
ROUNDING = 1e-9
"""Relative difference of values that counts as none."""


@dataclass(frozen=True)
class Interval:
    """The values of runs in short, in their unit."""

    n: int
    """Number of runs."""
    mean: float
    deviation: float
    """Standard deviation of one run; 0 if all runs agree except for rounding."""
    low: float
    high: float

    @property
    def error_of_mean(self) -> float:
        """Half width of the 90 % confidence interval of the mean."""
        if not self.deviation:
            return 0.0
        return _student((1 + LEVEL) / 2, self.n - 1) * self.deviation / math.sqrt(self.n)

    def holds(self, value: float, rounding: float = 0.0) -> bool:
        """Return whether a value that is rounded by at most `rounding` can lie inside."""
        room = rounding + ROUNDING * abs(value)
        return self.low - room <= value <= self.high + room


def interval_of(values: Sequence[float]) -> Interval:
    """Return mean, deviation and interval of the values of runs.

    Of a single run the interval is its value. It never extends below zero for values that are all
    positive, such as times.

    Examples
    --------
    >>> found = interval_of([9.0, 10.0, 11.0, 10.0])
    >>> found.mean, round(found.deviation, 2), round(found.low, 1), round(found.high, 1)
    (10.0, 0.82, 7.9, 12.1)
    """
    values = [float(value) for value in values]
    n, mean = len(values), fmean(values)
    if all(math.isclose(one, values[0], rel_tol=ROUNDING) for one in values):
        return Interval(n, mean, 0.0, mean, mean)
    deviation = stdev(values)
    reach = _student((1 + LEVEL) / 2, n - 1) * deviation * math.sqrt(1 + 1 / n)
    low = mean - reach
    return Interval(n, mean, deviation, max(low, 0.0) if min(values) >= 0 else low, mean + reach)


def _student(probability: float, freedom: int) -> float:
    """Return the quantile of Student's distribution [ABRAMOWITZ-STEGUN, 26.7.5].

    One and two degrees of freedom have closed forms; from three on the series is exact to 0.05 %.
    """
    if freedom == 1:
        return math.tan(math.pi * (probability - 0.5))
    if freedom == 2:
        both = 2 * probability - 1
        return both * math.sqrt(2 / (1 - both * both))
    x = NormalDist().inv_cdf(probability)
    terms: tuple[float, ...] = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))
