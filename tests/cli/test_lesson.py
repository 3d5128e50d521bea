"""`linkwright lesson`: the list, a file, the browser, and requests that it refuses.

The pages themselves are tested in tests/views and tests/live.
"""

from __future__ import annotations

import json
import webbrowser
from pathlib import Path

import pytest

from linkwright.cli import run
from linkwright.errors import UsageError
from linkwright.lessons import LESSONS


@pytest.fixture(autouse=True)
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Work in a new folder, and collect the addresses that the browser would open."""
    found: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(webbrowser, "open", lambda address: found.append(address) or True)
    return found


def test_without_a_name_the_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lesson", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(one["lesson"], one["title"]) for one in listed] == [
        (name, lesson.title) for name, lesson in LESSONS.items()
    ]
    assert run(["lesson"]) == 0
    assert "A hub under load" in capsys.readouterr().out


def test_a_lesson_is_written_to_a_file(
    tmp_path: Path, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lesson", "capture-effect", "-o", "capture.html"]) == 0
    assert capsys.readouterr().err == "wrote capture.html\n"
    text = (tmp_path / "capture.html").read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert opened == []


def test_a_lesson_without_a_file_is_opened(opened: list[str]) -> None:
    assert run(["lesson", "capture-effect", "--quiet"]) == 0
    [address] = opened
    assert address.endswith("/capture-effect.html")
    assert Path(address.removeprefix("file://")).read_text().startswith("<!doctype html>")


def test_without_a_browser_the_file_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    assert run(["lesson", "capture-effect"]) == 0
    first, second = capsys.readouterr().err.splitlines()
    assert Path(first.removeprefix("wrote ")).is_file()
    assert second == "no browser was found: open this file in one"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hubs"], "there is no lesson 'hubs'"),
        (["capture-effect", "-o", "capture.svg"], "a lesson is a page"),
        (["capture-effect", "--format", "json"], "a lesson is a page"),
    ],
)
def test_what_is_no_page_of_a_lesson_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], opened: list[str]
) -> None:
    assert run(["lesson", *arguments]) == UsageError.exit_code
    assert message in capsys.readouterr().err
    assert opened == []
