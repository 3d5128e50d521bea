"""The pages of lessons in a real browser: every scene plays with the rows of the engine outside,
every link leads to its scene, and the page fits its reader.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, axe, needs_browser, overflow_px, resized, words
from tests.live.controls import Controls
from tests.views.sample import manifest

from linkwright.engines import Observation, observe
from linkwright.lessons import LESSONS
from linkwright.lessons.making import made_page
from linkwright.lessons.scene import Scene
from linkwright.results import UNREPEATABLE_FIGURES
from linkwright.views.play_page import play_page

pytestmark = needs_browser

NAMES = list(LESSONS)
USED = "hub-collapse"
"""The lesson whose every control is used."""
LooksLike = Callable[[Page, str], None]


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
    rows = [(row.metric, row.value) for row in observe(scene.run).result.rows()]
    return [row for row in rows if row[0] not in UNREPEATABLE_FIGURES]


def chosen(page: Page) -> str:
    """Return the name of the scene that a page marks, once it plays."""
    page.evaluate("window.linkwright?.ready")
    return words(page, "nav.scenes a[aria-current]")


def wait_for_scene(page: Page, key: str) -> None:
    """Wait until a page plays a scene."""
    page.locator(f"nav.scenes a[aria-current][href='#{key}']").wait_for()
    page.locator("html[data-run=ready]").wait_for(state="attached")


@pytest.mark.parametrize("name", NAMES)
def test_every_scene_plays_with_the_rows_of_the_engine(name: str, open_page: Opener) -> None:
    """The last scene by its address, the others by their links."""
    *others, last = LESSONS[name].scenes
    kind = "lesson" if name == USED else ""
    page = open_page(lesson(name), kind=kind, fragment=last.key)
    expect_scene(page, last)
    for scene in others:
        page.click(f"nav.scenes a[href='#{scene.key}']")
        wait_for_scene(page, scene.key)
        expect_scene(page, scene)


def expect_scene(page: Page, scene: Scene) -> None:
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
    page = open_page(lesson(USED), kind="lesson")
    names = {scene.key: scene.name for scene in LESSONS[USED].scenes}
    played = [next(iter(names))]
    for summary in page.locator("figure summary").all():
        summary.click()
    for place in ("#text", "#compared", "figure details"):
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


def test_a_ring_of_a_chart_plays_its_scene(open_page: Opener) -> None:
    page = open_page(lesson(USED), fragment="16-stations")
    rings = page.locator("#chart-0 svg path[transform][stroke]")
    assert rings.count() == 5
    for place, key in ((1, "8-stations"), (4, "16-on-a-switch")):
        rings.nth(place).click()
        wait_for_scene(page, key)


def focused(page: Page) -> str:
    """Return where the focus is: the target of a link, or an id."""
    place: str = page.evaluate(
        "document.activeElement.getAttribute('href') ?? document.activeElement.id"
    )
    return place


def test_another_scene_keeps_the_page_the_focus_and_what_is_unfolded(open_page: Opener) -> None:
    page = open_page(lesson(USED))
    page.evaluate("globalThis.isKept = true")
    page.locator("figure summary").first.click()
    for place, key in (("nav.scenes", "16-on-a-switch"), ("#text", "8-stations")):
        link = page.locator(f"{place} a[href='#{key}']").first
        link.focus()
        page.keyboard.press("Enter")
        wait_for_scene(page, key)
        assert focused(page) == f"#{key}"
        scene = next(one for one in LESSONS[USED].scenes if one.key == key)
        assert shown_rows(page) == rows_of(scene)
    page.focus("#another-seed")
    page.go_back()
    wait_for_scene(page, "16-on-a-switch")
    assert focused(page) == "another-seed"
    page.go_back()
    wait_for_scene(page, "4-stations")
    assert page.evaluate("isKept")
    assert page.locator("figure details[open]").count() == 1


def test_a_scene_that_is_left_neither_plays_on_nor_hears_keys(open_page: Opener) -> None:
    page = open_page(lesson(USED))
    page.evaluate(
        "for (const key of ['8-stations', '16-stations', '4-stations']) location.hash = key"
    )
    wait_for_scene(page, "4-stations")
    assert shown_rows(page) == rows_of(LESSONS[USED].scenes[0])
    page.focus("body")
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Pause", "one press is heard once"
    page.click("#theme")
    assert page.evaluate("linkwright.seek(0.5)")["frames"] >= 0


def test_values_of_a_chart_unfold_and_places_of_the_page_keep_the_scene(open_page: Opener) -> None:
    page = open_page(lesson(USED), kind="lesson", fragment="8-stations")
    for figure in page.locator("figure").all():
        figure.locator("summary").click()
        assert figure.locator("tbody tr").count() >= 4
        figure.locator("[tabindex]").press("ArrowRight")
    page.press("[aria-label='All scenes']", "ArrowRight")
    for link in page.locator("header nav a").all():
        link.click()
    assert chosen(page) == "8 stations"


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_fits_its_window_and_everyone_can_read_it(
    name: str, open_page: Opener, looks_like: LooksLike
) -> None:
    page = open_page(lesson(name))
    for width in (1400, 768, 360):
        resized(page, width)
        assert overflow_px(page) <= 0
        compare(page, f"lesson-{name}-{width}-light", looks_like)
    resized(page, 1280)
    assert axe(page) == []
    page.click("#theme")
    assert axe(page) == []
    compare(page, f"lesson-{name}-1280-dark", looks_like)


def compare(page: Page, name: str, looks_like: LooksLike) -> None:
    """Compare the middle of the run, with what plays in view, with a picture."""
    page.evaluate("linkwright.seek(0.5)")
    page.locator(".played").evaluate("one => one.scrollIntoView()")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    looks_like(page, name)


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
    for scene in LESSONS[USED].scenes:
        if scene.key in ("4-stations", "16-on-a-switch"):
            seen = observe(scene.run, Observation(page=True))
            open_page(play_page(*seen.played, manifest("linkwright")), kind="play")
    open_page.close()
    open_page.pages.clear()
    own = controls.found["lesson"] - controls.found["play"]
    assert len(own) >= 3
    assert own - controls.used["lesson"] == set()
