"""SALib: the points of a sensitivity analysis, and the statistics of their values.

Methods: elementary effects [MORRIS-1991] with the mean of their absolute values
[CAMPOLONGO-2007], and Sobol indices by the estimators of [SALTELLI-2010]. SALib knows numbers from
0 to 1; sampling.py makes values of axes from them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import CapabilityError
from linkwright.results.interval import LEVEL, ROUNDING
from linkwright.study.study_file import Sampling, Span, Values

__all__ = ["MORRIS_FIGURES", "SOBOL_FIGURES", "elementary_effects", "sampled", "sobol_indices"]

MORRIS_FIGURES = ("mu_star", "mu_star_conf", "sigma", "mu")
SOBOL_FIGURES = ("S1", "S1_conf", "ST", "ST_conf")

LEVELS = 4
"""Levels of a span in Morris' sampling, unless lists need more."""
BOOTSTRAP_SEED = 1
"""Seed of the resamples behind confidence intervals, so that they are the same each time."""


def sampled(axes: Mapping[str, Values], sampling: Sampling) -> NDArray[np.float64]:
    """Return the points of an analysis as numbers from 0 to 1; shape (n_points, n_axes).

    Raises
    ------
    CapabilityError
        If SALib is missing.
    """
    found: NDArray[np.float64]
    problem = _problem(list(axes))
    if sampling.kind == "morris":
        sample = _salib("sample.morris").sample
        found = sample(problem, sampling.points, num_levels=_levels(axes), seed=sampling.seed)
    else:
        sample = _salib("sample.sobol").sample
        found = sample(problem, sampling.points, calc_second_order=False, seed=sampling.seed)
    return found


def elementary_effects(
    axes: Mapping[str, Values], sampling: Sampling, values: Sequence[float]
) -> dict[str, dict[str, float]]:
    """Return Morris' statistics of each axis, in the unit of the values.

    Of a span, an elementary effect is the change of the value over the whole span. Of a list, it is
    the change between two of its entries.

    Parameters
    ----------
    axes, sampling
        As for `sampled`.
    values : sequence of float
        Values of all points, in their order.

    Raises
    ------
    CapabilityError
        If SALib is missing.

    Examples
    --------
    >>> axes = {"a": Span(least=0, most=1), "b": ["x", "y"]}
    >>> asked = Sampling(kind="morris", points=4)
    >>> found = elementary_effects(axes, asked, [3 * a for a, _ in sampled(axes, asked)])
    >>> {name: round(one["mu_star"], 9) for name, one in found.items()}
    {'a': 3.0, 'b': 0.0}
    """
    levels = _levels(axes)
    found = _salib("analyze.morris").analyze(
        _problem(list(axes)),
        sampled(axes, sampling),
        np.asarray(values, dtype=np.float64),
        num_levels=levels,
        conf_level=LEVEL,
        seed=BOOTSTRAP_SEED,
    )
    # SALib divides by the step between levels. A list has nothing between its entries.
    step = levels / (2 * (levels - 1))
    factors = [1.0 if isinstance(one, Span) else step for one in axes.values()]
    least = ROUNDING * max(map(abs, values))
    return {
        axis: {name: _beyond(least, factor * float(found[name][place])) for name in MORRIS_FIGURES}
        for place, (axis, factor) in enumerate(zip(axes, factors, strict=True))
    }


def sobol_indices(
    axes: Mapping[str, Values], values: Sequence[float]
) -> dict[str, dict[str, float]]:
    """Return first-order and total Sobol indices of each axis; all 0 if the values agree.

    Parameters
    ----------
    axes
        As for `sampled`.
    values : sequence of float
        Values of all points, in their order.

    Raises
    ------
    CapabilityError
        If SALib is missing.
    """
    if all(math.isclose(one, values[0], rel_tol=ROUNDING) for one in values):
        return {axis: dict.fromkeys(SOBOL_FIGURES, 0.0) for axis in axes}
    found = _salib("analyze.sobol").analyze(
        _problem(list(axes)),
        np.asarray(values, dtype=np.float64),
        calc_second_order=False,
        conf_level=LEVEL,
        seed=BOOTSTRAP_SEED,
    )
    return {
        axis: {name: _beyond(ROUNDING, float(found[name][place])) for name in SOBOL_FIGURES}
        for place, axis in enumerate(axes)
    }


def _beyond(least: float, value: float) -> float:
    """Return a value, or 0 if it is only rounding."""
    return value if abs(value) > least else 0.0


def _levels(axes: Mapping[str, Values]) -> int:
    """Return an even number of levels of which every entry of a list has the same share."""
    lengths = [len(one) for one in axes.values() if not isinstance(one, Span)]
    return max(LEVELS, math.lcm(2, *lengths))


def _problem(names: Sequence[str]) -> dict[str, Any]:
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def _salib(module: str) -> Any:
    try:
        return import_module(f"SALib.{module}")
    except ImportError as error:
        raise CapabilityError(
            "sensitivity analysis needs SALib",
            "install it: pip install 'linkwright[sensitivity]'",
        ) from error
