"""Combinations that targets determine, on Jacobians whose answer is known by hand."""

from __future__ import annotations

import numpy as np
import pytest

from linkwright.fit.identifiability import Identifiability, identifiability

NAMES = ("a", "b", "c")


def known(*rows: tuple[float, ...], start: tuple[float, ...] = (1.0, 1.0, 1.0)) -> Identifiability:
    return identifiability(NAMES, np.array(rows, dtype=np.float64), np.array(start), 1.0)


def test_one_target_fixes_a_sum_and_none_of_its_parts() -> None:
    found = known((30.0, 30.0, 0.0))
    assert list(found.sentences()) == [
        "the targets fix 1 of 3 combinations of the constants",
        "only the sum a + b is fixed, to 1.7%",
        "not fixed, and near where they started: c",
    ]
    # Half a tolerance of 1/30 each way is shared; the difference keeps all of its freedom.
    assert found.standard_errors == pytest.approx([0.707, 0.707, 1.0], abs=1e-3)
    assert found.correlations[0, 1] == pytest.approx(-0.999, abs=1e-3)


def test_a_sum_weighs_constants_by_their_own_unit() -> None:
    """10 us fixed and 0.01 us for each of 500 bytes: the sum gives the number of bytes."""
    (found,) = known((40.0, 20.0, 0.0), start=(10.0, 0.01, 1.0)).combinations
    assert found.weights == pytest.approx({"a": 1.0, "b": 500.0})


def test_two_targets_part_what_one_leaves_together() -> None:
    found = list(known((30.0, 30.0, 0.0), (30.0, 30.0, 30.0)).sentences())
    assert found[0] == "the targets fix 2 of 3 combinations of the constants"
    assert "c is fixed, to 4.7%" in found
    assert any(line.startswith("only the sum") and "a" in line for line in found)


def test_what_grows_and_shrinks_a_target_is_no_sum() -> None:
    found = list(known((30.0, -30.0, 0.0)).sentences())
    assert found[1] == "only the combination a - b is fixed, to 1.7%"


def test_without_an_effect_nothing_is_fixed() -> None:
    found = known((0.5, 0.1, 0.0))
    assert found.combinations == ()
    assert list(found.sentences())[-1].endswith("started: a, b, c")
