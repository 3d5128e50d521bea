"""Output whose encoding lacks a character, and standard streams that the caller closed.

Each case is a process of its own, since a process has one standard output.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-c", "import linkwright.cli; linkwright.cli.main()"]
DESIGN = "{name: Grüße, topology: {kind: torus, shape: [2, 2]}}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "torus.yaml").write_text(DESIGN, encoding="utf-8")
    return tmp_path


def ran(
    folder: Path, *arguments: str | bytes, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("command", ["list", "simulate"])
def test_a_table_is_shown_in_any_encoding(folder: Path, encoding: str, command: str) -> None:
    arguments = ("list", "parts") if command == "list" else ("simulate", "torus.yaml", "-wbarrier")
    ended = ran(folder, *arguments, PYTHONIOENCODING=encoding)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.decode(encoding).isprintable() or b"\n" in ended.stdout
    if command == "simulate" and encoding == "ascii":
        assert b" us|" in ended.stdout


def test_json_is_exact_in_any_encoding(folder: Path) -> None:
    arguments = ("simulate", "torus.yaml", "-wbarrier", "--format", "json")
    ended = ran(folder, *arguments, PYTHONIOENCODING="ascii")
    assert json.loads(ended.stdout)[0]["design"] == "Grüße"


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_files_name_a_file_that_is_no_text(folder: Path, locale: str) -> None:
    name = os.fsencode(folder) + b"/b\xff.yaml"
    Path(os.fsdecode(name)).write_text(DESIGN, encoding="utf-8")
    ended = ran(folder, "check", name, "-o", "page.html", LC_ALL=locale)
    assert ended.returncode == 0, ended.stderr
    assert "b?.yaml" in (folder / "page.html").read_text(encoding="utf-8")
    ended = ran(folder, "simulate", name, "-wbarrier", "-o", "rows.json", LC_ALL=locale)
    assert ended.returncode == 0, ended.stderr
    assert "b?.yaml" in (folder / "rows.manifest.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("closed", "arguments", "code", "error"),
    [
        (">&-", "list parts", 4, b"error: the output cannot be written: Bad file descriptor"),
        (">&-", "list parts -o parts.json", 0, b"wrote parts.json"),
        ("<&- 2>&-", "list parts -o parts.json", 0, b""),
    ],
)
def test_closed_streams(folder: Path, closed: str, arguments: str, code: int, error: bytes) -> None:
    shell = f"exec {sys.executable} -c '{PROGRAM[2]}' {arguments} {closed}"
    ended = subprocess.run(["bash", "-c", shell], cwd=folder, capture_output=True, check=False)
    assert ended.returncode == code
    assert ended.stderr.startswith(error)
    assert b"Traceback" not in ended.stderr
    if code == 0:
        assert json.loads((folder / "parts.json").read_text(encoding="utf-8"))


def test_a_terminal_does_not_obey_names(folder: Path) -> None:
    ended = ran(folder, "check", "a\x1b]0;title\x07.yaml")
    assert ended.returncode == 2
    assert b"\x1b" not in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "code"), [("check missing.yaml", 2), ("study small.yaml -o new", 0)]
)
def test_a_full_disk_behind_stderr_changes_no_exit_code(
    folder: Path, arguments: str, code: int
) -> None:
    (folder / "small.yaml").write_text(
        "{designs: [d.yaml], workloads: [barrier], engines: [analytic]}"
    )
    (folder / "d.yaml").write_text("topology: {kind: ring, shape: [3]}")
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "linkwright", *arguments.split()],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
        )
    assert ended.returncode == code
    assert code or b"1 runs, 0 failed" in ended.stdout
