"""What targets fix of the constants fitted to them, and what they leave open.

A target's tolerance counts as its standard deviation, and so does the whole starting value of a
constant: what the targets say nothing about is known to 100 %. From the Jacobian in these units
follow standard errors, correlations and singular values. The directions that the targets fix, its
leading right singular vectors, are brought to echelon form: then each is a sum with as few
constants as can be, and reads as what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Combination", "Identifiability", "identifiability"]

Array = NDArray[np.float64]

SURE = 0.2
"""Relative standard error up to which a sum of constants is called fixed."""
COUNTS = 0.1
"""Smallest part of the largest weight that a constant of a combination is named with."""


@dataclass(frozen=True)
class Combination:
    """A weighted sum of constants that the targets fix."""

    weights: Mapping[str, float]
    """By constant, per unit of it; the first is 1."""
    standard_error: float
    """Of the sum, as a part of what it would change by if all its constants doubled."""

    def __str__(self) -> str:
        """Return it as a formula."""
        text = ""
        for name, weight in self.weights.items():
            size = f"{abs(weight):.3g} "
            sign = "-" if weight < 0 else "+"
            text += f" {sign} {'' if size == '1 ' else size}{name}"
        return text.removeprefix(" + ")


@dataclass(frozen=True)
class Identifiability:
    """What a fit knows of each constant."""

    names: tuple[str, ...]
    standard_errors: Array
    """Shape (n_constants,): relative to where each started; 1 for what is not known at all."""
    correlations: Array
    """Shape (n_constants, n_constants)."""
    singular_values: Array
    """Shape (min(n_targets, n_constants),): tolerances that a direction of the constants moves."""
    combinations: tuple[Combination, ...]

    def sentences(self) -> Iterator[str]:
        """Yield in words what is fixed and what is not."""
        n_all = len(self.names)
        yield f"the targets fix {len(self.combinations)} of {n_all} combinations of the constants"
        for one in self.combinations:
            if len(one.weights) == 1:
                yield f"{one} is fixed, to {one.standard_error:.1%}"
            else:
                kind = "sum" if min(one.weights.values()) > 0 else "combination"
                yield f"only the {kind} {one} is fixed, to {one.standard_error:.1%}"
        named = {name for one in self.combinations for name in one.weights}
        if left := [name for name in self.names if name not in named]:
            yield f"not fixed, and near where they started: {', '.join(left)}"


def identifiability(
    names: Sequence[str], jacobian: Array, start: Array, prior_weight: float
) -> Identifiability:
    """Return what the targets fix.

    Parameters
    ----------
    names : sequence of str
        The free constants.
    jacobian : ndarray, shape (n_targets, n_constants)
        Tolerances by which each target moves with the relative change of each constant.
    start : ndarray, shape (n_constants,)
        Values to which changes are relative.
    prior_weight : float
        Tolerances that a change of a constant by its whole value counts as.
    """
    information = jacobian.T @ jacobian + prior_weight**2 * np.eye(len(names))
    covariance: Array = np.asarray(np.linalg.inv(information), dtype=np.float64)
    errors = np.sqrt(np.diag(covariance))
    _, values, directions = np.linalg.svd(jacobian, full_matrices=False)
    fixed = values * np.abs(directions).sum(axis=1) >= 1.0 / SURE
    sums = _echelon(directions[fixed])
    sums[np.abs(sums) < COUNTS * np.abs(sums).max(axis=1, keepdims=True, initial=0.0)] = 0.0
    return Identifiability(
        tuple(names),
        errors,
        covariance / np.outer(errors, errors),
        values,
        tuple(_combination(one, names, covariance, start) for one in sums),
    )


def _echelon(rows: Array) -> Array:
    """Return rows that span the same: each has a column in which all others are zero."""
    rows = rows.copy()
    for place in range(len(rows)):
        column = int(np.argmax(np.abs(rows[place])))
        rows[place] /= rows[place, column]
        for other in range(len(rows)):
            if other != place:
                rows[other] -= rows[other, column] * rows[place]
    return rows


def _combination(
    direction: Array, names: Sequence[str], covariance: Array, start: Array
) -> Combination:
    error = np.sqrt(direction @ covariance @ direction) / np.abs(direction).sum()
    shown = [int(place) for place in np.argsort(-np.abs(direction), kind="stable")]
    # A relative change of a constant is the larger the smaller the constant.
    weights = direction / start
    unit = weights[shown[0]]
    return Combination(
        {names[place]: float(weights[place] / unit) for place in shown if weights[place]},
        float(error),
    )
