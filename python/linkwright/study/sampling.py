"""Points from axes: all combinations, values taken together, random draws, or a Sobol sequence.

The same axes and the same seed give the same points.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from linkwright.errors import CapabilityError, DesignError, shown
from linkwright.study.study_file import Sampling, Span, Values

__all__ = ["MOST_POINTS", "points"]

MOST_POINTS = 10_000_000
"""Largest number of points of a study."""


def points(axes: Mapping[str, Values], sampling: Sampling) -> Iterator[tuple[Any, ...]]:
    """Yield the values of all axes, point by point; without axes there is one point.

    Raises
    ------
    DesignError
        If the axes do not fit the sampling.
    CapabilityError
        If the library for Sobol sequences is missing.

    Examples
    --------
    >>> list(points({"a": [1, 2], "b": ["x", "y"]}, Sampling(kind="together")))
    [(1, 'x'), (2, 'y')]
    """
    if not axes:
        yield ()
    elif sampling.kind == "grid":
        yield from itertools.product(*(_listed(name, one) for name, one in axes.items()))
    elif sampling.kind == "together":
        yield from _together({name: _listed(name, one) for name, one in axes.items()})
    else:
        for row in _shares(len(axes), sampling):
            yield tuple(
                _at(one, float(share)) for one, share in zip(axes.values(), row, strict=True)
            )


def _listed(name: str, values: Values) -> Sequence[Any]:
    """Return the values of an axis on a grid."""
    if not isinstance(values, Span):
        return values
    if values.points is None:
        raise DesignError(
            f"axis '{name}' has ends but no number of values on a grid",
            "add 'points', or choose sampling: {kind: sobol, points: 64}",
        )
    return [_at(values, place / (values.points - 1)) for place in range(values.points)]


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


def _shares(n_axes: int, sampling: Sampling) -> Any:
    """Return numbers between 0 and 1; shape (n_points, n_axes)."""
    assert sampling.points is not None, "checked when the study was read"
    if sampling.kind == "random":
        return np.random.default_rng(sampling.seed).random((sampling.points, n_axes))
    try:
        from scipy.stats import qmc  # type: ignore[import-untyped]
    except ImportError as error:
        raise CapabilityError(
            "Sobol sequences need SciPy", "install it: pip install 'linkwright[study]'"
        ) from error
    exponent = math.log2(sampling.points)
    if not exponent.is_integer():
        raise DesignError(
            f"{shown(sampling.points)} points of a Sobol sequence are not balanced",
            f"give a power of two, such as {1 << round(exponent)}",
        )
    sequence = qmc.Sobol(d=n_axes, scramble=True, rng=np.random.default_rng(sampling.seed))
    return sequence.random_base2(int(exponent))
