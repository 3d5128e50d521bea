"""Plain pages in a real browser: the cables of a plan and the page of `verify`, which need no
script, and the figures of studies, whose charts are drawn by one. They are dark where the system
is, and light on paper.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, axe, needs_browser, overflow_px, until
from tests.study.cases import study
from tests.views.test_sensitivity_plot import found
from tests.views.test_verdict_page import paged as as_built_page
from tests.views.test_verdict_page import with_faults

from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.study import Database, run
from linkwright.views.cables_page import cables_page
from linkwright.views.sensitivity_plot import sensitivity_figure
from linkwright.views.study_plots import Asked, study_figure

pytestmark = needs_browser
KINDS = ("cables", "verify", "study", "heat", "sensitivity")
LOOKS: list[tuple[int, Literal["light", "dark"]]] = [
    (360, "light"), (768, "dark"), (1400, "light"), (360, "dark"), (1400, "dark"),
]  # fmt: skip
TURN = "scheme => { const { dataset } = document.documentElement; dataset.theme &&= scheme; }"
N_WITH_AXE = 3
"""The first looks have every width and both themes; no rule of axe depends on both."""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return a page of every kind."""
    fields = {
        "name": "rows and columns",
        "topology": {"kind": "p-mesh", "shape": [2, 2], "lines_per_switch": 1},
    }
    folder = run(study(), tmp_path_factory.mktemp("pages") / "small", jobs=1)
    asked = Asked(x="nodes", metric="time", y="size_bytes", by=["size_bytes"])
    with Database(folder) as database:
        lines, heat = (study_figure(kind, database, asked) for kind in ("lines", "heat"))
    return {
        "cables": cables_page(compile_network(Cluster.from_fields(fields))),
        "verify": as_built_page(with_faults("swapped cables", "MTU", "20 of 40 Gb/s")),
        "study": lines.page("How does a broadcast grow?"),
        "heat": heat.page(""),
        "sensitivity": sensitivity_figure(found("morris", 2)).page("Which axis matters?"),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_readable(
    kind: str,
    texts: dict[str, str],
    open_page: Opener,
    looks_like: Callable[[Page, str], None],
) -> None:
    page = open_page(texts[kind], kind=kind)
    for number, (width, scheme) in enumerate(LOOKS):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        # A page with a script has a button, and keeps the theme that it has.
        page.evaluate(TURN, scheme)
        assert overflow_px(page) <= 0, width
        if number < N_WITH_AXE:
            assert axe(page) == [], (width, scheme)
    looks_like(page, f"{kind}-1400-dark")


COLOURS = """all => [...new Set(all.flatMap(one => [one.getAttribute('fill'),
    one.getAttribute('stroke')]).filter(one => /^(#|rgb)/.test(one ?? '')))]"""
OF_CELLS = {"#fdfdfd", "#101418"}
"""Texts of cells, whose own colours are those of no theme."""


@pytest.mark.parametrize("kind", ["study", "heat", "sensitivity"])
def test_a_chart_has_the_colours_of_the_theme(
    kind: str, texts: dict[str, str], open_page: Opener
) -> None:
    page = open_page(texts[kind], kind=kind, scheme="dark")
    drawn = page.locator(".plot svg text")
    dark = set(drawn.evaluate_all(COLOURS))
    page.click("#theme")
    until(page, "document.querySelector('.plot svg text').getAttribute('fill') !== '#a6b1c0'")
    light = set(drawn.evaluate_all(COLOURS))
    assert dark - OF_CELLS
    assert dark & light <= OF_CELLS
    page.click("#theme")
    until(page, "document.querySelector('.plot svg text').getAttribute('fill') === '#a6b1c0'")
    assert set(drawn.evaluate_all(COLOURS)) == dark


def test_cables_are_printed_as_chosen(texts: dict[str, str], open_page: Opener) -> None:
    page = open_page(texts["cables"], kind="cables", scheme="dark")
    for link in page.locator("nav a").all():
        link.click()
    page.click("#cut")
    edges = "all => all.map(one => getComputedStyle(one).borderTopColor)[0]"
    assert page.locator(".labels > div").evaluate_all(edges) == "rgba(0, 0, 0, 0)"
    widths = "all => all.map(one => getComputedStyle(one).width)[0]"
    before = page.locator(".labels > div").evaluate_all(widths)
    page.click("#paper-letter")
    assert page.locator(".labels > div").evaluate_all(widths) != before
    page.click("#paper-a4")
    for chosen in ("sheet", "backs", "labels", "all"):
        page.emulate_media(media="screen")
        page.click(f"#print-{chosen}")
        page.emulate_media(media="print")
        parts = {
            one for one in ("sheet", "backs", "labels") if page.locator(f"#{one}").is_visible()
        }
        assert parts == ({"sheet", "backs", "labels"} if chosen == "all" else {chosen})
        assert page.locator("form").is_hidden()


def test_moves_are_ticked_off(texts: dict[str, str], open_page: Opener) -> None:
    page = open_page(texts["verify"], kind="verify", width=390)
    boxes = page.locator("#moves input")
    assert boxes.count() == 2
    for box in boxes.all():
        box.check()
        assert box.is_checked()
    for link in page.locator("nav a").all():
        link.click()
        assert page.evaluate("location.hash") == link.get_attribute("href")


@pytest.mark.parametrize("kind", KINDS)
def test_wide_parts_scroll_by_the_keyboard(
    kind: str, texts: dict[str, str], open_page: Opener
) -> None:
    page = open_page(texts[kind], kind=kind, width=360)
    for region in page.locator("[role=region]").all():
        wider = region.evaluate("one => one.scrollWidth - one.clientWidth")
        region.press("ArrowRight")
        if wider > 0:
            until(page, "document.activeElement.scrollLeft > 0")


@pytest.mark.parametrize("kind", KINDS)
def test_every_control_was_used(kind: str, unused: Callable[[str], list[str]]) -> None:
    assert unused(kind) == []
