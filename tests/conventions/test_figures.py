"""Figures of the pages: each is kept as a picture or drawn by the tool, and each is shown.

`make check` builds all pages; here a few drawings are made.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import figures
from figure_data import figure_text, read_figure
from finding import ROOT, source_files
from linkwright.views.chart import Axis, Chart, Series
from linkwright.views.plots import Plot

SHOWN = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


def shown(page: Path) -> list[Path]:
    """Return the pictures that a page shows."""
    names = SHOWN.findall(page.read_text(encoding="utf-8"))
    return [(page.parent / name).resolve() for name in names]


def test_pages_show_every_picture_and_no_other() -> None:
    pages = [shown(path) for path in source_files(ROOT) if path.suffix == ".md"]
    pictures = {path for path in source_files(ROOT) if path.suffix in {".png", ".svg"}}
    kept = {path for path in pictures if not path.is_relative_to(ROOT / "tests")}
    drawn = {figures.DRAWINGS / f"{name}.svg" for name in figures.all_figures()}
    assert {picture for page in pages for picture in page} == kept | drawn
    assert all(len(set(page)) == len(page) for page in pages)


def test_pictures_in_git_are_few_and_small() -> None:
    kept = [path for path in source_files(ROOT / "docs") if path.suffix in {".png", ".svg"}]
    assert {path.parent.name for path in kept} == {"images"}
    assert len(kept) <= 6
    assert all(path.suffix == ".png" and path.stat().st_size < 60_000 for path in kept)


def test_a_figure_is_the_same_after_it_was_kept(tmp_path: Path) -> None:
    curves = (
        Series("hub", (1.0, 2.0), (0.5, 1e6)),
        Series("hub", (2.0,), (3.0,), look="printed"),
    )
    nodes = Axis("nodes")
    panels = (
        Chart("time", nodes, Axis("s", log=10), curves),
        Chart("rate", nodes, Axis("B/s"), ()),
    )
    path = tmp_path / "f.json"
    path.write_text(figure_text(Plot("f", "A caption", panels), "2026-01-31"))
    read = read_figure(path)
    assert figure_text(read, "2026-01-31") == path.read_text()
    assert read.panels[0].curves[1].look == "printed"


def test_drawings_are_made_once_and_again_when_their_data_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib", reason="figures are drawn by Matplotlib")
    monkeypatch.setattr(figures, "DRAWINGS", tmp_path)
    chosen = list(figures.all_figures().items())
    monkeypatch.setattr(figures, "all_figures", lambda: dict((chosen[0], chosen[-1])))

    def drawn() -> dict[str, tuple[str, int]]:
        assert figures.main() == 0
        files = sorted(tmp_path.iterdir())
        return {file.name: (file.read_text(), file.stat().st_mtime_ns) for file in files}

    first = drawn()
    assert list(first) == sorted(f"{name}.svg" for name, _ in (chosen[0], chosen[-1]))
    assert drawn() == first
    for file in tmp_path.iterdir():
        os.utime(file, (0, 0))
    again = drawn()
    assert {name: text for name, (text, _) in again.items()} == {
        name: text for name, (text, _) in first.items()
    }
    assert all(again[name][1] != 0 for name in again)
