"""Points from axes: all combinations, one axis at a time, values taken together, random draws, a
Sobol sequence, or the points of a sensitivity analysis.

The same axes and the same seed give the same points.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from linkwright.errors import CapabilityError, DesignError, shown
from linkwright.study.salib import sampled
from linkwright.study.study_file import Sampling, Span, Values

__all__ = ["MOST_POINTS", "points", "values_of"]

MOST_POINTS = 10_000_000
"""Largest number of points of a study."""


def points(axes: Mapping[str, Values], sampling: Sampling) -> Iterator[tuple[Any, ...]]:
    """Yield the values of all axes, point by point; without axes there is one point.

    Raises
    ------
    DesignError
        If the axes do not fit the sampling.
    CapabilityError
        If the library for Sobol sequences or for sensitivity analysis is missing.

    Examples
    --------
    >>> list(points({"a": [1, 2], "b": ["x", "y"]}, Sampling(kind="together")))
    [(1, 'x'), (2, 'y')]
    """
    if not axes:
        yield ()
    elif sampling.kind == "grid":
        yield from itertools.product(*(_listed(name, one) for name, one in axes.items()))
    elif sampling.kind == "one-at-a-time":
        yield from _one_at_a_time([values_of(one) for one in axes.values()])
    elif sampling.kind == "together":
        yield from _together({name: _listed(name, one) for name, one in axes.items()})
    else:
        for row in _shares(axes, sampling):
            yield tuple(
                _at(one, float(share)) for one, share in zip(axes.values(), row, strict=True)
            )


def values_of(values: Values) -> Sequence[Any]:
    """Return the values of an axis; of a span without a number of values, its ends."""
    if not isinstance(values, Span):
        return values
    last = (values.points or 2) - 1
    return [_at(values, place / last) for place in range(last + 1)]


def _listed(name: str, values: Values) -> Sequence[Any]:
    """Return the values of an axis on a grid."""
    if isinstance(values, Span) and values.points is None:
        raise DesignError(
            f"axis '{name}' has ends but no number of values on a grid",
            "add 'points', or choose sampling: {kind: sobol, points: 64}",
        )
    return values_of(values)


def _one_at_a_time(axes: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    first = tuple(values[0] for values in axes)
    yield first
    for place, values in enumerate(axes):
        for value in values[1:]:
            yield (*first[:place], value, *first[place + 1 :])


def _together(axes: Mapping[str, Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    lengths = {name: len(values) for name, values in axes.items()}
    if len(set(lengths.values())) > 1:
        named = ", ".join(f"'{name}' {length}" for name, length in lengths.items())
        raise DesignError(
            f"values taken together need axes of one length, here {named}", "make them equal"
        )
    yield from zip(*axes.values(), strict=True)


def _at(values: Values, share: float) -> Any:
    """Return the value of an axis at a share of its length, from 0 to 1."""
    if not isinstance(values, Span):
        return values[min(int(share * len(values)), len(values) - 1)]
    low, high = values.least, values.most
    if values.scale == "log":
        found = math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
    else:
        found = low + share * (high - low)
    # Rounding of the logarithm must not leave the span.
    found = min(max(found, low), high)
    return round(found) if values.whole else found


def _shares(axes: Mapping[str, Values], sampling: Sampling) -> Any:
    """Return numbers between 0 and 1; shape (n_points, n_axes)."""
    assert sampling.points is not None, "checked when the study was read"
    if sampling.kind == "random":
        return np.random.default_rng(sampling.seed).random((sampling.points, len(axes)))
    if sampling.kind == "morris":
        return sampled(axes, sampling)
    exponent = math.log2(sampling.points)
    if not exponent.is_integer():
        raise DesignError(
            f"{shown(sampling.points)} points of a Sobol sequence are not balanced",
            f"give a power of two, such as {1 << round(exponent)}",
        )
    if sampling.kind == "saltelli":
        return sampled(axes, sampling)
    try:
        from scipy.stats import qmc  # type: ignore[import-untyped]
    except ImportError as error:
        raise CapabilityError(
            "Sobol sequences need SciPy", "install it: pip install 'linkwright[study]'"
        ) from error
    sequence = qmc.Sobol(d=len(axes), scramble=True, rng=np.random.default_rng(sampling.seed))
    return sequence.random_base2(int(exponent))
