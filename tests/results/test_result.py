"""Rows of the one schema: order, forms, choice, and what is left out of comparisons.

Files are in test_storage.py.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kinds import KINDS, PARTS, network

import linkwright
from linkwright import Cluster, calibrations
from linkwright.engines.inputs import Run
from linkwright.engines.rows import result_of_run
from linkwright.errors import UsageError
from linkwright.results import COLUMNS, ENGINE_FIGURES, Result, Row
from linkwright.text.csv_text import csv_records
from linkwright.workloads import Measurement, PingPong

PAIR, OTHER = (
    linkwright.compile(linkwright.Cluster.parse(f"{{name: pair, topology: {{kind: {kind}}}}}"))
    for kind in ("direct", "switch, nodes: 2")
)
A_ROW = Row(
    run="a1",
    study="compare",
    design="whitney-16",
    design_hash="0123456789abcdef",
    kind="p-mesh",
    shape="4x4",
    nodes=16,
    parts={"switch": "cs-24", "nic": "de-500"},
    engine="packet",
    calibration="whitney",
    workload="ping-pong",
    parameters={"size_bytes": 1, "dst": 5},
    metric="latency",
    value=175e-6,
    unit="s",
    repeat=0,
    seed=1,
    origin="predicted",
)

json_values = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
rows = st.builds(
    Row,
    run=st.text(max_size=5),
    design=st.text(max_size=5),
    shape=st.sampled_from(["", "4x4"]),
    nodes=st.none() | st.integers(2, 99),
    parts=st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
    parameters=st.dictionaries(st.text(max_size=5), json_values, max_size=4),
    metric=st.sampled_from(["latency", "wall_s", "events", 'of "quotes", commas\nand lines']),
    value=st.floats(allow_nan=False, allow_infinity=False),
    unit=st.sampled_from(["s", "B/s", "1"]),
    repeat=st.none() | st.integers(0, 9),
    seed=st.none() | st.integers(0, 2**64),
    origin=st.sampled_from(["predicted", "measured", "printed", "estimate"]),
)


def test_columns_are_those_of_the_schema() -> None:
    assert COLUMNS == (
        "run", "study", "design", "design_hash", "kind", "shape", "nodes", "parts", "engine",
        "calibration", "workload", "parameters", "metric", "value", "unit", "repeat", "seed",
        "origin",
    )  # fmt: skip


def test_json_is_a_list_of_rows_with_columns_in_order() -> None:
    entries = json.loads(Result.from_rows([A_ROW]).to_json())
    assert [tuple(entry) for entry in entries] == [COLUMNS]
    assert entries[0]["value"] == 0.000175
    assert Result.from_rows([]).to_json() == "[]\n"


def test_csv_has_a_header_and_json_in_one_cell() -> None:
    text = Result.from_rows([A_ROW, replace(A_ROW, seed=None)]).to_csv()
    header, first, second = csv.reader(io.StringIO(text))
    assert tuple(header) == COLUMNS
    assert first[header.index("parameters")] == '{"dst": 5, "size_bytes": 1}'
    assert first[header.index("parts")] == '{"nic": "de-500", "switch": "cs-24"}'
    assert first[header.index("shape")] == "4x4"
    assert (first[header.index("seed")], second[header.index("seed")]) == ("1", "")
    assert float(first[header.index("value")]) == 175e-6


@given(st.lists(rows, max_size=5))
def test_json_comes_back(given_rows: list[Row]) -> None:
    result = Result.from_rows(given_rows)
    again = Result.from_json(result.to_json())
    assert again == result
    assert again.to_json() == result.to_json()


@given(st.lists(rows, max_size=5))
def test_csv_has_one_record_per_row(given_rows: list[Row]) -> None:
    text = Result.from_rows(given_rows).to_csv()
    records = csv_records(text)
    assert [float(record["value"]) for record in records] == [row.value for row in given_rows]
    for column in ("design", "metric"):
        assert [r[column] for r in records] == [getattr(row, column) for row in given_rows]


@given(st.lists(rows, max_size=5), st.lists(rows, max_size=5))
def test_concatenation_keeps_all_rows_in_order(one: list[Row], other: list[Row]) -> None:
    both = Result.concatenate([Result.from_rows(one), Result.from_rows(other)])
    assert both.rows() == (*one, *other)


def test_columns_are_joined_and_chosen_without_row_objects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = Result.from_rows([A_ROW, replace(A_ROW, metric="wall_s")])
    monkeypatch.setattr("linkwright.results.result.Row", None)
    many = Result.concatenate([result] * 5000)
    assert len(many) == 10_000
    assert len(many.filter({"dst": 5}, shape="4x4", metric="latency")) == 5000
    assert len(many.reproducible()) == 5000


@given(st.lists(rows, max_size=8))
def test_reproducible_leaves_out_time_and_memory_of_the_machine(given_rows: list[Row]) -> None:
    left = Result.from_rows(given_rows).reproducible()
    assert left.rows() == tuple(row for row in given_rows if row.metric != "wall_s")


def test_filter() -> None:
    other = replace(A_ROW, engine="analytic", parameters={"size_bytes": 4096}, value=2.0)
    result = Result.from_rows([A_ROW, other])
    assert result.filter(engine="packet").rows() == (A_ROW,)
    assert result.filter(engine={"packet", "analytic"}).rows() == (A_ROW, other)
    assert result.filter({"size_bytes": 4096}, metric="latency").rows() == (other,)
    assert len(result.filter({"dst": 4})) == 0
    assert result.parameter("dst") == (5, None)
    assert result.column("engine") == ("packet", "analytic")
    np.testing.assert_array_equal(result.values(), [175e-6, 2.0])
    with pytest.raises(ValueError, match="no column 'egnine'"):
        result.filter(egnine="packet")


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"origin": "guessed"}, "origin 'guessed'"),
        ({"value": float("nan")}, "not a finite number"),
        ({"value": float("inf")}, "not a finite number"),
        ({"parameters": {"a": object()}}, "not JSON serializable"),
        ({"parts": {"nic": object()}}, "not JSON serializable"),
    ],
)
def test_rows_that_mean_nothing_are_bugs(changes: dict, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        replace(A_ROW, **changes)


GOOD = A_ROW.as_dict()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "is not JSON"),
        ("[{]", "is not JSON"),
        ("[" * 100_000, "is not JSON: its lists or objects are nested too deeply"),
        ("9" * 5000, "is not JSON: a number has too many digits"),
        ("{}", "is not a list of rows"),
        ("[1]", "entry 0 does not have the columns"),
        (json.dumps([GOOD, {"metric": "x"}]), "entry 1 does not have the columns"),
        (json.dumps([{**GOOD, "value": "fast"}]), "column 'value' cannot be a str"),
        (json.dumps([{**GOOD, "seed": 1.5}]), "column 'seed' cannot be a float"),
        (json.dumps([{**GOOD, "nodes": "16"}]), "column 'nodes' cannot be a str"),
        (json.dumps([{**GOOD, "parts": "cs-24"}]), "column 'parts' cannot be a str"),
        (json.dumps([{**GOOD, "origin": "guessed"}]), "origin 'guessed'"),
        (json.dumps([{**GOOD, "value": float("nan")}]), "not a finite number"),
    ],
)
def test_other_files_are_refused(text: str, rule: str) -> None:
    with pytest.raises(UsageError) as error:
        Result.from_json(text)
    assert rule in error.value.message
    assert "schema version 2" in error.value.hint


def inputs(**changes: object) -> Run:
    of_pair = {"network": PAIR, "workload": PingPong(size_bytes=8), "seed": 1}
    return Run(hosts=calibrations.load("ideal-reno"), **(of_pair | changes))


def run(**changes: object) -> Result:
    measured = [Measurement("latency", 1.0, "s", {"size_bytes": 8})]
    figures = {"wall_s": 2.0, "events": 3}
    return result_of_run(inputs(**changes), measured, figures)


def test_a_run_has_the_figures_of_workload_and_engine() -> None:
    result = run()
    assert [(row.metric, row.value, row.unit) for row in result.rows()] == [
        ("latency", 1.0, "s"),
        ("wall_s", 2.0, "s"),
        ("events", 3.0, "1"),
    ]
    assert result.parameter("size_bytes") == (8, [8], [8])
    assert set(result.column("origin")) == {"predicted"}
    assert set(result.column("workload")) == {"ping-pong"}


def test_a_run_is_named_after_what_went_in() -> None:
    names = [
        run(**changes).column("run")[0]
        for changes in ({}, {"seed": 2}, {"repeat": 1}, {"engine": "flow"}, {"network": OTHER})
    ]
    assert len(set(names)) == len(names)
    assert run().rows() == run().rows()


@pytest.mark.parametrize("name", KINDS)
def test_rows_tell_the_network(name: str) -> None:
    of_kind = network(name)
    row = run(network=of_kind).rows()[0]
    sides = f"-{row.shape}" if row.shape else f"-{row.nodes}"
    default = Cluster.from_fields({"topology": KINDS[name], "parts": PARTS}).name
    assert (row.kind, row.nodes) == (KINDS[name]["kind"], of_kind.n_compute)
    assert default.startswith(f"{row.kind}{sides}") or row.kind in ("direct", "hypercube")
    assert row.parts == {role: part.key for role, part in of_kind.parts.items()}


def test_the_name_of_a_run_depends_on_the_hash_of_the_design_alone() -> None:
    renamed = replace(PAIR, kind="other", sides=(2, 1), parts={})
    assert run(network=renamed).column("run") == run().column("run")
    assert run(network=renamed).column("shape")[0] == "2x1"
    assert run().column("run")[0] == "f90756cb568a"


def test_unknown_figures_are_bugs() -> None:
    with pytest.raises(ValueError, match="unknown engine figures: speed"):
        result_of_run(inputs(), [], {"speed": 1.0})
    assert list(ENGINE_FIGURES) == [
        "simulated_s", "wall_s", "events", "frame_hops", "frames_dropped", "retransmissions",
        "timeouts", "collisions", "peak_rss_bytes", "waited_share", "clock_error_s",
    ]  # fmt: skip
