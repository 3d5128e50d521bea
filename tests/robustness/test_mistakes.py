"""Careless and hostile command lines: each gets one clear answer and leaves the folder as it was.

The lines are in mistakes/, by the kind of mistake; the usual ones, with what is said of each, are
in cli/test_errors.py.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from tests.robustness.mistakes.case import Case
from tests.robustness.mistakes.files import FILES, make_files, make_plans
from tests.robustness.mistakes.names import NAMES
from tests.robustness.mistakes.values import VALUES

from linkwright.cli import run

CASES = [*NAMES, *VALUES, *FILES]
MOST_S = 20
"""Seconds after which a command line counts as one that never ends."""
MOST_OF_LINE = 2000
"""Characters of a line of an answer; the list of all workloads is the longest."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of all files; no case may change it."""
    made = tmp_path_factory.mktemp("mistakes")
    make_files(made)
    assert run(["plan", str(made / "d.yaml"), "-o", str(made / "plan"), "--quiet"]) == 0
    make_plans(made)
    return made


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Return every name in a folder with the number and time of what it names."""
    found = {str(path): path.lstat() for path in folder.rglob("*")}
    return {name: (one.st_ino, one.st_mtime_ns) for name, one in found.items()}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_mistake_is_answered(
    case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    before = state(folder)
    with ending():
        code = run(case.arguments)
    out, err = capsys.readouterr()
    assert state(folder) == before, "the folder changed"
    assert code == case.code, err
    if code:
        assert out == ""
        assert fault_of_answer(err) == "", err[:2000]
    assert [part for part in case.parts if part not in err] == [], err[:2000]


@contextmanager
def ending() -> Iterator[None]:
    """End what never ends."""
    before = signal.signal(signal.SIGALRM, _endless)
    signal.alarm(MOST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _endless(_signal: int, _frame: FrameType | None) -> None:
    raise AssertionError(f"no answer within {MOST_S} s")


def fault_of_answer(err: str) -> str:
    """Return the fault of an error as an answer, or nothing."""
    lines = err.rstrip("\n").split("\n")
    if not lines[0].startswith("error: ") or not lines[0].removeprefix("error: ").strip():
        return "it names no error"
    if not re.match(r"hint: .*\w", lines[-1]):
        return "it has no remedy"
    if len(lines) > 2 and not re.search(r" \d+ mistakes:$", lines[0]):
        return "it has more than a line"
    if max(map(len, lines)) > MOST_OF_LINE:
        return "a line is too long"
    if re.search(r"Traceback|Errno|object at 0x|[\x00-\x08\x0b-\x1f]", err):
        return "it is not for a reader"
    if re.search(r"Value error|fault of Linkwright|\b(None|True|False) is not", err):
        return "it is for a programmer"
    return ""
