"""Options and words that every command has: -h, -v, --debug, and - for standard streams.

Options that would have no effect are refused everywhere, too.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkwright.cli import run
from linkwright.cli.application import COMMANDS

RING = "{name: round, topology: {kind: ring, shape: [3]}}"
STUDY = "{designs: [ring.yaml], workloads: [broadcast], engines: [analytic]}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring.yaml").write_text(RING)
    yield tmp_path
    logging.getLogger("linkwright").handlers = []
    logging.getLogger("linkwright").setLevel(logging.NOTSET)


def piped(text: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "linkwright", *words],
        input=text.encode(),
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short_and_long(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "-h"]) == 0
    short = capsys.readouterr().out
    assert run([command, "--help"]) == 0
    assert short == capsys.readouterr().out
    for option in ("-h, --help", "-v, --verbose", "--debug", "-q, --quiet"):
        assert option in short


def test_versions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-V"]) == run(["--version"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RING, "check - --failures none"),
        (RING, "simulate - -w barrier -o - --format csv"),
        (RING, "saturate - -p uniform"),
        (RING, "compare - -w barrier -e analytic --format json"),
        (RING, "plan - -o planned"),
        (RING, "goal - -w barrier -o -"),
        (STUDY, "study - -o studied -j 1"),
        ("a_device,a_port,b_device,b_port\nx,eth0,y,eth0\n", "import - -o -"),
        ("cable:0 down at 1s up at 2s", "simulate ring.yaml -w barrier --fault-file -"),
        ("0 1 2".replace(" ", "\n"), "simulate ring.yaml -w barrier --placement @-"),
    ],
)
def test_standard_input_is_a_file(text: str, words: str, folder: Path) -> None:
    ended = piped(text, *words.split(), "-q")
    assert ended.returncode == 0, ended.stderr
    assert not (folder / "-").exists()


def test_what_is_wrong_there_is_named(folder: Path) -> None:
    assert piped("", "check", "-").stderr.startswith(b"error: design file on standard input")
    assert b"name a folder" in piped(RING, "plan", "-", "-o", "-").stderr
    assert b"-o" in piped(STUDY, "study", "-").stderr


def test_a_capture_on_standard_output(folder: Path) -> None:
    watched = ("simulate", "ring.yaml", "-w", "barrier", "--trace", "-")
    assert piped("", *watched, "-o", "rows.csv", "-q").stdout[:4] == b"\x0a\x0d\x0d\x0a"
    both = piped("", *watched)
    assert (both.returncode, both.stdout) == (2, b"")
    assert b"standard output is the output of two options" in both.stderr


UNUSED = {
    "emulate ring.yaml --set count=1 -- true": "--set",
    "emulate ring.yaml -o x.json -- true": "--output",
    "emulate ring.yaml --format json -- true": "--format",
    "emulate ring.yaml --failures none -- true": "--failures",
    "emulate ring.yaml -w barrier --keep": "--keep",
    "emulate ring.yaml --verify --keep": "--keep",
    "emulate ring.yaml --verify --seed 2": "--seed",
    "emulate ring.yaml --verify --host host.send.us=1": "--host",
    "emulate ring.yaml --verify --dilation 2": "--dilation",
    "emulate ring.yaml --backend veth --seed 2 -- true": "--seed",
    "emulate ring.yaml --backend veth -w barrier": "--workload",
    "emulate --clean ring.yaml": "DESIGN",
    "emulate --clean -w barrier": "--workload",
    "list engines -c whitney-1998": "--catalogue",
    "goal --recorder -n 3": "--ranks",
    "plan ring.yaml --diff old --force": "--force",
    "check ring.yaml --failures none --return-paths": "--return-paths",
    "calibrate pentium-ii-400-linux-2.2 --draws 4": "--draws",
    "lesson hub-collapse --format csv": "--format",
    "compare ring.yaml --all": "--all",
    "plot s --x a --y b": "--y",
    "plot s --x a --y b -k heat --by c": "--by",
    "study --again s --many": "--many",
    "study --again s --dry-run": "--dry-run",
    "simulate ring.yaml -w barrier --timeline x.txt": "--timeline",
    "simulate ring.yaml -w barrier --trace x.csv": "--trace",
    "simulate ring.yaml -w barrier --traffic x.json": "--traffic",
    "simulate ring.yaml -w barrier --background-set count=1": "--background-set",
    "saturate ring.yaml --set k=1": "--set",
    "compare ring.yaml -w barrier --set size=1": "size",
}


@pytest.mark.parametrize("line", UNUSED)
def test_an_option_without_effect_is_refused(
    line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.rglob("*"))
    assert run(line.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert UNUSED[line] in err
    assert sorted(folder.rglob("*")) == before


def test_settings_of_a_comparison(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compared = ("compare", "ring.yaml", "-w", "broadcast", "-w", "all-to-all", "--format", "json")
    times = []
    for settings in ((), ("--set", "size_bytes=64K"), ("--set", "broadcast.size_bytes=64K")):
        assert run([*compared, "-e", "analytic", "-q", *settings]) == 0
        found = json.loads(capsys.readouterr().out)[0]["workloads"]
        times.append([found[name]["time"] for name in ("broadcast", "all-to-all")])
    usual, both, one = times
    assert both[0] > usual[0]
    assert both[1] > usual[1]
    assert one == [both[0], usual[1]]


def test_choices_are_shown_with_reasons(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate = ("simulate", "ring.yaml", "-w", "barrier", "-q")
    assert run([*simulate, "-v"]) == 0
    said = capsys.readouterr().err
    for word in ("catalogue", "routes", "default of ring", "calibration", "seeds"):
        assert word in said
    assert "--engine" not in said
    assert run([*simulate, "--debug"]) == 0
    said = capsys.readouterr().err
    assert "--engine: packet, default" in said
    assert "--workload: barrier, typed" in said
    assert "part " in said
    assert run(simulate) == 0
    assert capsys.readouterr().err == ""


def test_the_log_changes_no_result(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for more in ((), ("-v",), ("--debug",)):
        assert run(["saturate", "ring.yaml", "--format", "json", "-q", *more]) == 0
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 1


@pytest.mark.parametrize(("name", "target"), [("proxmox", "ifupdown2"), ("Ubuntu", "netplan")])
def test_other_names_of_targets(name: str, target: str, folder: Path) -> None:
    assert run(["plan", "ring.yaml", "-o", "p", "-q", "--for", f"{name},{target}"]) == 0
    assert [one.name for one in Path("p/nodes/n0").iterdir()] == [target]
