"""Measured rows: the fit of the hosts to their ping-pongs, and all of them beside predictions.

The machines of these tests are the packet engine with other constants, so that the truth is known.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linkwright import Cluster, calibrations, results
from linkwright import compile as compile_network
from linkwright import run as simulate
from linkwright.calibrations import Calibration
from linkwright.cli import run
from linkwright.errors import UsageError
from linkwright.fit.calibrate import fit
from linkwright.fit.measured import classes_of, fitted_from
from linkwright.measurement.beside import beside
from linkwright.results import Result
from linkwright.workloads import AllReduce, PingPong, Workload

DESIGN = """
name: chain
topology: {kind: mesh, shape: [3]}
parts: {catalogue: ethernet-2026, node: {slots: null}, nic: nic-2-5g, cable: cat-6a}
"""
CLUSTER = Cluster.parse(DESIGN)
NETWORK = compile_network(CLUSTER)
START = calibrations.load("linux-6-desktop")
TRUTH = START.changed({"messages.take.us": 6.0, "host.forward.us": 2.5})
SLOW = START.changed(
    {"messages.take.us": 40.0, "host.send.us": 25.0, "host.interrupt.us": 20.0,
     "host.forward.us": 9.0}
)  # fmt: skip
"""Machines as slow as ranks in Python: ten to thirty times the constants of the start."""


def measured(
    workload: Workload,
    path: str = "",
    waited: float = 0.0,
    machines: Calibration = TRUTH,
    **named: Any,
) -> Result:
    """Return a run of the true machines as measured rows."""
    made = simulate(NETWORK, workload, calibration=machines)
    kept = {"path": path, "place": path} if path else {}
    rows = [
        replace(
            row, run=f"{row.run}{path}", engine="hardware", origin="measured",
            parameters={**row.parameters, **kept, **named},
        )
        for row in made.rows()
    ]  # fmt: skip
    rows.append(replace(rows[0], metric="waited_share", value=waited, unit="1"))
    fields = CLUSTER.model_dump(mode="json", exclude_unset=True, by_alias=True)
    designs = {"designs": {NETWORK.design_hash: fields}}
    return Result.from_rows(rows, [one.model_copy(update=designs) for one in made.manifests])


def paths(machines: Calibration) -> Result:
    """Return the rows of a path of one hop and of one of two."""
    sizes = (1, 1024, 16_384, 131_072)
    one = measured(PingPong(src=0, dst=1, size_bytes=sizes), "one hop", machines=machines)
    two = measured(PingPong(src=0, dst=2, size_bytes=sizes), "two hops", machines=machines)
    return Result.concatenate([one, two])


@pytest.fixture(scope="module")
def rows() -> Result:
    return paths(TRUTH)


@pytest.fixture(scope="module")
def fitted(rows: Result) -> Any:
    return fit(START, targets=fitted_from(rows, START, "rows.json"), source="rows.json")


def test_the_fit_predicts_a_workload_that_it_has_not_seen(fitted: Any) -> None:
    workload = AllReduce(size_bytes=1024)
    truth, start, found = (
        float(simulate(NETWORK, workload, calibration=one).filter(metric="time").values()[0])
        for one in (TRUTH, START, fitted.calibration)
    )
    assert abs(start / truth - 1) > 0.1
    assert found == pytest.approx(truth, rel=0.1)


def test_machines_many_times_slower_than_the_start_are_fitted() -> None:
    twice = Result.concatenate([paths(SLOW), paths(SLOW)])
    found = fit(START, targets=fitted_from(twice, START, "rows.json"), source="rows.json")
    assert all(abs(one.error) <= 0.05 for one in found.comparisons)
    truth, start, near = (
        float(
            simulate(NETWORK, AllReduce(size_bytes=1024), calibration=one)
            .filter(metric="time")
            .values()[0]
        )
        for one in (SLOW, START, found.calibration)
    )
    assert start < 0.3 * truth
    # Ping-pongs determine sums of constants; what ranks do at once depends on each.
    assert near == pytest.approx(truth, rel=0.2)


def test_constants_have_intervals_and_their_evidence(fitted: Any) -> None:
    for one in fitted.constants:
        low, high = one.interval
        assert 0 <= low < one.value < high
    assert {one.path for one in fitted.comparisons} == {"one hop", "two hops"}
    assert all(abs(one.error) <= 0.1 for one in fitted.comparisons)


def test_what_rows_do_not_determine_is_refused(rows: Result) -> None:
    one_hop = Result(rows.filter({"path": "one hop"}).columns, rows.manifests)
    targets = fitted_from(one_hop, START, "rows.json")
    assert "host.forward.us" not in [one.constant for one in targets.free]
    with pytest.raises(UsageError, match=r"rows.json do not determine host.forward.us"):
        fit(START, ["host.forward.us", "messages.take.us"], targets=targets, source="rows.json")
    with pytest.raises(UsageError, match="no measured ping-pong"):
        classes_of(measured(AllReduce(size_bytes=8)))
    with pytest.raises(UsageError, match="taken by others"):
        classes_of(measured(PingPong(size_bytes=1), "one hop", waited=0.9))
    without = replace(rows, manifests=())
    with pytest.raises(UsageError, match="1 design, and hold 0"):
        fitted_from(without, START, "rows.json")


def test_runs_on_busy_machines_do_not_count_beside_others(rows: Result) -> None:
    busy = measured(PingPong(src=0, dst=1, size_bytes=1), "one hop", waited=0.3, place="c9")
    slower = replace(
        busy,
        columns={**busy.columns, "value": tuple(2 * one for one in busy.columns["value"])},
    )
    (both, *_) = classes_of(Result.concatenate([rows, slower]))
    (alone, *_) = classes_of(rows)
    assert both.values == alone.values
    assert not both.is_busy


def test_measured_and_predicted_stand_side_by_side(rows: Result) -> None:
    every = Result.concatenate([rows, measured(AllReduce(size_bytes=1024))])
    right = beside(NETWORK, every, engine="packet", calibration=TRUTH)
    assert all(one.residual == pytest.approx(0, abs=0.05) for one in right.pairs)
    assert not any(one.reason for one in right.pairs)
    wrong = beside(NETWORK, every, engine="packet", calibration=START)
    reasons = {one.reason for one in wrong.pairs if one.size_bytes == 1}
    assert any("constants of the hosts" in one for one in reasons)
    assert any("calibrate first" in one.reason for one in wrong.pairs if not one.path)
    assert "within 10% of the prediction" in wrong.answer
    assert [
        one.reason for one in wrong.pairs if one.size_bytes == 131_072 and one.path == "one hop"
    ] == ["", ""]


def test_one_bad_cable_is_named_in_its_class() -> None:
    made = [
        measured(PingPong(src=0, dst=1, size_bytes=131_072), "one hop", place=f"c{number}")
        for number in range(5)
    ]
    columns = made[0].columns
    slow = {**columns, "value": tuple(
        value * 8 if metric == "latency" else value / 8 if metric == "throughput" else value
        for value, metric in zip(columns["value"], columns["metric"], strict=True)
    )}  # fmt: skip
    every = Result.concatenate([replace(made[0], columns=slow), *made[1:]])
    found = beside(NETWORK, every, engine="packet", calibration=TRUTH)
    assert {one.metric: one.residual for one in found.pairs}["throughput"] == pytest.approx(
        0, abs=0.02
    )


def test_words_in_rows_are_no_fault(rows: Result) -> None:
    first, *_ = (row for row in rows.rows() if row.metric == "latency")
    word = replace(first, parameters={**first.parameters, "repeats": "x"})
    own = Result.from_rows([word], rows.manifests)
    assert len(beside(NETWORK, own, engine="packet", calibration=START).pairs) == 1


def test_the_commands_take_the_rows(rows: Result, tmp_path: Path, capsys: Any) -> None:
    results.save(rows, tmp_path / "rows.json")
    file, page = str(tmp_path / "rows.json"), tmp_path / "beside.html"
    assert run(["compare", "--measured", file, "-o", str(page), "-q"]) == 0
    assert "Measured and predicted" in page.read_text()
    capsys.readouterr()
    assert run(["compare", "--measured", file, "--engine", "analytic", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"workload", "path", "measured", "predicted", "residual", "reason"} <= found[0].keys()
    assert run(["calibrate", "--from", file, "--format", "json", "-q"]) == 0
    constants = json.loads(capsys.readouterr().out)["constants"]
    assert all(len(one["interval"]) == 2 for one in constants)
    assert run(["calibrate", "--from", file, "--targets", "x.toml"]) == 2


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"value": 1e308}, "the value 1e+308"),
        ({"value": 0.0}, "the value 0.0"),
        ({"size_bytes": "x"}, "the size_bytes 'x'"),
        ({"size_bytes": [1, 2]}, "the size_bytes [1, 2]"),
        ({"size_bytes": 10**40}, "the size_bytes 1000"),
        ({"size_bytes": None}, "the size_bytes None"),
        ({"src": -1}, "the src -1"),
    ],
)
def test_figures_that_cannot_be_measured_are_refused(changes: dict[str, Any], said: str) -> None:
    first, *others = measured(PingPong(src=0, dst=1, size_bytes=(1,)), "one hop").rows()
    assert first.metric == "latency"
    value = changes.pop("value", first.value)
    odd = replace(first, value=value, parameters={**first.parameters, **changes})
    found = Result.from_rows([odd, *others])
    with pytest.raises(UsageError) as by_fit:
        classes_of(found)
    with pytest.raises(UsageError) as by_comparison:
        beside(NETWORK, found, engine="analytic", calibration=START)
    assert said in by_fit.value.message
    assert said in by_comparison.value.message
