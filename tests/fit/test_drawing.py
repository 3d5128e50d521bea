"""Draws of constants: the covariance of a linear model, and targets met where it is not linear."""

from __future__ import annotations

import numpy as np
import pytest

from linkwright.fit.drawing import DOUBLE, draw_factors

SLOPE = np.array([[30.0, 60.0, 0.0], [0.0, 20.0, 0.2]])
"""Derivatives of two targets by the logarithms of three constants."""


def linear(factors: np.ndarray) -> np.ndarray:
    return np.asarray(SLOPE @ np.log(factors))


def bent(factors: np.ndarray) -> np.ndarray:
    """Return the misses of a sum of two constants, and of the greater of two."""
    first, second, third = factors
    return np.array([50 * (first + 3 * second - 4), 20 * (max(second, third) - 1)])


def test_draws_of_a_linear_model_have_its_covariance() -> None:
    logarithms = np.log(draw_factors(linear, SLOPE, 800)) / DOUBLE
    jacobian = DOUBLE * SLOPE
    covariance = np.linalg.inv(jacobian.T @ jacobian + np.eye(3))
    deviations = np.sqrt(np.diag(covariance))
    assert logarithms.std(axis=0) == pytest.approx(deviations, rel=0.1)
    assert np.abs(logarithms.mean(axis=0)) == pytest.approx(0.0, abs=0.1)
    # A sum of constants has the deviation that linear propagation gives it.
    weights = np.array([1.0, -0.5, 2.0])
    expected = np.sqrt(weights @ covariance @ weights)
    assert (logarithms @ weights).std() == pytest.approx(expected, rel=0.1)


def test_without_evidence_a_constant_varies_by_a_factor_of_two() -> None:
    factors = draw_factors(lambda one: np.zeros(1), np.zeros((1, 2)), 400)
    assert np.exp(np.log(factors).std(axis=0)) == pytest.approx(2.0, rel=0.1)
    assert (factors > 0).all()


def test_targets_are_met_where_the_model_is_bent() -> None:
    slope = np.array([[50.0, 150.0, 0.0], [0.0, 10.0, 10.0]])
    factors = draw_factors(bent, slope, 40)
    misses = np.array([bent(one) for one in factors])
    assert np.sqrt((misses**2).mean(axis=0)).max() < 1.5
    assert factors.std(axis=0).min() > 0.1


def test_more_draws_begin_with_the_fewer() -> None:
    few, many = (draw_factors(linear, SLOPE, n) for n in (3, 12))
    assert np.array_equal(few, many[:3])
