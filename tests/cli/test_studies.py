"""The commands of studies, through the door that users take.

The parts behind them are tested in tests/study.
"""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.study.cases import SMALL

from linkwright.cli import run
from linkwright.study import Study
from linkwright.study import run as make

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.chdir(tmp_path)
    Path("small.yaml").write_text(SMALL)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(arguments)
        return (code, *capsys.readouterr())

    return call


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study, which each test copies."""
    folder = tmp_path_factory.mktemp("once") / "small"
    return make(Study.parse(SMALL), folder, jobs=1).path


@pytest.fixture
def made(cli: Call, once: Path) -> Call:
    shutil.copytree(once, "small")
    return cli


def test_study_names_failures_and_resumes(cli: Call) -> None:
    code, out, err = cli("study", "small.yaml", "-j", "1")
    assert (code, out) == (1, "12 runs, 4 failed, in small\n")
    named = "ring, topology_shape 1, size_bytes 64, broadcast, analytic, seed 1: "
    assert err.startswith("12 runs, about ")
    assert err.count(f"{named}shape 1 has one node") == err.count("shape 1 has one node") == 1
    assert f"4 runs failed for the reason of {named.removesuffix(': ')}\n" in err
    assert "linkwright query small" in err
    assert Path("small/inputs/study.yaml").read_text() == SMALL
    manifest = json.loads(Path("small/manifest.json").read_text())
    assert manifest["manifest"]["command"]
    assert cli("study", "small.yaml", "-q", "-j", "1")[:2] == (code, out)


def test_dry_run_says_the_number_of_runs_and_makes_none(cli: Call) -> None:
    code, out, _ = cli("study", "small.yaml", "--dry-run", "-j", "2")
    assert code == 0
    assert out.startswith("12 runs, about ")
    assert out.endswith(" with 2 workers (5 of them tried)\n")
    assert not Path("small").exists()


@pytest.mark.parametrize("more", [["--on", "mars"], ["--on", "mars", "--dry-run"], ["-j", "0"]])
def test_unknown_workers_are_refused_before_the_folder_is_made(cli: Call, more: list[str]) -> None:
    code, out, err = cli("study", "small.yaml", *more)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert not Path("small").exists()


def test_many_runs_need_a_word(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwright.cli.study.MOST_RUNS", 11)
    code, out, err = cli("study", "small.yaml", "-q", "-j", "1")
    assert (code, out) == (2, "")
    assert "12 runs" in err
    assert "--many" in err
    assert not Path("small").exists()
    assert cli("study", "small.yaml", "-q", "-j", "1", "--many")[0] == 1


def test_reasons_that_differ_in_numbers_are_one(cli: Call) -> None:
    Path("many.yaml").write_text(SMALL.replace("[1]", "[1], [-1], [-2], [-3], [-4]"))
    code, _, err = cli("study", "many.yaml", "-j", "1")
    assert code == 1
    assert err.count("error: ") == 2
    assert "16 runs failed for the reason of" in err


def test_heat_map_shows_missing_cells(made: Call) -> None:
    heat = ("plot", "small", "-k", "heat", "--x", "topology_shape", "--y", "size_bytes")
    assert made(*heat, "-o", "heat.svg", "-q")[0] == 0
    assert "no value: 2 cells" in Path("heat.svg").read_text()
    assert made(*heat, "--format", "csv")[1].startswith(
        "topology_shape,size_bytes,mean (s)\n1,64,\n"
    )
    assert made(*heat, "--where", "nodes > 1", "-o", "heat.svg", "-q")[0] == 0
    assert "no value" not in Path("heat.svg").read_text()


def test_a_broken_pipe_to_a_worker_does_not_end_the_program(cli: Call) -> None:
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        cli("study", "small.yaml", "-q", "-j", "1")
        assert signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGPIPE, before)


def test_study_shows_the_first_remarks_and_the_number_of_others(cli: Call) -> None:
    Path("lu.yaml").write_text("""
designs:
  - design: {topology: {kind: switch}}
    axes: {topology.nodes: [3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17]}
workloads: [{name: npb.lu, settings: {problem_class: S}}]
engines: [analytic]
""")
    code, out, err = cli("study", "lu.yaml", "-j", "1")
    assert (code, out) == (0, "12 runs, 0 failed, in lu\n")
    assert err.count("note: npb.lu runs on") == 10
    assert err.count("note: ") == 11
    assert "note: and 2 remarks more" in err


def test_study_again(made: Call) -> None:
    code, out, _ = made("study", "--again", "small", "-j", "1", "-q")
    assert code == 0
    assert "rows are equal" in out
    assert "same build" in out


def test_query_answers_in_every_format(made: Call) -> None:
    question = "select nodes, count(*) as n from rows group by all order by 1"
    assert made("query", "small", question, "--format", "csv")[1] == "nodes,n\n3,16\n4,16\n"
    assert json.loads(made("query", "small", question, "--format", "json")[1]) == [
        {"nodes": 3, "n": 16},
        {"nodes": 4, "n": 16},
    ]
    assert made("query", "small", question, "-o", "n.parquet", "-q")[0] == 0
    assert Path("n.parquet").read_bytes()[:4] == b"PAR1"
    assert "nodes" in made("query", "small", question)[1]


TYPES = (
    "select 1.5 as d, 2::decimal as w, date '2026-01-31' as e, [1.5, 1/0] as l, {'a': 0/0} as s, "
    "'x'::blob as b, map{1: 2} as m, 1/0 as i, sum(1::bigint) as h"
)


def test_query_shows_cells_of_any_type(made: Call) -> None:
    code, out, err = made("query", "small", TYPES, "--format", "json")
    assert (code, err) == (0, "")
    (row,) = json.loads(out)
    assert row | {"m": None} == {
        "d": 1.5, "w": 2, "e": "2026-01-31", "l": [1.5, None], "s": {"a": None},
        "b": "x", "m": None, "i": None, "h": 1,
    }  # fmt: skip
    code, out, _ = made("query", "small", TYPES, "--format", "csv")
    assert code == 0
    assert "Decimal" not in out
    assert made("query", "small", TYPES)[0] == 0


@pytest.mark.parametrize(
    ("question", "more", "told"),
    [
        ("select 1 as a, 2 as a", ("--format", "json"), "'a'"),
        ("select interval 1 day as i", ("-o", "i.parquet"), "no form for a column"),
    ],
)
def test_query_names_an_answer_that_a_format_cannot_hold(
    question: str, more: tuple[str, ...], told: str, made: Call
) -> None:
    code, out, err = made("query", "small", question, *more)
    assert (code, out) == (2, "")
    assert told in err
    assert not Path("i.parquet").exists()


def test_pivot_is_a_table(made: Call) -> None:
    code, out, _ = made(
        "pivot", "small", "-r", "nodes", "-c", "size_bytes", "--of", "count", "--format", "csv"
    )
    assert (code, out) == (0, "nodes,64,4096\n3,2,2\n4,2,2\n")


FIGURES = {
    "lines": ("--x", "nodes", "--by", "size_bytes"),
    "heat": ("--x", "nodes", "--y", "size_bytes"),
    "pareto": ("--x", "aggregate_throughput", "--by", "nodes,size_bytes"),
    "box": ("--x", "nodes", "--by", "size_bytes"),
}
STARTS = {".svg": b"<?xml", ".png": b"\x89PNG", ".html": b"<!doctype html>"}


@pytest.mark.parametrize("suffix", STARTS)
@pytest.mark.parametrize("kind", FIGURES)
def test_plot_draws_every_figure(kind: str, suffix: str, made: Call) -> None:
    code, out, err = made("plot", "small", "-k", kind, *FIGURES[kind], "-o", f"f{suffix}")
    assert "nodes" in out
    assert (code, err) == (0, f"wrote f{suffix}\n")
    assert Path(f"f{suffix}").read_bytes().startswith(STARTS[suffix])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("plot", "small", "--x", "nodse"), "nodes"),
        (("plot", "small", "--x", "nodes", "-k", "pie"), "lines, heat, pareto, box"),
        (("plot", "small", "--x", "nodes", "-o", "f.pdf"), "pdf"),
        (("plot", "small", "--x", "nodes", "--log", "z"), "xy"),
        (("plot", "small", "--x", "kind", "--log", "x"), "values of 'kind' are not"),
        (("plot", "small", "--x", "nodes", "--log", "x", "--by", "nowhere"), "nowhere"),
        (("plot", "small", "--x", "nodes", "-k", "box", "--log", "x"), "groups"),
        (("plot", "small", "--x", "nodes", "-k", "heat"), "--y"),
        (("plot", "small", "--x", "nodes", "--where", "nodes > 99"), "--where"),
        (("query", "nowhere", "select 1"), "nowhere"),
        (("query", "small", "select 1", "-o", "small/merged/rows.parquet"), "files of the study"),
        (("study",), "--again"),
        (("study", "wrong.yaml", "-o", "new"), "a design of the study: unknown kind 'rign'"),
        (("study", "none.yaml"), "none.yaml"),
    ],
)
def test_mistakes_are_told(words: tuple[str, ...], told: str, made: Call) -> None:
    wrong = "{designs: [{design: {topology: {kind: rign}}}], workloads: [barrier]}"
    Path("wrong.yaml").write_text(wrong)
    code, out, err = made(*words)
    assert (code, out) == (2, "")
    assert told in err
