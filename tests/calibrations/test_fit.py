"""Fitting constants to the point-to-point figures, through the engine."""

from __future__ import annotations

import pytest

from linkwright.errors import UsageError
from linkwright.studies.calibrate import fit


def test_a_fit_moves_only_what_is_free_and_improves_what_is_wrong() -> None:
    found = fit("pentium-pro-200-linux-2.0", ["host.forward.us"])
    before, after = found.constants["host.forward.us"]
    assert before == 31.2
    # The printed 40 us per hop leave little room.
    assert 0.9 * before < after < 1.1 * before
    assert found.calibration.host.forward.us == after
    assert found.calibration.host.read.us == 11.0
    latencies = [c for c in found.comparisons if c.metric == "latency"]
    assert all(abs(c.error) < 0.03 for c in latencies)


def test_an_unknown_constant_is_named_with_its_neighbours() -> None:
    with pytest.raises(UsageError, match=r"host\.forwards\.us") as raised:
        fit("pentium-pro-200-linux-2.0", ["host.forwards.us"])
    assert "forward" in raised.value.hint


def test_a_group_of_constants_is_no_constant() -> None:
    with pytest.raises(UsageError, match="no number"):
        fit("pentium-pro-200-linux-2.0", ["host.forward"])
