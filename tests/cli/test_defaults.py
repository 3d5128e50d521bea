"""The file of defaults: its values stand for options that are not given.

Manifests record them as options, and mistakes name the file and the key.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from linkwright.cli import run

SIMULATE = ("simulate", "ring.yaml", "-w", "barrier", "-q")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    Path("ring.yaml").write_text("topology: {kind: ring, shape: [3]}")
    Path("config").mkdir()
    return tmp_path / "config" / "linkwright.toml"


def test_without_a_file_nothing_differs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", "defaults", "--format", "json"]) == 0
    assert {one["from"] for one in json.loads(capsys.readouterr().out)} == {"Linkwright"}


def test_values_stand_for_options(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text('engine = "analytic"\nformat = "json"\n')
    assert run(SIMULATE) == 0
    assert {row["engine"] for row in json.loads(capsys.readouterr().out)} == {"analytic"}
    assert run([*SIMULATE, "-e", "flow", "--format", "csv"]) == 0
    assert "flow" in capsys.readouterr().out.splitlines()[1]
    assert run(["list", "defaults", "--format", "json"]) == 0
    listed = {one["key"]: one for one in json.loads(capsys.readouterr().out)}
    assert (listed["engine"]["value"], listed["engine"]["from"]) == ("analytic", str(file))


def test_a_format_is_for_stdout(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text('format = "json"\n')
    assert run([*SIMULATE, "-o", "rows.csv"]) == 0
    assert capsys.readouterr().out == ""
    assert run(["goal", "-n2", "-wbarrier", "-q"]) == 0  # has no format


def test_manifests_record_them(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('engine = "analytic"\n')
    monkeypatch.setattr("sys.argv", ["linkwright", *SIMULATE, "-o", "rows.json"])
    assert run() == 0
    manifests = json.loads(Path("rows.manifest.json").read_text())
    assert manifests[0]["command"][-2:] == ["--engine", "analytic"]


def test_a_catalogue_is_for_new_networks(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text('catalogue = "ethernet-2026"\n')
    compared = ("compare", "-w", "barrier", "-e", "analytic", "--format", "json", "-q")
    assert run([*compared, "--nodes", "4"]) == 0
    assert {one["currency"] for one in json.loads(capsys.readouterr().out)} == {"USD"}
    assert run([*compared, "ring.yaml"]) == 0  # a design has a catalogue of its own


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('engin = "flow"', ("'engin'", "'engine'")),
        ('engine = "flw"', ("engine is 'flw'", "'flow'")),
        ("engine = 3", ("engine is 3", "known: analytic")),
        ('catalogue = "whitney"', ("catalogue is 'whitney'", "whitney-1998")),
        ('colours = "red"', ("colours is 'red'", "auto, always, never")),
        ('format = "xml"', ("format is 'xml'", "table, json, csv")),
        ("engine", ("is no TOML", "list defaults")),
        ("engine = " + "[" * 5000, ("is no TOML", "nested too deeply")),
        ("engine = " + "9" * 5000, ("is no TOML", "too many digits")),
        ("[engine]", ("engine is {}",)),
    ],
)
def test_mistakes_name_the_file_and_the_key(
    text: str, parts: tuple[str, ...], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(text)
    assert run(["list", "engines"]) == 2
    err = capsys.readouterr().err
    for part in (str(file), *parts):
        assert part in err


def test_colours(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    file.write_text('colours = "always"\n')
    assert run(["list", "engines", "-q"]) == 0
    assert "FORCE_COLOR" not in os.environ  # the environment has the last word
    monkeypatch.delenv("NO_COLOR")
    assert run(["list", "engines", "-q"]) == 0
    assert os.environ.pop("FORCE_COLOR") == "1"
