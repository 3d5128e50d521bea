"""Mean, deviation and 90 % interval of a few runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwright.results import interval_of

VALUES = st.lists(st.floats(1e-9, 1e12), min_size=1, max_size=40)


@given(VALUES)
def test_the_interval_holds_the_mean_and_no_negative_time(values: list[float]) -> None:
    found = interval_of(values)
    assert 0.0 <= found.low <= found.mean <= found.high
    assert found.holds(found.mean)


@given(st.floats(1e-9, 1e12), st.integers(1, 20))
def test_runs_that_agree_have_no_width(value: float, n: int) -> None:
    found = interval_of([value] * n)
    assert found.deviation == 0.0
    assert found.low == found.high == pytest.approx(value)
    assert found.holds(value)
    assert not found.holds(1.01 * value)
    assert found.holds(1.01 * value, rounding=0.02 * value)


@pytest.mark.parametrize("n", [2, 3, 4, 8, 30])
def test_nine_of_ten_further_runs_fall_inside(n: int) -> None:
    generator = np.random.default_rng(1)
    runs = generator.normal(5.0, 0.5, (4000, n + 1))
    inside = [interval_of(list(given)).holds(after) for *given, after in runs.tolist()]
    assert np.mean(inside) == pytest.approx(0.9, abs=0.015)


def test_values_of_both_signs_may_have_an_interval_below_zero() -> None:
    assert interval_of([-1.0, 1.0]).low < -1.0
