"""Draws of the constants that a fit leaves uncertain, with which the engine meets the targets.

Randomized maximum likelihood [OLIVER-1996]: for each draw the measurements are disturbed by their
tolerances and the constants by their prior, a factor of two; then the constants are fitted to both
again. Where the engine is linear the draws have the covariance of the fit exactly; where it is not,
each still meets its disturbed targets, which a draw from the covariance alone does not
(docs/design/uncertainty.md has the numbers). Constants are disturbed by factors, so that they stay
positive.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

__all__ = ["DOUBLE", "draw_factors"]

Array = NDArray[np.float64]
Misses = Callable[[Array], Array]
"""Misses of all targets, in tolerances, for factors of the constants; shape (n_targets,)."""

DOUBLE = float(np.log(2.0))
"""Prior standard deviation of a constant's logarithm: a change by its whole value, up or down."""
BLOCK = 8
"""Draws that are stratified together, so that the first few represent all."""
ROUNDS = 8
"""Corrections of a draw. Most are settled after four."""
SEED = 1


def draw_factors(misses: Misses, jacobian: Array, n_draws: int) -> Array:
    """Return factors of the constants, draw by draw.

    Parameters
    ----------
    misses : callable
        The engine's misses of the targets.
    jacobian : ndarray, shape (n_targets, n_constants)
        Their derivatives by the constants' factors, at 1.
    n_draws : int
        Number of draws.

    Returns
    -------
    ndarray, shape (n_draws, n_constants)
    """
    n_targets, n_constants = jacobian.shape
    at_fit = misses(np.ones(n_constants))
    noise = _stratified(n_draws, n_targets + n_constants)

    def moved(steps: Array) -> Array:
        return misses(np.exp(DOUBLE * steps)) - at_fit

    steps = [_fitted(moved, DOUBLE * jacobian, one[:n_targets], one[n_targets:]) for one in noise]
    return np.exp(DOUBLE * np.array(steps).reshape(n_draws, n_constants))


def _fitted(moved: Misses, slope: Array, target: Array, prior: Array) -> Array:
    """Return the steps with the least squares of misses less `target`, and steps less `prior`.

    Gauss-Newton, with Broyden's update of the slope instead of new derivatives.
    """
    n = len(prior)
    steps, best, least = np.zeros(n), np.zeros(n), np.inf
    found = np.zeros(len(target))
    for round_ in range(ROUNDS + 1):
        if round_:
            cost = float(((found - target) ** 2).sum() + ((steps - prior) ** 2).sum())
            if cost < least:
                least, best = cost, steps
        if round_ == ROUNDS:
            break
        wanted = np.concatenate([target - found, prior - steps])
        change = np.linalg.lstsq(np.vstack([slope, np.eye(n)]), wanted, rcond=None)[0]
        if not change.any():
            return steps
        after = moved(steps + change)
        slope = slope + np.outer(after - found - slope @ change, change) / (change @ change)
        steps, found = steps + change, after
    return best


def _stratified(n_draws: int, n_numbers: int) -> Array:
    """Return normal numbers, as a Latin hypercube in every block of draws."""
    generator, normal = np.random.default_rng(SEED), NormalDist()
    rows = []
    for _ in range(-(-n_draws // BLOCK)):
        strata = np.stack([generator.permutation(BLOCK) for _ in range(n_numbers)], axis=1)
        shares = (strata + generator.random((BLOCK, n_numbers))) / BLOCK
        rows += [[normal.inv_cdf(share) for share in row] for row in shares.tolist()]
    return np.array(rows[:n_draws])
