"""A study is written by the form, run and stopped, and ends in its figure.

The runs and the folder are tested in tests/web/test_studying.py.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pyarrow import parquet
from tests.live.browser import Opener, Scheme, axe, choose, needs_browser, overflow_px, words
from tests.live.workbench import KIND, enter, give, opened
from tests.web.serving import Served

from linkwright.study import Study, StudyFolder

pytestmark = needs_browser


def study_view(open_page: Opener, served: Served, **options: object) -> Page:
    page = opened(open_page, served, **options)
    page.click("#tab-study")
    expect(page.locator("#study-text")).to_have_value(re.compile(r"lab\.yaml"))
    return page


def text(page: Page) -> str:
    return page.input_value("#study-text")


def test_a_question_becomes_a_figure(open_page: Opener, served: Served, designs: Path) -> None:
    page = study_view(open_page, served)
    choose(page, "#study-axis-1", "topology.shape")
    enter(page, "#study-values-1", "[2, 2], [4, 4]")
    choose(page, "#study-axis-2", "workload size_bytes")
    enter(page, "#study-values-2", "64, 4K")
    page.check("#study-engines input[value=analytic]")
    page.uncheck("#study-engines input[value=packet]")
    page.click(".study-plan summary")
    page.check("#study-plan input[value=cost_per_node_units_bought]")
    enter(page, "#study-name", "sizes")
    page.get_by_role("button", name="Run study").click()
    page.wait_for_selector("#study-figure svg")
    assert words(page, "#file-shown h2") == "sizes"
    assert page.locator("#study-figure svg path").count() > 6
    folder = StudyFolder(designs / "sizes")
    done = folder.progressed().done
    assert len(done) == 4
    assert not any(one.has_failed for one in done)
    with page.expect_download() as waiting:
        page.click("#study-answer button:has-text('Parquet')")
    content = Path(waiting.value.path()).read_bytes()
    assert parquet.read_table(io.BytesIO(content)).num_rows == 2
    choose(page, "#study-question select[name=kind]", "pareto")
    choose(page, "#study-question select[name=x]", "cost_per_node_units_bought")
    choose(page, "#study-question select[name=by]", "nodes")
    page.click("#study-question button")
    page.wait_for_selector("#study-answer th:has-text('best')")
    page.wait_for_selector("#study-figure svg")
    assert words(page, "#study-answer").count("yes") >= 1
    choose(page, "#study-question select[name=kind]", "sensitivity")
    assert page.locator("#study-question select[name=x]").count() == 0
    choose(page, "#study-question select[name=by]", "nothing")
    page.click("#study-question button")
    page.wait_for_selector("#study-answer th:has-text('effect')")
    page.wait_for_selector("#study-figure svg")
    page.click("#tab-study")
    assert "4 runs, 0 failed" in words(page, "#study-state")


def test_the_form_writes_a_study_that_the_command_reads(
    open_page: Opener, served: Served, designs: Path
) -> None:
    page = study_view(open_page, served)
    page.check("#study-designs input[value='switch.yaml']")
    choose(page, "#study-workload", "uniform")
    page.check("#study-engines input[value=saturation]")
    give(page, "#study-seeds", "3")
    give(page, "#study-placement", "random")
    give(page, "#study-faults", "cable:0 down at 1ms for 2ms; node:n01 down at 1ms")
    study = Study.parse(text(page), designs)
    assert [one.file for one in study.designs] == [Path("lab.yaml"), Path("switch.yaml")]
    assert study.engines == ["packet", "saturation"]
    assert (study.seeds, study.placements) == (3, ["random"])
    assert study.faults == [[], ["cable:0 down at 1ms for 2ms"], ["node:n01 down at 1ms"]]
    # A design that is not saved is written out.
    page.click("#tab-design")
    give(page, "#field-topology-shape-0", "2")
    page.click("#tab-study")
    expect(page.locator("#study-text")).to_have_value(re.compile("shape"))
    study = Study.parse(text(page), designs)
    assert study.designs[0].design is not None
    assert study.designs[0].design["topology"]["shape"] == [2, 4]


def test_a_study_is_stopped(open_page: Opener, served: Served, designs: Path) -> None:
    page = study_view(open_page, served)
    choose(page, "#study-workload", "all-to-all")
    give(page, "#study-seeds", "400")
    page.get_by_role("button", name="Run study").click()
    page.wait_for_selector("#study-state:has-text('of 400 runs')")
    page.get_by_role("button", name="Stop study").click()
    assert "stopped" in words(page, "#study-state")
    assert page.locator("#study-stop").is_hidden()
    assert (designs / "study" / "manifest.json").exists()


def test_mistakes_are_said(open_page: Opener, served: Served) -> None:
    open_page.tolerated.append("400")
    page = study_view(open_page, served)
    page.fill("#study-text", "designs: [nothing.yaml]\nworkloads: [barrier]\n")
    page.get_by_role("button", name="Run study").click()
    page.wait_for_selector("#study-state:has-text('nothing.yaml')")
    page.fill("#study-text", "designs: [../secret.yaml]\nworkloads: [barrier]\n")
    page.get_by_role("button", name="Run study").click()
    page.wait_for_selector("#study-state[data-state=failed]:has-text('secret.yaml')")
    enter(page, "#study-name", "../out")
    page.get_by_role("button", name="Run study").click()
    page.wait_for_selector("#study-state:has-text('no name of a study')")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_the_view_fits(open_page: Opener, served: Served, width: int, scheme: Scheme) -> None:
    page = study_view(open_page, served, width=width, scheme=scheme)
    assert overflow_px(page) <= 0
    assert axe(page) == []


def test_every_control_was_used(unused: Callable[[str], list[str]]) -> None:
    own = (
        "#study-form",
        "#study-name",
        "#study-w",
        "#study-axis",
        "#study-v",
        "#study-s",
        "#study-f",
    )
    left = [name for name in unused(KIND) if name.startswith((*own, "#study-p", "#study-t"))]
    assert not left, "\n".join(left)
