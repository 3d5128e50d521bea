"""A run for a page: it is the run of `run`, and only the packet engine has one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.views.sample import network

from linkwright import engines
from linkwright.engines.played import PackedRun
from linkwright.errors import CapabilityError, RunError
from linkwright.network import Network
from linkwright.observations import observation
from linkwright.results import UNREPEATABLE_FIGURES, Result
from linkwright.workloads import Shift, Workload

WORKLOAD = Shift(size_bytes=20_000)


def values(result: Result) -> list[tuple[str, float]]:
    rows = result.rows()
    return [(one.metric, one.value) for one in rows if one.metric not in UNREPEATABLE_FIGURES]


def played(built: Network, workload: Workload, **inputs: Any) -> tuple[Network, PackedRun, Result]:
    run = engines.Run.of(built, workload, **inputs)
    return engines.observe(run, engines.Observation(page=True)).played


def test_a_played_run_has_the_rows_of_a_run() -> None:
    built = network("hub", nodes=4)
    _, run, result = played(built, WORKLOAD, seed=5)
    assert values(result) == values(engines.run(built, WORKLOAD, seed=5))
    assert run.seed == 5
    assert run.workloads[0] == WORKLOAD
    assert any("one run with seed 5" in one for one in result.remarks)


def test_a_run_that_is_too_long_for_a_page_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    # The whole run would take hours.
    monkeypatch.setattr(observation, "MOST_HOPS", 1000)
    built, long = network("hub", nodes=4), Shift(size_bytes=10**12)
    with pytest.raises(RunError, match="more than 1,000 frames on wires") as refused:
        played(built, long, faults=["cable:0 loss 1e-4"])
    assert "size_bytes" in refused.value.hint


@pytest.mark.parametrize("engine", ["analytic", "flow"])
def test_other_engines_do_not_run_in_a_page(engine: str) -> None:
    with pytest.raises(CapabilityError, match=f"the {engine} engine does not run in a page"):
        played(network("hub", nodes=4), WORKLOAD, engine=engine)
