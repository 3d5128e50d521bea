"""Questions to a folder, pivots, and the same study once more.

All ask the folder of one small study.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.study.cases import merged, rows, study

from linkwright import workloads
from linkwright.cli import run as command
from linkwright.errors import OutputError, UsageError
from linkwright.results import Result, Row, save
from linkwright.study import Database, Study, StudyFolder, again, pivot, run
from linkwright.study import worker as work


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    return run(study(), tmp_path_factory.mktemp("made") / "s", jobs=1)


def test_rows_have_the_columns_of_results_and_axes(folder: StudyFolder) -> None:
    with Database(folder) as database:
        answer = database.query(
            "select topology_shape, size_bytes, kind, nodes, engine, seed from rows "
            "where metric = 'time' order by point, repeat"
        )
    assert answer.rows()[:3] == [
        ("3", 64, "ring", 3, "analytic", 1),
        ("3", 64, "ring", 3, "analytic", 2),
        ("3", 4096, "ring", 3, "analytic", 1),
    ]


def test_runs_have_times_and_errors(folder: StudyFolder) -> None:
    with Database(folder) as database:
        question = "select error, count(*), min(wall_s) >= 0 from runs group by 1 order by 1"
        assert database.query(question).rows() == [("", 8, True), ("DesignError", 4, True)]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("select nothing from rows", "nothing"),
        ("select 1; select 2", "one SELECT"),
        ("copy (select 1) to 'file.csv'", "one SELECT"),
        ("create table t as select 1", "one SELECT"),
        ("set enable_external_access = true", "one SELECT"),
        ("select * from read_csv('/etc/passwd')", "disabled"),
        ("selct 1", "syntax"),
    ],
)
def test_question_reads_the_study_alone(
    question: str, words: str, folder: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Database(folder) as database, pytest.raises(UsageError) as refused:
        database.query(question)
    assert words in f"{refused.value.message} {refused.value.hint}"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("from rows a, rows b, rows c, rows d, rows e", "the answer has more than 1 MiB"),
        (
            "select cast(if(range > 150000, 'x', '1') as int) from range(200000)",
            "Could not convert string 'x'",
        ),
    ],
)
def test_answers_are_read_in_batches_up_to_a_limit(
    question: str, words: str, folder: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkwright.study.database.MOST_ANSWER_BYTES", 1 << 20)
    with Database(folder) as database, pytest.raises(UsageError) as refused:
        database.query(question)
    assert words in refused.value.message
    with Database(folder) as database:
        assert database.query("from rows where value is null and false").rows() == []


def test_pivot_has_the_mean_of_every_combination(folder: StudyFolder) -> None:
    with Database(folder) as database:
        found = pivot(database, "time", ["topology_shape"], ["size_bytes"])
        means = database.query(
            "select topology_shape, size_bytes, avg(value) from rows where metric = 'time' "
            "group by all"
        )
    assert found.headings() == ["topology_shape", "64", "4096"]
    assert {(shape,): (small, large) for shape, small, large in found.table()} == {
        (shape,): tuple(found.cells[(shape,), (size,)] for size in (64, 4096)) for shape in "34"
    }
    for shape, size, mean in means.rows():
        assert found.cells[(shape,), (size,)] == pytest.approx(mean)
    assert found.unit == "s"


def _measured(folder: StudyFolder, file: Path, **changes: Any) -> Path:
    """Write a file with a measurement of 64 B of the first design, and one of 100 B."""
    with Database(folder) as database:
        question = "select design, design_hash, parameters from rows where metric = 'time' limit 1"
        ((design, design_hash, parameters),) = database.query(question).rows()
    rows = [
        Row(
            design=design,
            design_hash=changes.get("design_hash", design_hash),
            engine="hardware",
            workload="broadcast",
            parameters={**json.loads(parameters), "size_bytes": size, "repeats": 99},
            metric="time",
            value=0.5,
            unit="s",
            origin=changes.get("origin", "measured"),
            nodes=changes.get("nodes"),
        )
        for size in (64, 100)
    ]
    save(Result.from_rows(rows), file)
    return file


def test_measured_rows_stand_beside_those_of_the_study(
    folder: StudyFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _measured(folder, tmp_path / "found.json")
    with Database(folder, [file]) as database:
        found = pivot(database, "time", ["topology_shape"], ["size_bytes", "engine"])
        (of_size, *_), (of_other, *_) = (
            database.query(
                "select predicted, residual, engine from beside where size_bytes = ?", [size]
            ).rows()
            for size in (64, 100)
        )
    mean = found.cells[("3",), (64, "analytic")]
    assert found.cells[("3",), (64, "hardware")] == 0.5, "the axis of its design is known"
    assert of_size == (pytest.approx(mean), pytest.approx(0.5 / mean - 1), "analytic")
    assert of_other == (None, None, None)
    words = ["pivot", str(folder.path), "--measured", str(file), "-r", "engine"]
    assert command([*words, "--where", "size_bytes = 64", "--format", "csv"]) == 0
    assert "hardware,0.5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"origin": "predicted"}, "has no measured rows"),
        ({"design_hash": "0" * 16}, "no measured row is of a design of this study"),
        ({"nodes": 10**30}, "cannot be read"),
    ],
)
def test_rows_that_cannot_stand_beside_are_refused(
    changes: dict[str, Any], words: str, folder: StudyFolder, tmp_path: Path
) -> None:
    file = _measured(folder, tmp_path / "found.json", **changes)
    with pytest.raises(UsageError) as refused:
        Database(folder, [file])
    assert words in refused.value.message


def test_pivot_leaves_missing_combinations_empty(folder: StudyFolder) -> None:
    with Database(folder) as database:
        where = "not (topology_shape = '3' and size_bytes = 64)"
        found = pivot(database, "time", ["topology_shape"], ["size_bytes"], where=where)
    assert [row[1] is None for row in found.table()] == [True, False]


@pytest.mark.parametrize(
    ("metric", "row", "of", "words"),
    [
        ("tmie", "kind", "mean", "did you mean 'time'"),
        ("time", "knid", "mean", "did you mean 'kind'"),
        ("time", "kind", "maen", "did you mean 'mean'"),
    ],
)
def test_unknown_names_are_refused(
    metric: str, row: str, of: str, words: str, folder: StudyFolder
) -> None:
    with Database(folder) as database, pytest.raises(UsageError) as refused:
        pivot(database, metric, [row], of=of)
    assert words in refused.value.hint


def test_answer_becomes_a_table_of_other_libraries(folder: StudyFolder) -> None:
    with Database(folder) as database:
        answer = database.statistic("time", ["topology_shape", "size_bytes"])
    assert answer.to_arrow().num_rows == 4
    frame = answer.to_pandas()
    assert list(frame.columns) == answer.names
    assert frame["value"].tolist() == answer.column("value")


def test_study_again_says_equal(folder: StudyFolder) -> None:
    found = again(folder.path, jobs=1)
    assert found.is_equal
    assert found.n_rows == len(rows(folder))
    assert found.builds[0] == found.builds[1]


def test_study_again_says_what_differs(
    folder: StudyFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = work._Rows._add_rows

    def changed(self: work._Rows, planned: object, result: object) -> None:
        add(self, planned, result)  # type: ignore[arg-type]
        if self.columns["point"][-1] == 1:
            self.columns["value"][-1] *= 2

    monkeypatch.setattr(work._Rows, "_add_rows", changed)
    found = again(folder.path, into=tmp_path / "new", jobs=1)
    assert not found.is_equal
    assert (found.n_equal, found.only_before, found.only_now) == (found.n_rows - 2, 0, 0)
    assert {now / before for *_, before, now in found.differences} == {2.0}
    assert StudyFolder(tmp_path / "new").progressed().done


def test_rows_do_not_depend_on_the_place_of_the_study(tmp_path: Path) -> None:
    trace = workloads.WORKLOADS["goal"].examples[0]["file"]
    given = "{designs: [{design: {topology: {kind: direct}}}], workloads: [{name: goal, settings: "
    asked = Study.parse(f"{given}{{file: {trace}}}}}]}}")
    made = run(asked, tmp_path / "a", jobs=1)
    assert not any(one.has_failed for one in made.progressed().done)
    (tmp_path / "a").rename(tmp_path / "b")
    assert again(tmp_path / "b", into=tmp_path / "c", jobs=1).is_equal
    assert merged(StudyFolder(tmp_path / "b")) == merged(StudyFolder(tmp_path / "c"))


def test_study_again_needs_an_empty_folder(folder: StudyFolder) -> None:
    with pytest.raises(OutputError, match="not empty"):
        again(folder.path, into=folder.path, jobs=1)
