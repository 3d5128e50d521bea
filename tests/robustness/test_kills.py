"""Commands killed while they write, and disks without room: a file is absent, old or whole.

A child process runs a command again and again, with two inputs in turn, and is killed at one of
several moments. How files and folders are written is tested in tests/files.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from linkwright.cli import run

DESIGNS = {
    "d0.yaml": "topology: {kind: torus, shape: [2, 2]}\n",
    "d1.yaml": "topology: {kind: switch, nodes: 6}\n",
}
LOOP = """
import itertools, os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from linkwright.cli import run
lines = [line.split() for line in sys.argv[1:]]
print("ready", flush=True)
for line in itertools.cycle(lines):
    code = run(line)
    if code:
        os._exit(code)
"""
"""Runs command lines in turn, until it is killed, and ends as the program does."""

MOMENTS_S = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3)
"""When a child is killed, after it has begun with its first command."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)

Contents = dict[str, bytes]
IsWhole = Callable[[bytes], bool]


@dataclass(frozen=True)
class Writer:
    """A command that writes; `{}` is replaced by 0 or 1."""

    line: str
    output: str
    """The file or folder that it writes."""
    is_whole: IsWhole | None = None
    """Judges a file whose content has times of the clock. Default: it has one of two texts."""

    def lines(self) -> list[str]:
        return [self.line.format(turn) for turn in (0, 1)]


def is_result(content: bytes) -> bool:
    """Return whether a file is a whole JSON document with something in it."""
    return bool(json.loads(content))


WRITERS = {
    "results": Writer(
        "simulate d{0}.yaml -w barrier -e analytic -q -o r.json", "r.json", is_result
    ),
    "capture": Writer("simulate d{0}.yaml -w barrier --trace t.pcapng --format csv -q", "t.pcapng"),
    "plan": Writer("plan d{0}.yaml -o plan --force -q", "plan"),
    "goal": Writer("goal d{0}.yaml -w all-reduce -o d.goal -q", "d.goal"),
    "list": Writer("list parts -o parts.csv -q", "parts.csv"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in DESIGNS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def contents(path: Path) -> Contents:
    """Return every file below a path, or the file itself, that is no leftover of a killed one."""
    found = [path] if path.is_file() else sorted(path.rglob("*"))
    return {
        one.relative_to(path.parent).as_posix(): one.read_bytes() for one in found if one.is_file()
    }


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_command_leaves_the_old_or_the_new(name: str, folder: Path) -> None:
    writer = WRITERS[name]
    output = folder / writer.output
    wholes = []
    for line in writer.lines():
        assert run(line.split()) == 0
        wholes.append(contents(output))
    expected = names(folder)
    for number, moment_s in enumerate(MOMENTS_S):
        kill(writer.lines(), SIGNALS[number % len(SIGNALS)], moment_s, folder)
        found = contents(output)
        if writer.is_whole is None:
            assert found in wholes, f"half after {moment_s} s"
        else:
            assert found
            assert all(map(writer.is_whole, found.values())), f"half after {moment_s} s"
    for line in writer.lines():
        assert run(line.split()) == 0
    assert names(folder) == expected, "leftovers of the killed"


def test_killed_reproductions_leave_whole_runs(folder: Path) -> None:
    line = "reproduce PMESH-1998/ping-pong --quick --folder out -q -o rows.csv"
    for moment_s, number in zip((0.1, 0.4, 1.0), SIGNALS, strict=True):
        kill([line], number, moment_s, folder)
    assert run(line.split()) == 0
    left = [name for name in names(folder) if name.endswith(".part") or ".linkwright-" in name]
    assert left == []
    assert run(["reproduce", "PMESH-1998/ping-pong", "--quick", "-q", "-o", "again.csv"]) == 0
    assert numbers(folder / "again.csv") == numbers(folder / "rows.csv")


def numbers(file: Path) -> list[str]:
    """Return the rows of a table that no clock is in."""
    rows = file.read_text(encoding="utf-8").splitlines()
    return [row for row in rows if "wall_s" not in row and "peak_rss" not in row]


def kill(lines: list[str], number: signal.Signals, moment_s: float, folder: Path) -> None:
    """Start a child that runs command lines in turn, and kill it after a while."""
    child = subprocess.Popen(
        [sys.executable, "-c", LOOP, *lines],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == "ready\n"
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=moment_s)
        assert child.poll() is None, child.stderr.read()
        # Python ignores an interrupt that falls into a destructor: people press the keys again.
        while child.poll() is None:
            child.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=5)
        child.stdout.read()
        said = child.stderr.read()
    assert child.returncode in (-number, 130), said
    assert said == "" or number == signal.SIGINT, said


@contextlib.contextmanager
def file_system(place: Path, size: str) -> Iterator[None]:
    """Mount a file system of that size, or skip the test by what is missing."""
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("no right to mount a file system")
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


FILLING = {
    "goal": ("goal -n 64 -w all-to-all -o {}/out.goal", "out.goal"),
    "capture": ("simulate d1.yaml -w all-to-all --trace {}/t.pcapng", "t.pcapng"),
    "results": ("list parts -o {}/parts.json", "parts.json"),
    "plan": ("plan d1.yaml -o {}/plan --force", "plan/routes.csv"),
}
"""Command line whose output is larger than the room, and a file of it."""


def fills_up(line: str, file: Path, limit_bytes: int | None, folder: Path) -> None:
    """Check that a command without room for its output reports it and leaves the old file."""
    file.parent.mkdir(exist_ok=True)
    file.write_text("old", encoding="utf-8")
    before = names(folder)

    def limit() -> None:
        if limit_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))

    ended = subprocess.run(
        [sys.executable, "-c", "import linkwright.cli; linkwright.cli.main()", *line.split()],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    assert ended.returncode == 4, ended.stderr
    error, hint, *rest = ended.stderr.splitlines()
    assert error.startswith("error: ")
    assert "cannot be written" in error
    assert hint.startswith("hint: ")
    assert rest == []
    assert file.read_text(encoding="utf-8") == "old"
    assert names(folder) == before


@pytest.mark.parametrize("name", FILLING)
def test_a_file_that_may_not_grow_stays_as_it_was(name: str, folder: Path) -> None:
    line, file = FILLING[name]
    (folder / "small").mkdir()
    fills_up(line.format("small"), folder / "small" / file, 500, folder)


@pytest.mark.parametrize("name", FILLING)
def test_a_full_disk_leaves_the_old_file(name: str, folder: Path) -> None:
    line, file = FILLING[name]
    small = folder / "small"
    small.mkdir()
    with file_system(small, "64k"):
        (small / "filler").write_bytes(os.urandom(50_000))
        fills_up(line.format("small"), small / file, None, folder)
