"""Objects in a notebook.

A prompt shows short lines, and a notebook fragments of HTML that leave the page around them alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.views.html import SPITE, Page
from tests.views.sample import comparison, network, of_designs

import linkwright
from linkwright import plan
from linkwright.notebook import VIEWS
from linkwright.results import Result
from linkwright.study import Database, Study
from linkwright.study import run as run_study
from linkwright.views.frame import asset
from linkwright.views.notebook.fragment import MOST_ROWS
from linkwright.views.notebook.plans import MOST_DRAWN_NODES

LONGEST_LINE = 200
LARGEST_WITHOUT_DRAWING = 14_000

STUDY = """
question: does a broadcast grow with a ring?
designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [[4], [8]]}}]
workloads: [broadcast]
engines: [analytic]
"""


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return an object of every class that has a view, and some without one."""
    ring, compared = network("ring", shape=(4,)), comparison()
    study = Study.parse(STUDY)
    folder = run_study(study, tmp_path_factory.mktemp("study") / "rows", jobs=1)
    with Database(folder) as database:
        answer, said = database.query("from rows"), repr(database)
    assert len(said) < LONGEST_LINE
    return {
        "Answer": answer,
        "ArchitectureComparison": compared,
        "Architecture": compared.architectures[0],
        "Calibration": linkwright.calibrations.load("pentium-pro-200-linux-2.0"),
        "Cluster": linkwright.Cluster.parse("topology: {kind: ring, shape: [4]}"),
        "Cost": linkwright.price(ring),
        "FailureProof": plan.rerouting(ring),
        "Findings": linkwright.check(ring),
        "Network": ring,
        "Properties": plan.properties(ring),
        "Result": compared.result,
        "Row": compared.result.rows()[0],
        "Study": study,
        "StudyFolder": folder,
    }


def test_every_class_with_a_view_is_here(objects: dict[str, Any]) -> None:
    assert set(VIEWS) <= set(objects)
    assert {name: type(one).__name__ for name, one in objects.items()} == {
        name: name for name in objects
    }


def test_a_prompt_shows_one_short_line(objects: dict[str, Any]) -> None:
    for name, one in objects.items():
        for text in (repr(one), str(one)):
            assert len(text) < LONGEST_LINE, name
            assert "\n" not in text, name
            assert text.startswith(f"<{name} "), name


def test_fragments_are_small_and_alone(objects: dict[str, Any]) -> None:
    for name in VIEWS:
        html = objects[name]._repr_html_()
        page = Page(html)
        drawn = html.partition("<svg")[2].partition("</svg>")[0]
        assert len(html) - len(drawn) < LARGEST_WITHOUT_DRAWING, name
        assert not page.scripts, name
        assert not [one for _, one in page.elements if "id" in one], name
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(", html), name


def test_styles_stay_below_their_class(objects: dict[str, Any]) -> None:
    for name, least in (("Cost", 20), ("Network", 40)):
        sheet = objects[name]._repr_html_().partition("<style>")[2].partition("</style>")[0]
        selectors = [one for rule in re.findall(r"([^{}]+)\{", sheet) for one in rule.split(",.")]
        assert len(selectors) > least
        assert all("linkwright" in one for one in selectors)
        assert set(re.findall(r"var\((--[\w-]+)", sheet)) <= set(re.findall(r"(--[\w-]+):", sheet))


def test_colours_are_those_of_the_pages_in_both_themes(objects: dict[str, Any]) -> None:
    sheet = objects["Network"]._repr_html_()
    pages = asset("base.css")
    for token in ("--ink", "--node", "--cable", "--bad"):
        light, dark = re.findall(rf"{token}: (#\w+);", pages)
        assert f"{token}:light-dark({light},{dark})" in sheet


def test_a_network_is_drawn_with_its_facts() -> None:
    html = network("torus", shape=(3, 3))._repr_html_()
    assert html.count('class="node"') == 9
    assert "9 nodes, 18 cables" in html
    assert "torus 3x3" in html


def test_a_large_network_is_told_instead_of_drawn() -> None:
    side = MOST_DRAWN_NODES // 2
    assert "<svg" in network("torus", shape=(2, side))._repr_html_()
    assert "<svg" not in network("torus", shape=(2, side + 1))._repr_html_()


@pytest.mark.parametrize(
    "show",
    [
        lambda design: design,
        linkwright.compile,
        lambda design: linkwright.check(linkwright.compile(design)),
        of_designs,
        lambda design: linkwright.run(
            linkwright.compile(design), linkwright.workloads.parse("barrier"), engine="analytic"
        ),
    ],
)
def test_names_are_text(show: Callable[[linkwright.Cluster], Any]) -> None:
    design = linkwright.Cluster.from_fields(
        {"name": SPITE, "topology": {"kind": "hub", "nodes": 4}, "mtu": 1280}
    )
    page = Page(show(design)._repr_html_())
    assert "img" not in {name for name, _ in page.elements}
    assert not page.scripts


def test_a_long_table_ends_with_the_way_to_the_rest() -> None:
    row = comparison().result.rows()[0]
    rows = [replace(row, parameters={"size_bytes": size}) for size in range(MOST_ROWS + 7)]
    html = Result.from_rows(rows)._repr_html_()
    assert html.count("<tr>") == MOST_ROWS + 1
    assert "and 7 more rows: to_pandas() has all" in html


def test_results_of_several_engines_are_told_apart() -> None:
    row = comparison().result.rows()[0]
    one = Result.from_rows([replace(row, engine="flow")])
    both = Result.concatenate([one, Result.from_rows([replace(row, engine="packet")])])
    assert "<th>engine" not in one._repr_html_()
    assert ">flow</td>" in both._repr_html_()
    assert ">packet</td>" in both._repr_html_()


def test_findings_are_a_list() -> None:
    found = linkwright.check(network("ring", shape=(4,)))
    assert isinstance(found, list)
    assert found == list(found)
    assert repr(type(found)()) == "<Findings nothing found>"


def test_a_study_tells_its_question_and_its_metrics(objects: dict[str, Any]) -> None:
    html = objects["StudyFolder"]._repr_html_()
    assert "does a broadcast grow with a ring?" in html
    assert "<dt>runs</dt><dd>2</dd>" in html
    assert ">simulated_s</td>" in html
