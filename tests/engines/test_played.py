"""A run for a page: it is the run of `run`, and only the packet engine has one."""

from __future__ import annotations

import pytest
from tests.views.sample import network

from linkwright import engines
from linkwright.errors import CapabilityError
from linkwright.results import UNREPEATABLE_FIGURES, Result
from linkwright.workloads import Shift

WORKLOAD = Shift(size_bytes=20_000)


def values(result: Result) -> list[tuple[str, float]]:
    rows = result.rows()
    return [(one.metric, one.value) for one in rows if one.metric not in UNREPEATABLE_FIGURES]


def test_a_played_run_has_the_rows_of_a_run() -> None:
    built = network("hub", nodes=4)
    result, run = engines.play(built, WORKLOAD, seed=5)
    assert values(result) == values(engines.run(built, WORKLOAD, seed=5))
    assert run.seed == 5
    assert run.workloads[0] == WORKLOAD
    assert any("one run with seed 5" in one for one in result.remarks)


@pytest.mark.parametrize("engine", ["analytic", "flow"])
def test_other_engines_do_not_run_in_a_page(engine: str) -> None:
    with pytest.raises(CapabilityError, match=f"the {engine} engine does not run in a page"):
        engines.play(network("hub", nodes=4), WORKLOAD, engine=engine)
