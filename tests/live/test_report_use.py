"""The page of a comparison as people use it: networks are chosen, filtered and brought out,
drawings enlarged, columns found on a phone; each of its controls, and its look.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.live.browser import (
    Opener,
    Scheme,
    axe,
    choose,
    needs_browser,
    overflow_px,
    played_in_tab,
    resized,
    words,
)
from tests.views.sample import comparison, manifest

from linkwright.cli.played import played_comparison
from linkwright.comparison import compare
from linkwright.views.report import comparison_page
from linkwright.workloads import Barrier, Broadcast, PingPong

pytestmark = needs_browser
SHOWN = "table.sortable tr[data-network]:not([hidden]) th"
CURVES = "#curve-throughput svg text"


@pytest.fixture(scope="module")
def report() -> str:
    """Return the page of every kind of network."""
    workloads = [PingPong(repeats=2), Broadcast(repeats=2), Barrier(repeats=2)]
    found = compare(16, "whitney-1998", workloads, every_kind=True)
    return comparison_page(found, manifest("linkwright", "compare", "--all"))


@pytest.fixture(scope="module")
def page(report: str, share_page: Opener) -> Page:
    """Return the page of every kind of network, as its reader finds it."""
    page = share_page(report, kind="report")
    assert page.locator("details.part[open]").count() == 0, "parts about one network are closed"
    resized(page, 1440)
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height < 4000, "the page of every kind of network is short"
    resized(page, 1280)
    for summary in page.locator("details.part > summary").all():
        summary.click()
    return page


@pytest.fixture(scope="module")
def small_report() -> str:
    """Return the page of six networks with made-up times, which never change."""
    return comparison_page(comparison(), manifest("linkwright", "compare"))


def shown(page: Page) -> list[str]:
    """Return the networks in the table."""
    return [one.strip() for one in page.locator(SHOWN).all_inner_texts()]


def names_of_curves(page: Page) -> set[str]:
    """Return the words beside the curves."""
    return set(page.locator(CURVES).all_text_contents())


def type_at_once(page: Page, selector: str, text: str) -> None:
    """Type a text that the page hears of once, as if it were pasted."""
    page.click(selector)
    page.keyboard.insert_text(text)


def test_each_network_is_played_in_a_new_tab(open_page: Opener) -> None:
    workloads, seen = [PingPong(repeats=2), Broadcast(repeats=2)], manifest("linkwright", "compare")
    found = compare(4, "whitney-1998", workloads)
    played = played_comparison(found, workloads, seen, lambda *_: None)
    page = open_page(comparison_page(found, seen, played=played), kind="report", width=360)
    assert overflow_px(page) <= 0
    buttons = page.locator("[data-played]")
    assert buttons.count() == len(found.architectures)
    for index in (0, buttons.count() - 1):
        rows = played_in_tab(page, buttons.nth(index))
        shown = found.architectures[index].figures_of("broadcast")
        assert float(rows["time"]) == shown["time"]
    assert axe(page) == []


def test_figures_on_a_logarithmic_axis_are_dots(page: Page) -> None:
    charts = page.locator("#workloads .chart").all()
    wide = [one for one in charts if "logarithmic" in (one.text_content() or "")]
    assert 0 < len(wide) < len(charts)
    for one in charts:
        n_dots = one.locator("svg path[d^='M1 0A1 1']").count()
        assert n_dots == (19 if one in wide else 0)


def test_networks_are_chosen_everywhere_at_once(page: Page) -> None:
    assert len(shown(page)) == 19
    assert words(page, "#n-shown") == "19 of 19"
    page.click("#show-none")
    assert shown(page) == []
    page.locator("label.network", has_text="hypercube").click()
    page.locator("[data-family='with hubs']").click()
    assert len(shown(page)) == 8
    assert "hypercube" in names_of_curves(page)
    assert "fat-tree" not in names_of_curves(page)
    assert page.locator("figure.drawing:not([hidden])").count() == 8
    assert page.locator("#prices tr[data-network]:not([hidden])").count() == 8
    page.locator("[data-family='with hubs']").click()
    assert shown(page) == ["hypercube"]
    page.click("#show-all")
    type_at_once(page, "#filter-name", "MESH")
    assert len(shown(page)) == 6
    type_at_once(page, "#filter-cost", "400")
    assert {"routed-mesh", "mesh 4x4", "p-mesh 4x4"} == set(shown(page))
    assert words(page, "#n-shown") == "3 of 19"
    page.click("#show-all")
    assert len(shown(page)) == 19


def front_of(chart: dict[str, Any], *, price: int, duration: int) -> set[str]:
    """Return the names of networks that no other of the same size beats in cost and time."""
    columns = chart["prices"][price]["values"], chart["durations"][duration]["values"]
    places = [
        (name, cost, time)
        for name, cost, time, is_smaller in zip(
            chart["names"], *columns, chart["is_smaller"], strict=True
        )
        if not is_smaller
    ]
    return {
        name
        for place, (name, cost, time) in enumerate(places)
        if not any(
            (c, t, at) < (cost, time, place) and c <= cost and t <= time
            for at, (_, c, t) in enumerate(places)
        )
    }


def test_the_front_holds_what_no_other_beats(page: Page) -> None:
    fields = {"#cost-of": "ports used", "#time-of": "Barrier"}
    chosen = "one => one.selectedOptions[0].textContent"
    at_first = {one: page.locator(one).evaluate(chosen) for one in fields}
    for one, text in fields.items():
        choose(page, one, text)
    page.click("#show-front")
    chart = json.loads(page.locator("#chart-data").text_content() or "")[0]
    front = front_of(chart, price=0, duration=1)
    assert set(shown(page)) == front
    assert len(front) >= 2
    best = page.locator("table.sortable tr:not([hidden]) td.best").count()
    assert best > 0, "the best of those that are left are marked"
    points = set(page.locator("#cost-time svg text").all_text_contents())
    assert front <= points
    page.click("#show-all")
    for one, text in at_first.items():
        choose(page, one, text)


def test_a_network_that_is_pointed_at_stands_out(page: Page) -> None:
    faint = """all => all.filter(one => one.hasAttribute('stroke-opacity'))
        .filter(one => +one.getAttribute('stroke-opacity') < 0.2).length"""
    lines = page.locator("#curve-throughput svg path")
    assert lines.evaluate_all(faint) == 0
    page.locator("label.network", has_text="fat-tree").hover()
    page.wait_for_timeout(100)
    assert lines.evaluate_all(faint) >= 18
    page.mouse.move(5, 5)
    page.wait_for_timeout(100)
    assert lines.evaluate_all(faint) == 0


def test_a_chosen_few_curves_have_names_and_the_others_stand_back(page: Page) -> None:
    few = {one for one in names_of_curves(page) if one in shown(page)}
    answer = words(page, "#answer")
    assert 3 <= len(few) <= 8
    assert {"ring", "switch", "bonded-switches"} <= few
    assert "Fastest: bonded-switches" in answer
    assert "fat-tree" not in few
    wide = page.locator("#curve-throughput svg path[stroke-width='2']")
    assert wide.count() == len(few)
    page.click("#show-none")
    page.locator("label.network", has_text="fat-tree").click()
    assert "fat-tree" in names_of_curves(page), "few that are chosen have all their names"
    page.click("#show-all")


def test_curves_have_room_and_no_legend(page: Page) -> None:
    few = {one for one in names_of_curves(page) if one in shown(page)}
    for width, least in ((500, 300), (1280, 330)):
        resized(page, width)
        heights = page.locator("#curve-latency svg path[stroke-width='2']").evaluate_all(
            "all => all.map(one => one.getBBox().height)"
        )
        assert len(heights) == len(few), "the chosen few"
        plot = page.locator("#curve-latency svg").evaluate(
            "svg => svg.getBoundingClientRect().height"
        )
        assert plot >= least
        assert max(heights) > plot / 3
    assert not page.locator("#with-farthest").is_checked()


def test_farthest_pairs_are_dashed_where_they_are_wanted(page: Page) -> None:
    dashed = page.locator("#curve-latency svg path[stroke-dasharray]")
    before = dashed.count()
    page.click("#with-farthest")
    assert dashed.count() >= before + 4
    assert "ring, farthest" in names_of_curves(page)
    page.click("#with-farthest")
    assert dashed.count() == before


@pytest.mark.parametrize("chart", ["bar-broadcast-time", "curve-latency", "cost-time"])
def test_an_axis_has_one_unit(chart: str, page: Page) -> None:
    texts = page.locator(f"#{chart} svg text").all_text_contents()
    assert {"ms", "ms, logarithmic"} & set(texts)
    units = {one.split()[-1] for one in texts if one.endswith((" µs", " us", " ms", " s"))}
    assert units <= {"ms"}


BARS = """all => all.filter(one => /^(rgb|#)/.test(one.getAttribute('fill') ?? ''))
  .map(one => one.getBBox()).filter(box => box.height > 8 && box.height < 24)
  .map(box => [box.y, box.x, box.width])"""


@pytest.mark.parametrize("chart", ["broadcast-time", "ping-pong-throughput"])
def test_bars_begin_at_the_left_and_grow_with_their_values(chart: str, page: Page) -> None:
    bars = sorted(page.locator(f"#bar-{chart} svg path").evaluate_all(BARS))
    assert len(bars) == 19
    assert max(left for _, left, _ in bars) - min(left for _, left, _ in bars) < 1
    *widths, _ = [width for _, _, width in bars]
    expected = sorted(widths, reverse="throughput" in chart)
    assert widths == expected, "the best is at the top, above the network of two nodes"


def test_a_hub_does_not_crush_the_other_bars(page: Page) -> None:
    bars = page.locator("#bar-broadcast-time svg path").evaluate_all(BARS)
    assert len(bars) == 19
    widths = [width for _, _, width in bars]
    # An axis is logarithmic where the values differ by more.
    assert min(widths) > max(widths) / 10


@pytest.mark.parametrize("leave", ["button", "Escape", "beside"])
def test_a_drawing_is_enlarged_with_its_name_and_a_key(leave: str, page: Page) -> None:
    figure = page.locator("figure.drawing", has_text="hub-switch")
    figure.locator("button").click()
    assert words(page, "#zoom-title") == "hub-switch"
    assert "16 nodes" in words(page, "#zoom-counts")
    assert words(page, ".key-of-drawing").startswith("node switch hub cable")
    if leave == "button":
        assert axe(page) == []
    box = page.locator("#zoom-drawing svg").bounding_box()
    assert box is not None
    assert box["height"] > 400
    if leave == "button":
        page.click("#zoom-close")
    elif leave == "Escape":
        page.keyboard.press("Escape")
    else:
        page.mouse.click(3, 3)
    assert page.locator("#zoom").is_hidden()


def test_a_network_that_cannot_be_built_says_why(page: Page) -> None:
    row = page.locator("#left-out tr", has_text="full-mesh")
    assert "Cannot be built: needs 15 ports per node" in row.inner_text()
    assert row.locator("th").evaluate("one => getComputedStyle(one).textDecorationLine") == (
        "line-through"
    )


@pytest.mark.parametrize("width", [360, 500, 1400])
def test_the_table_scrolls_beside_its_first_column(width: int, page: Page) -> None:
    resized(page, width)
    region = page.locator("#comparison .scroll")
    hidden = region.evaluate("one => one.scrollWidth - one.clientWidth")
    assert (hidden > 0) == (width < 1400), "at 1400 pixels the whole table is seen"
    region.evaluate("one => { one.scrollLeft = one.scrollWidth }")
    first = page.locator(SHOWN).first.bounding_box()
    last = page.locator("table.sortable tr[data-network] td:last-child").first.bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] >= 0
    assert last["x"] + last["width"] <= width
    assert first["x"] + first["width"] <= last["x"], "the last column is beside the first"


def test_every_control_works(small_report: str, open_page: Opener) -> None:
    page = open_page(small_report, kind="report")
    for link in page.locator("nav a").all():
        link.click()
    for box in page.locator("#choice input[type=checkbox]").all():
        box.click()
    page.click("#show-all")
    for heading in page.locator("table.sortable th button").all():
        heading.click()
        heading.click()
    assert page.locator("table.sortable th[aria-sort=descending]").count() == 1
    for region in page.locator("[role=region]:visible").all():
        region.press("ArrowRight")
    for more in page.locator("summary").all():
        more.click()
    for part in page.locator("details.part > summary").all():
        part.click()
    for region in page.locator("details [role=region]").all():
        region.press("ArrowRight")
    for figure in page.locator("figure.drawing").all():
        figure.locator("button").click()
        page.click("#zoom-close")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_readable(
    scheme: Scheme, small_report: str, open_page: Opener, is_readable: Callable[..., None]
) -> None:
    page = open_page(small_report, width=1400, height=2200, scheme=scheme)
    is_readable(page, "comparison", scheme, 2200)


def test_the_page_is_printed_whole(page: Page) -> None:
    resized(page, 1040)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#choice").is_hidden()
    assert page.locator("#theme").is_hidden()
    assert overflow_px(page) <= 0


def test_every_control_was_used(unused: Callable[[str], list[str]]) -> None:
    left = unused("report")
    assert not left, left
