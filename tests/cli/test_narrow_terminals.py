"""Every command that prints a table, on terminals of several widths: nothing is cut, no line is
longer than the terminal, and the headings of `check` are complete.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwright.cli import run

MESH = "{{name: mesh, topology: {{kind: p-mesh, shape: {0}}}, parts: {{catalogue: whitney-1998}}}}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mesh.yaml").write_text(MESH.format([3, 3]))
    (tmp_path / "larger.yaml").write_text(MESH.format([3, 4]))
    assert run(("plan", "mesh.yaml", "-o", "plan", "--quiet")) == 0
    return tmp_path


COMMANDS = [
    "calibrate 486dx4-100-linux-1.2 --free messages.take.us",
    "check mesh.yaml --return-paths",
    "compare --nodes 4 --engine analytic --format table",
    "plan mesh.yaml -o plan --format table",
    "plan larger.yaml --diff plan",
    "reproduce PMESH-1998/3",
    "saturate mesh.yaml",
    "simulate mesh.yaml --workload ping-pong --engine analytic",
    *(f"list {kind}" for kind in ("topologies", "parts", "workloads", "calibrations", "papers")),
]


@pytest.mark.parametrize("width", [60, 80, 100, 200])
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_cut(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    width: int,
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert run((*command.split(), "--quiet")) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 3
    assert not [line for line in lines if "…" in line or len(line.rstrip()) > width]


@pytest.mark.parametrize("width", [30, 40, 60, 80, 100])
def test_the_headings_of_check_are_complete(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    width: int,
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    run(("check", "mesh.yaml", "--return-paths", "--quiet"))
    before_remarks, remarks, _ = capsys.readouterr().out.partition("Every node opens")
    assert remarks
    words = set(before_remarks.split())
    headings = "failure of tried heal by themselves need new tables cut nodes off "
    headings += "longest detour busiest node forwards dropped: strict dropped: loose"
    assert set(headings.split()) <= words
