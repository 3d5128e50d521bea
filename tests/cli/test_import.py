"""`linkwright import`: the design on stdout or in a file, remarks and changed names on stderr.

The small graphs each failed once: labels of an editor, a device without a cable, comments, numbers
as names, and a name that no host can have.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from linkwright.cli import run
from linkwright.design.cluster import Cluster

TABLE = "a_device,a_port,b_device,b_port\nhestia,eth1,juno,eth1\njuno,eth2,gpu_box_3,eth1\n"
NUMBERS = (
    '<graphml><graph edgedefault="undirected"><node id="0"/><node id="1"/><node id="2"/>'
    '<edge source="0" target="1"/><edge source="1" target="2"/></graph></graphml>'
)


def test_a_design_is_written_and_changed_names_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rack.cables.csv").write_text(TABLE)
    out = tmp_path / "rack.yaml"
    assert run(["import", str(tmp_path / "rack.cables.csv"), "-o", str(out)]) == 0
    said = capsys.readouterr().err
    assert "rack.cables.csv', line 3: 'gpu_box_3' is gpu-box-3" in said
    cluster = Cluster.load(out)
    assert cluster.name == "rack"
    assert list(cluster.model_dump()["topology"]["nodes"]) == ["hestia", "juno", "gpu-box-3"]


def test_names_are_refused_with_their_line_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.csv").write_text(TABLE)
    assert run(["import", str(tmp_path / "g.csv"), "--rename", "none"]) == 2
    said = capsys.readouterr()
    assert "g.csv', line 3: 'gpu_box_3' is no name" in said.err
    assert not said.out


def test_numbers_are_nodes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.graphml").write_text(NUMBERS)
    assert run(["import", str(tmp_path / "g.graphml"), "-q"]) == 0
    said = capsys.readouterr()
    assert not said.err
    assert list(Cluster.parse(said.out).model_dump()["topology"]["nodes"]) == ["n0", "n1", "n2"]


def test_a_device_without_a_cable_is_left_out_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.dot").write_text("graph {\n  a -- b\n  spare [function=host]\n}")
    assert run(["import", str(tmp_path / "g.dot")]) == 0
    said = capsys.readouterr()
    assert "left out a device without a cable" in said.err
    assert "line 3 (spare)" in said.err
    assert "spare" not in said.out


def test_many_changed_names_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{k},{k + 1}\n" for k in range(30))
    (tmp_path / "g.csv").write_text(f"source,target\n{rows}")
    assert run(["import", str(tmp_path / "g.csv")]) == 0
    assert "and 11 more names" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--format", "cables"]])
def test_standard_input(arguments: list[str]) -> None:
    program = "import sys; from linkwright.cli import run; sys.exit(run(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "import", "-", *arguments]
    done = subprocess.run(command, input=TABLE, capture_output=True, text=True, check=True)
    assert Cluster.parse(done.stdout).name == "imported"
    assert "standard input, line 3: 'gpu_box_3' is gpu-box-3" in done.stderr


def test_a_mistake_names_the_format_and_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.bin").write_text("hello")
    assert run(["import", str(tmp_path / "g.bin")]) == 2
    assert "is of no known format" in capsys.readouterr().err
    assert run(["import", str(tmp_path / "none.dot")]) == 2
    assert "cannot be read" in capsys.readouterr().err
