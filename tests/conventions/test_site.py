"""The site: three ways in, one door to the design pages, and the short page on accuracy.

`make docs` builds the pages; a link that leads nowhere fails there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import concept_figures
import how_right
from finding import ROOT

DOCS = ROOT / "docs"
FIRST = (DOCS / "index.md").read_text(encoding="utf-8")
WAYS = ("Build a cluster", "Study networks", "Teach")


def test_the_first_page_has_a_picture_a_sentence_and_three_ways_in() -> None:
    opening = FIRST.partition("\n## ")[0]
    assert "](images/compare.png)" in opening
    assert opening.count(". ") == 0  # one sentence besides the picture
    for way in WAYS:
        steps = re.findall(r"^(\d)\. \[.+?\]\((.+?)\)", section(way), re.MULTILINE)
        assert [number for number, _ in steps] == ["1", "2", "3", "4", "5"], way
        assert all((DOCS / page).is_file() for _, page in steps), way


def section(heading: str) -> str:
    """Return a section of the first page."""
    return FIRST.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_the_first_page_lists_few_pages_and_design_pages_have_one_door() -> None:
    assert len(re.findall(r"\]\([a-z]", FIRST)) < 25
    assert FIRST.count("toctree") == FIRST.count(":hidden:")
    trees = re.findall(r"```\{toctree\}(.*?)```", FIRST, re.DOTALL)
    assert [one for one in " ".join(trees).split() if "design/" in one] == ["design/index"]


def test_each_guide_ends_with_what_one_sees_and_is_listed_once() -> None:
    guides = {path.stem: path.read_text(encoding="utf-8") for path in DOCS.glob("how-to/*.md")}
    listed = re.findall(r"^([a-z-]+)$", guides.pop("index"), re.MULTILINE)
    assert sorted(listed) == sorted(guides)
    for name, text in guides.items():
        last = text.rpartition("\n## ")[2]
        assert last.startswith("What you see\n"), name
        assert len(last.split()) > 20, name


def test_ten_lines_say_how_right_predictions_are() -> None:
    found = how_right.lines()
    assert len(found) == 10
    by_answer = {"good": (0, 0.1), "fair": (0.1, 0.2), "poor": (0.2, 9)}
    for one in found:
        least, most = by_answer[one.answer]
        assert least <= one.error <= most
        assert one.n > 0


def test_the_short_page_needs_every_row_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = how_right.ACCURACY.read_text(encoding="utf-8")
    (tmp_path / "accuracy.md").write_text(text.replace("| NAS-97-017/npb | torus", "| x | torus"))
    monkeypatch.setattr(how_right, "ACCURACY", tmp_path / "accuracy.md")
    with pytest.raises(LookupError, match="NAS-97-017/npb"):
        how_right.lines()


def test_the_figure_of_forwards_has_the_paths_of_the_routes() -> None:
    torus, mesh = (concept_figures.network(name) for name in ("torus", "P-Mesh"))
    assert concept_figures.forwarders(torus, 10) == [1, 2, 6]  # X first, then Y
    assert concept_figures.forwarders(mesh, 10) == [2]
    drawn = concept_figures.path_figure()
    assert drawn.count('class="node path forwards"') == 4
    assert drawn.count('class="node path"') == 4
    used, given = (set(re.findall(one, drawn)) for one in (r"var\((--\w+)", r"(--\w+):"))
    assert used <= given
