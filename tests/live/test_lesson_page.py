"""The pages of lessons in a real browser: every scene plays with the rows of the engine outside,
every link leads to its scene, and the page fits its reader.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, axe, needs_browser, overflow_px, words
from tests.live.controls import Controls
from tests.views.sample import manifest

from linkwright import engines
from linkwright.lessons import LESSONS
from linkwright.lessons.making import made_page
from linkwright.lessons.scene import Scene, network_of
from linkwright.results import UNREPEATABLE_FIGURES
from linkwright.views.play_page import play_page

pytestmark = needs_browser

NAMES = list(LESSONS)
SCENES = [(name, scene) for name in NAMES for scene in LESSONS[name].scenes]


@cache
def lesson(name: str) -> str:
    return made_page(name, lambda: manifest("linkwright", "lesson"))


def shown_rows(page: Page) -> list[tuple[str, float]]:
    page.locator("html[data-run=ready]").wait_for(state="attached")
    found = page.locator("#rows tbody tr").evaluate_all(
        "rows => rows.map(one => [one.dataset.metric, Number(one.dataset.value)])"
    )
    return [(metric, value) for metric, value in found]


def rows_of(scene: Scene) -> list[tuple[str, float]]:
    rows = [(row.metric, row.value) for row in scene.run().rows()]
    return [row for row in rows if row[0] not in UNREPEATABLE_FIGURES]


def chosen(page: Page) -> str:
    """Return the name of the scene that a page marks, once it plays."""
    page.evaluate("window.linkwright?.ready")
    return words(page, "nav.scenes a[aria-current]")


def wait_for_scene(page: Page, key: str) -> None:
    """Wait until a page that is loaded anew plays a scene."""
    page.locator(f"nav.scenes a[aria-current][href='#{key}']").wait_for()
    page.locator("html[data-run=ready]").wait_for(state="attached")


@pytest.mark.parametrize(("name", "scene"), SCENES, ids=[f"{n}-{s.key}" for n, s in SCENES])
def test_every_scene_plays_with_the_rows_of_the_engine(
    name: str, scene: Scene, open_page: Opener
) -> None:
    page = open_page(lesson(name), fragment=scene.key)
    shown = shown_rows(page)
    assert len(shown) >= 6
    assert set(shown) <= set(rows_of(scene))
    assert chosen(page) == scene.name
    assert words(page, "#caption").startswith(scene.caption)


def test_a_lesson_begins_with_its_first_scene(open_page: Opener) -> None:
    page = open_page(lesson("healing-ring"))
    assert chosen(page) == LESSONS["healing-ring"].scenes[0].name
    assert shown_rows(page) == rows_of(LESSONS["healing-ring"].scenes[0])


def test_every_link_plays_its_scene_and_the_way_back_the_one_before(open_page: Opener) -> None:
    page = open_page(lesson("hub-collapse"), kind="lesson")
    names = {scene.key: scene.name for scene in LESSONS["hub-collapse"].scenes}
    played = [next(iter(names))]
    for place in ("#text", "nav.scenes", "#compared", "svg.chart"):
        for index in range(page.locator(f"{place} a").count()):
            link = page.locator(f"{place} a").nth(index)
            key = str(link.get_attribute("href"))[1:]
            if key == played[-1]:
                continue
            link.click()
            wait_for_scene(page, key)
            played.append(key)
    assert set(played) == set(names)
    page.go_back()
    wait_for_scene(page, played[-2])
    assert chosen(page) == names[played[-2]]


def test_values_of_a_chart_unfold_and_places_of_the_page_keep_the_scene(open_page: Opener) -> None:
    page = open_page(lesson("hub-collapse"), kind="lesson", fragment="8-stations")
    for figure in page.locator("figure").all():
        figure.locator("summary").click()
        assert figure.locator("tbody tr").count() >= 4
        figure.locator("[tabindex]").press("ArrowRight")
    page.press("[aria-label='All scenes']", "ArrowRight")
    for link in page.locator("header nav a").all():
        link.click()
    assert chosen(page) == "8 stations"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_readers_with_tools_find_no_obstacle(name: str, scheme: str, open_page: Opener) -> None:
    page = open_page(lesson(name), scheme=scheme)
    assert axe(page) == []


@pytest.mark.parametrize("width", [360, 768, 1400])
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_as_wide_as_its_window(name: str, width: int, open_page: Opener) -> None:
    assert overflow_px(open_page(lesson(name), width=width)) <= 0


def test_a_text_is_complete_without_scripts(open_page: Opener) -> None:
    page = open_page(lesson("bonds-and-order"), java_script_enabled=False)
    assert "Not one frame is lost" in words(page, "#text")
    assert page.locator("#compared tbody tr").count() == 4


def test_every_control_beside_the_picture_is_used(
    open_page: Opener, controls: Controls, request: pytest.FixtureRequest
) -> None:
    config = request.config
    if config.option.keyword or any("::" in one for one in config.args):
        pytest.skip("needs all tests of this file")
    scene = LESSONS["hub-collapse"].scenes[0]
    network = network_of(scene.design)
    result, run = engines.play(network, scene.workload, **scene.options)
    open_page(play_page(network, run, result, manifest("linkwright")), kind="play")
    open_page.close()
    open_page.pages.clear()
    # Links to scenes load the page anew, which forgets them: their own test presses every one.
    own = controls.found["lesson"] - controls.found["play"]
    own = {one for one in own if not re.match(r"#\S* a\b", one)}
    assert len(own) >= 3
    assert own - controls.used["lesson"] == set()
