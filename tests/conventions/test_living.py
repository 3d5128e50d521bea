"""Pages that the documentation embeds: each one that is made is shown, and each shown one is made.

Whether the built pages have them at those places is checked by tools/links.py.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import living

ROOT = Path(__file__).parents[2]
FRAME = re.compile(r"^```\{living\} (\S+)\n(.+)\n```$", re.M)


def frames() -> list[tuple[str, str]]:
    """Return the name and the title of every frame in the documentation."""
    pages = [page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts]
    return [frame for page in pages for frame in FRAME.findall(page.read_text(encoding="utf-8"))]


def test_every_page_that_is_made_is_shown_once() -> None:
    assert sorted(name for name, _ in frames()) == sorted(living.COMMANDS)


def test_frames_have_titles_of_their_own() -> None:
    titles = [title for _, title in frames()]
    assert len(set(titles)) == len(titles)


def test_a_page_is_made_by_its_command_and_kept_while_it_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "package").mkdir()
    source = tmp_path / "package" / "code.py"
    source.write_text("")
    os.utime(source, (1, 1))
    monkeypatch.setattr(living, "ROOT", tmp_path)
    monkeypatch.setattr(living, "PACKAGE", tmp_path / "package")
    page = tmp_path / "lesson.html"
    assert living.is_older(page, [])
    living.make(page, ("lesson", "capture-effect"))
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert not living.is_older(page, [])
    os.utime(page, (0, 0))
    assert living.is_older(page, [])
