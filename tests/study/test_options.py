"""Options of engines in a study: each run gets them, and an engine without them refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.study.cases import study

import linkwright
from linkwright import engines, workloads
from linkwright.errors import DesignError
from linkwright.results import Result
from linkwright.study import Database, Study, StudyFolder, run

DESIGN = {"topology": {"kind": "ring", "shape": [6]}}


def made(place: Path, **fields: object) -> StudyFolder:
    workload = {"name": "all-to-all", "settings": {"size_bytes": 4096}}
    asked = {"designs": [{"design": DESIGN}], "workloads": [workload], "engines": ["flow"]}
    return run(Study.from_fields({**asked, **fields}), place, jobs=1)


@pytest.mark.parametrize("options", [{"exact_flows": 0}, {"precision": 0.2}, {"exact_flows": 64}])
def test_rows_are_those_of_a_run_with_the_options(
    options: dict[str, float], tmp_path: Path
) -> None:
    with Database(made(tmp_path / "s", options=options)) as database:
        found = database.query("select value, parameters from rows where metric = 'time'").rows()
    network = linkwright.compile(linkwright.Cluster.from_fields(DESIGN))
    workload = workloads.AllToAll(size_bytes=4096)
    rows: Result = engines.run(network, workload, engine="flow", seed=1, **options)
    (row,) = rows.filter(metric="time").rows()
    ((value, parameters),) = found
    assert value == row.value
    assert json.loads(parameters) == row.parameters


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"exact_flow": 4}, "a run has no input 'exact_flow'"),
        ({"dilation": 4}, "the flow engine has no dilation"),
        ({"seed": 4}, "a run has no input 'seed'"),
    ],
)
def test_an_engine_refuses_what_it_does_not_have(
    options: dict[str, float], said: str, tmp_path: Path
) -> None:
    (done,) = made(tmp_path / "s", options=options).progressed().done
    assert done.message.startswith(said)


@pytest.mark.parametrize("value", [-1, "many", float("nan")])
def test_an_option_is_a_number_from_zero_on(value: object) -> None:
    with pytest.raises(DesignError, match=r"options\.exact_flows"):
        study(options={"exact_flows": value})
