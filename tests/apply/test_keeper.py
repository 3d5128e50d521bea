"""The keeper where something comes in between: a journal that is damaged, interfaces that vanish,
programs that remove the empty journal, and steps that cannot be taken back.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linkwright.apply import journal, keeper, timer
from linkwright.apply.program import program

RUN = "0123456789abcdef"
FOUND: dict[str, Any] = {"run": RUN, "scope": {}, "state": {}, "earlier": None}


@pytest.fixture
def under_way(monkeypatch: pytest.MonkeyPatch) -> dict[Path, Any]:
    """Provide a journal with a change under way; no program of the machine runs."""
    found: dict[Path, Any] = {keeper.UNDER_WAY: FOUND}
    monkeypatch.setattr(keeper, "locked", contextlib.nullcontext)
    monkeypatch.setattr(keeper, "saved", found.get)
    monkeypatch.setattr(keeper, "forget", lambda *paths: [found.pop(one, None) for one in paths])
    monkeypatch.setattr(timer, "has_systemd", lambda: True)
    monkeypatch.setattr(keeper.time, "sleep", lambda _: None)
    return found


def let_bring(patch: pytest.MonkeyPatch, *answers: list[str] | OSError) -> None:
    """Let the ways back end as said, one after the other."""
    left = list(answers)

    def bring(*_: object, strictly: bool) -> list[str]:
        assert not strictly
        answer = left.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    patch.setattr(keeper, "bring", bring)


Act = Callable[[], object]


@pytest.mark.parametrize("act", [lambda: keeper.undo({}), lambda: keeper.back({"run": RUN})])
def test_the_timer_of_a_change_that_is_taken_back_is_stopped(
    under_way: dict[Path, Any], monkeypatch: pytest.MonkeyPatch, act: Act
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(timer, "call", called.append)
    let_bring(monkeypatch, ["left"], [])
    act()
    assert not called, "what is left is tried again"
    act()
    assert called == [["systemctl", "stop", f"linkwright-{RUN}.timer"]]
    assert not under_way


def test_an_interface_that_vanishes_does_not_end_the_timer(
    under_way: dict[Path, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timer, "call", lambda _: None)
    let_bring(monkeypatch, FileNotFoundError("rp_filter"), ["left"], [])
    assert keeper.commanded("expire", [RUN, "0"]) == 0
    assert not under_way


def test_what_cannot_be_taken_back_by_hand_is_said(
    under_way: dict[Path, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    let_bring(monkeypatch, ["eth0 is busy"])
    assert keeper.commanded("undo", []) == 1
    assert capsys.readouterr() == ("", "not taken back: eth0 is busy\n")


@pytest.mark.parametrize(("text", "code", "said"), [("{", 4, "is damaged"), (None, 0, "nothing")])
def test_undo_by_hand_has_an_exit_code_and_no_traceback(
    tmp_path: Path, text: str | None, code: int, said: str
) -> None:
    folder = tmp_path / "linkwright"
    folder.mkdir()
    if text is not None:
        (folder / "before.json").write_text(text)
    own = tmp_path / "keeper.py"
    own.write_text(program().replace("/var/lib/linkwright", str(folder)))
    done = subprocess.run(
        [sys.executable, "-I", own, "undo"], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_another_program_removes_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, open_folder, opened = tmp_path / "linkwright", os.open, []

    def removed_once(path: Any, *flags: Any, **options: Any) -> int:
        if path == folder and not opened:
            opened.append(path)
            folder.rmdir()
        return open_folder(path, *flags, **options)

    for name in ("FOLDER", "BEFORE", "UNDER_WAY"):
        part = {"FOLDER": ".", "BEFORE": "before.json", "UNDER_WAY": "under-way.json"}[name]
        monkeypatch.setattr(journal, name, folder / part)
    monkeypatch.setattr(os, "open", removed_once)
    with journal.locked():
        assert folder.is_dir()
    assert opened
    assert not folder.exists()
