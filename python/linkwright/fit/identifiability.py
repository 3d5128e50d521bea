"""Identifiability: the constants, or sums of constants, that a set of targets determines.

A target's tolerance counts as its standard deviation, and so does the whole starting value of a
constant: a constant without evidence is known to 100 %. The Jacobian in these units gives standard
errors, correlations and singular values. The directions that the targets determine, its leading
right singular vectors, are brought to echelon form, so that each is a sum of as few constants as
possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Combination", "Identifiability", "identifiability"]

Array = NDArray[np.float64]

SURE = 0.2
"""Relative standard error up to which a sum of constants counts as fixed."""
COUNTS = 0.1
"""Smallest weight, relative to the largest, at which a combination names a constant."""


@dataclass(frozen=True)
class Combination:
    """A weighted sum of constants that the targets determine."""

    weights: Mapping[str, float]
    """Weight per unit of each constant; the first is 1."""
    standard_error: float
    """Standard error of the sum, as a fraction of its change if all its constants doubled."""

    def __str__(self) -> str:
        """Return the combination as a formula."""
        text = ""
        for name, weight in self.weights.items():
            size = f"{abs(weight):.3g} "
            sign = "-" if weight < 0 else "+"
            text += f" {sign} {'' if size == '1 ' else size}{name}"
        return text.removeprefix(" + ")


@dataclass(frozen=True)
class Identifiability:
    """The evidence of a fit for each constant."""

    names: tuple[str, ...]
    standard_errors: Array
    """Shape (n_constants,): relative to the start of each; 1 for a constant without evidence."""
    correlations: Array
    """Shape (n_constants, n_constants)."""
    singular_values: Array
    """Shape (min(n_targets, n_constants),): tolerances per step along a direction of constants."""
    combinations: tuple[Combination, ...]

    def sentences(self) -> Iterator[str]:
        """Yield sentences about the combinations that are fixed and those that are not."""
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
    """Return the identifiability of constants by targets.

    Parameters
    ----------
    names : sequence of str
        The free constants.
    jacobian : ndarray, shape (n_targets, n_constants)
        Tolerances by which each target moves with the relative change of each constant.
    start : ndarray, shape (n_constants,)
        Values that changes are relative to.
    prior_weight : float
        Tolerances that count for a change of a constant by its whole value.
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
    """Return rows with the same span, each with a column in which all others are zero."""
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
    # The smaller the constant, the larger its relative change.
    weights = direction / start
    unit = weights[shown[0]]
    return Combination(
        {names[place]: float(weights[place] / unit) for place in shown if weights[place]},
        float(error),
    )
