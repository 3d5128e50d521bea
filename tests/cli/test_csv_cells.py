"""A design whose names are formulas, through every command that writes CSV: no cell of it is run by
a spreadsheet, JSON has the names as they are, and a plan compared with itself does not change.
"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from linkwright.cli import run

LINK = '=HYPERLINK("http://evil.example/","16 nodes")'
SOURCE = "+cmd|' /C calc'!A1"
DESIGN = f"""name: '{LINK}'
topology: {{kind: torus, shape: [2, 2]}}
parts:
  catalogue: whitney-1998
  nic: {{name: "@SUM(1+1)", source: "{SOURCE}", price: 90, date: 1999-03-01}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "design.yaml").write_text(DESIGN)
    return tmp_path


def assert_nothing_runs(text: str) -> None:
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    assert cells
    for cell in cells:
        if re.match(r"\s*[=+\-@]|[\t\r\n]", cell):
            float(cell)  # a number may have a sign


@pytest.mark.parametrize(
    ("command", "is_named"),
    [
        (("compare", "design.yaml", "--engine", "analytic"), True),
        (("simulate", "design.yaml", "--workload", "barrier", "--engine", "analytic"), True),
        (("check", "design.yaml"), True),
        (("plan", "design.yaml", "-o", "plan"), True),
        (("saturate", "design.yaml"), True),
        (("list", "parts"), False),
    ],
)
def test_no_cell_on_stdout_is_run(
    folder: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], is_named: bool
) -> None:
    assert run((*command, "--format", "csv")) == 0
    table = capsys.readouterr().out
    assert_nothing_runs(table)
    assert (json.dumps(f"'{LINK}").replace('\\"', '""') in table) == is_named
    if is_named:
        assert run((*command, "--format", "json")) == 0
        assert json.dumps(LINK) in capsys.readouterr().out


def test_no_cell_of_a_plan_is_run_and_it_is_the_same_plan_when_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(("plan", "design.yaml", "-o", "plan", "--quiet")) == 0
    for path in sorted(folder.glob("plan/*.csv")):
        assert_nothing_runs(path.read_text())
    assert f"'{SOURCE}" in (folder / "plan/bom.csv").read_text()
    assert run(("plan", "design.yaml", "--diff", "plan", "--format", "csv")) == 0
    assert capsys.readouterr().out == "table,change,device,what,old,new\n"
