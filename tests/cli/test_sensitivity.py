"""`linkwright sensitivity`: its answer in every format, and the notes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from linkwright.cli import run as command
from linkwright.study import Study, run

STUDY = """
question: Does the ring matter?
designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [[4], [8]]}}]
workloads: [{name: broadcast, axes: {size_bytes: [64, 65536]}}]
engines: [analytic, flow]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(Study.parse(STUDY), tmp_path_factory.mktemp("cli") / "ring", jobs=1).path


def test_every_format_has_the_same_rows(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.csv", "a.json", "a.svg", "a.png", "a.html"):
        assert command(["sensitivity", str(folder), "-o", str(tmp_path / name)]) == 0
        printed = capsys.readouterr().out
        assert ("topology.shape" in printed) == (name not in ("a.csv", "a.json"))
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    read = json.loads((tmp_path / "a.json").read_text())
    assert [row["axis"] for row in rows] == [row["axis"] for row in read]
    assert [float(row["effect"]) for row in rows] == [row["effect"] for row in read]
    assert [row["engine"] for row in read] == ["analytic"] * 2 + ["flow"] * 2
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "a.svg").read_text()
    page = (tmp_path / "a.html").read_text()
    assert "Does the ring matter?" in page
    assert page.count("topology.shape") >= 2


def test_by_names_and_metrics_reach_the_analysis(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["sensitivity", str(folder), "--by", "workload, size_bytes", "--format", "csv"]
    assert command(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("workload,size_bytes,engine,axis,")
    assert len(lines) == 1 + 2 * 2
    assert command([*words, "--metric", "events"]) == 0
    assert command([*words, "--metric", "speed"]) == 2


def test_notes_are_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["sensitivity", str(folder), "--where", "engine = 'flow'"]) == 0
    assert "note: analytic: no row of 'time'" in capsys.readouterr().err
