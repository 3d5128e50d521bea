"""The page of a check as people use it: with keys, a wheel, a phone, on paper; each of its
controls, and its look.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from tests.live.browser import (
    Opener,
    Scheme,
    axe,
    choose,
    needs_browser,
    overflow_px,
    played_in_tab,
    until,
    words,
)
from tests.views.sample import manifest

from linkwright import engines
from linkwright.cli.played import played_check
from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.plan import check, rerouting
from linkwright.views.check_page import check_page
from linkwright.workloads import Broadcast

pytestmark = needs_browser
PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def mesh() -> str:
    """Return the page of a P-Mesh of 16 nodes, whose routes change with a failure."""
    fields = {
        "topology": {"kind": "p-mesh", "shape": [4, 4], "lines_per_switch": 1},
        "routing": {"fallback": True},
    }
    built = compile_network(Cluster.from_fields(fields))
    return check_page(built, check(built), rerouting(built), manifest("linkwright", "check"))


@pytest.fixture(scope="module")
def page(mesh: str, share_page: Opener) -> Page:
    """Return the page of the P-Mesh, in which nothing has failed."""
    return share_page(mesh, kind="check")


@pytest.mark.parametrize("leave", ["choice", "Enter", "Escape", "blur"])
def test_the_search_is_over_when_it_is_left(leave: str, page: Page) -> None:
    page.locator("#search").press_sequentially("c03")
    assert page.locator("#found button").count() == 1
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.textContent").startswith("Fail cable c03")
    page.keyboard.press("ArrowUp")
    if leave == "choice":
        page.locator("#found button").click()
    elif leave == "blur":
        page.click("h1")
    else:
        page.keyboard.press(leave)
    assert page.locator("#found").is_hidden()
    is_failed = leave in ("choice", "Enter")
    assert page.locator("#failed li").count() == is_failed
    assert page.locator("#search").input_value() == ("c03" if leave == "blur" else "")
    page.fill("#search", "")
    if is_failed:
        page.click("#repair-all")


def test_a_broadcast_is_played_in_a_new_tab(open_page: Opener) -> None:
    built = compile_network(Cluster.from_fields({"topology": {"kind": "ring", "shape": [4]}}))
    seen = manifest("linkwright", "check")
    played = played_check(built, seen, lambda *_: None)
    page = open_page(check_page(built, check(built), None, seen, played=played), kind="check")
    rows = played_in_tab(page, page.locator("[data-played]"))
    result = engines.run(built, Broadcast(repeats=3), seed=1)
    assert float(rows["time"]) == result.filter(metric="time").values()[0]
    assert axe(page) == []


def look_up(page: Page, name: str) -> None:
    """Fail a part by its name."""
    page.fill("#search", name)
    page.locator("#found button").first.click()


def ends_of(page: Page) -> tuple[str, str]:
    """Return the two ends of the route."""
    return page.locator("#route-from").input_value(), page.locator("#route-to").input_value()


def test_the_route_follows_the_failure_until_the_reader_keeps_one(
    mesh: str, open_page: Opener
) -> None:
    page = open_page(mesh, kind="check")
    first = ends_of(page)
    look_up(page, "nic n05:eth0")
    followed = ends_of(page)
    assert followed != first
    assert words(page, "#route-before") != words(page, "#route-after")
    choose(page, "#route-from", "n02")
    choose(page, "#route-to", "n03")
    assert not page.locator("#route-follows").is_checked()
    page.locator("#impacts tbody button").first.click()
    assert ends_of(page) == ("2", "3")
    page.click("#swap")
    assert "from=3&to=2" in page.url
    page.click("#repair-all")
    look_up(page, "nic n05:eth0")
    assert ends_of(page) == ("3", "2")
    page.check("#route-follows")
    assert ends_of(page) == followed
    assert "from=" not in page.url


def test_the_key_says_the_scale_of_the_colours(open_page: Opener) -> None:
    """A cable of a large torus costs most nodes little: few of them have a strong colour."""
    built = compile_network(Cluster.from_fields({"topology": {"kind": "torus", "shape": [16, 16]}}))
    text = check_page(built, check(built), None, manifest("linkwright", "check"))
    page = open_page(text, fragment="fail=cable-0")
    shares = page.locator("g.is-lost").evaluate_all(
        "all => all.map(one => parseFloat(one.style.getPropertyValue('--share')))"
    )
    assert max(shares) == 100
    assert sum(share > 50 for share in shares) < len(shares) / 10
    assert sum(share < 10 for share in shares) > len(shares) / 2
    most = page.locator("#cost .affected tbody td").first.inner_text()
    assert words(page, "#scale-lost") == f"lost connections of a node: 1 to {most} of 510"
    assert words(page, "#scale-rerouted") == "rerouted connections of a node: none"


def test_a_wheel_that_passes_over_the_drawing_scrolls_the_page(
    mesh: str, open_page: Opener
) -> None:
    page = open_page(mesh, kind="check", height=500)
    svg = page.locator("#stage svg")
    whole = svg.get_attribute("viewBox")
    box = page.locator("#stage").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 40)
    page.mouse.wheel(0, 120)
    until(page, "scrollY > 0")
    assert svg.get_attribute("viewBox") == whole
    assert "Ctrl" in str(page.locator("#stage").get_attribute("data-hint"))
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.down("Control")
    page.mouse.wheel(0, -120)
    page.keyboard.up("Control")
    expect(svg).not_to_have_attribute("viewBox", str(whole))
    page.mouse.click(box["x"] + 20, box["y"] + 40)
    zoomed = svg.get_attribute("viewBox")
    page.mouse.wheel(0, -120)
    expect(svg).not_to_have_attribute("viewBox", str(zoomed))
    page.keyboard.press("0")
    assert svg.get_attribute("viewBox") == whole
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement === document.body")


def test_a_drawing_that_is_not_shown_has_no_size(page: Page) -> None:
    box = page.locator("#stage svg").get_attribute("viewBox")
    page.evaluate("stage.style.display = 'none'")
    page.wait_for_timeout(50)
    assert page.locator("#stage svg").get_attribute("viewBox") == box
    page.evaluate("stage.style.display = ''")
    page.wait_for_timeout(50)
    assert page.locator("#stage svg").get_attribute("viewBox") == box


def test_a_cut_cable_is_looked_up_on_a_phone(mesh: str, open_page: Opener) -> None:
    """Three taps: the field, the keyboard's letters, the cable; what it costs is in the window."""
    page = open_page(mesh, kind="check", **PHONE)
    page.tap("#search")
    page.keyboard.type("c07")
    page.locator("#found button").tap()
    cost = page.locator("#cost").bounding_box()
    route = page.locator("#route").bounding_box()
    assert cost is not None
    assert route is not None
    assert 0 <= cost["y"] <= 740 - 150, "the cost is not in the window"
    assert cost["y"] < route["y"], "the cost stands below the route"
    assert words(page, "#failed").startswith("cable c07")
    assert page.locator("#route-after .bad, #route-after .good").count() == 1
    assert overflow_px(page) <= 0


def test_every_control_works(mesh: str, open_page: Opener) -> None:
    page = open_page(mesh, kind="check")
    for link in page.locator("nav a").all():
        link.click()
    choose(page, "#colouring", "forwarding load")
    assert "times the mean" in words(page, "#balance")
    choose(page, "#colouring", "connections")
    for name in ("zoom-in", "zoom-out", "zoom-fit"):
        page.click(f"#{name}")
    page.locator('g[data-device="0"]').click()
    assert words(page, "#failed") == "node n00×"
    for text in ("Repair node", "Fail NIC", "Repair NIC", "Fail cable", "Repair cable",
                 "Route to here", "Route from here"):  # fmt: skip
        page.locator("#looked button", has_text=text).first.click()
    assert ends_of(page) == ("0", "0")
    look_up(page, "c00")
    page.get_by_role("button", name="Repair cable c00").click()
    assert page.locator("#failed li").count() == 0
    page.locator("#impacts tbody button").first.click()
    page.locator("#cost .affected button").first.click()
    assert page.locator("#looked h3").inner_text().startswith("n")
    page.locator("#cost .pairs button").first.click()
    for name in ("cable c09", "nic n05:eth0", "node n06", "switch x1"):
        look_up(page, name)
        own = page.locator("#looked > .actions button").first
        own.click()
        own.click()
    for cable, end in (("c00", "n00"), ("c01", "x0"), ("c17", "y1")):
        look_up(page, cable)
        page.locator("#looked > .actions button", has_text=end).click()
        assert words(page, "#looked h3") == end
    page.locator('g[data-device="16"]').click()
    for kind in ("cables", "NICs", "nodes", "switches"):
        choose(page, "#impacts-kind", kind)
        page.locator("#impacts tbody button").first.click()
    choose(page, "#impacts-kind", "cables")
    page.locator("#impacts .others").first.click()
    page.click("#impacts-more")
    assert page.locator("#impacts tbody tr").count() == 32
    for heading in page.locator("#impacts thead button").all():
        heading.click()
    page.locator("section#failures [role=region]").press("ArrowRight")
    page.locator("#findings [role=region]").press("ArrowDown")
    page.click("#repair-all")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_failures_of_equal_cost_are_one_row_which_opens(mesh: str, open_page: Opener) -> None:
    page = open_page(mesh, kind="check")
    rows = page.locator("#impacts tbody tr")
    n_rows = rows.count()
    others = page.locator("#impacts .others").first
    n_more = int(words(page, "#impacts .others").split()[1])
    others.click()
    assert rows.count() == n_rows + n_more
    page.click("#impacts-more")
    assert rows.count() > n_rows + n_more
    assert page.locator("#impacts .others").count() == 0
    assert words(page, "#impacts thead th:nth-child(2)") == "disconnected", "harm first"


@pytest.mark.parametrize("width", [1440, 390])
def test_the_answer_is_seen_first_and_findings_beside_the_drawing(
    width: int, mesh: str, open_page: Opener
) -> None:
    page = open_page(mesh, width=width, height=900)
    boxes = {
        name: page.locator(name).bounding_box()
        for name in ("#answer", "#findings", "#stage", "#failed")
    }
    assert all(boxes.values())
    top = {name: box["y"] for name, box in boxes.items() if box}
    assert top["#answer"] < 450, "in the first screen"
    assert top["#answer"] < min(top["#findings"], top["#stage"])
    assert page.locator("#answer dd").count() == 4
    assert "heal" in words(page, "#answer p")
    if width > 1000:
        assert abs(top["#findings"] - top["#stage"]) < 120
    else:
        assert top["#findings"] < top["#stage"] < top["#failed"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_readable(
    scheme: Scheme, mesh: str, open_page: Opener, is_readable: Callable[..., None]
) -> None:
    page = open_page(mesh, width=1400, scheme=scheme, fragment="fail=cable-3,node-9")
    is_readable(page, "check", scheme)


def test_the_page_is_printed_in_light_without_its_tools(mesh: str, open_page: Opener) -> None:
    page = open_page(mesh, width=794, scheme="dark", fragment="fail=cable-3")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.locator(".tools").is_hidden()
    assert page.locator("#cost").is_visible()
    assert 0 < page.locator("#impacts tbody tr").count() <= 25
    assert overflow_px(page) <= 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_every_control_was_used(unused: Callable[[str], list[str]]) -> None:
    left = unused("check")
    assert not left, left
