"""Drawing in the workbench by mouse and keyboard: every tool, and the text that it leaves.

Python reads the text after each step: what the page shows is what the text says.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, axe, choose, needs_browser, overflow_px, words
from tests.live.workbench import opened_without_runs, replace, text_of
from tests.web.serving import Served

from linkwright.design.cluster import Cluster
from linkwright.design.document import read_document
from linkwright.network import compile as compile_network
from linkwright.web.page import FIRST_DESIGN

pytestmark = needs_browser
RING = "name: lab\ntopology: {kind: ring, shape: [4]}\n"
PARTS = "parts: {catalogue: ethernet-2026, node: mini-pc, nic: usb4, cable: usb4-cable}\n"
BOARD = "#draw-board g[data-name]"
STANDS_STILL = """async () => {
    let last = "", same = 0;
    while (same < 20) {
        await new Promise(requestAnimationFrame);
        const now = JSON.stringify(document.querySelector("#draw-board").getBoundingClientRect());
        same = now === last ? same + 1 : 0;
        last = now;
    }
}"""


def drawing(open_page: Opener, served: Served, text: str = RING + PARTS, **options: object) -> Page:
    """Open the workbench with a drawing by hand."""
    page = opened_without_runs(open_page, served, text, **options)
    page.click("#mode-draw")
    page.click("#draw-by-hand")
    page.wait_for_selector(BOARD)
    return page


def stand_still(page: Page) -> None:
    """Wait until the board stands still: mistakes that are listed above move it."""
    page.wait_for_selector("html[data-following=done], html[data-following=refused]")
    page.evaluate(STANDS_STILL)


def topology(page: Page) -> dict[str, dict[str, object]]:
    """Return the topology as Python reads it, after a look at what the page draws."""
    found: dict[str, dict[str, object]] = read_document(text_of(page), "design")["topology"]
    drawn = page.locator(BOARD).evaluate_all("all => all.map(one => one.dataset.name)")
    sections = ("nodes", "switches", "hubs")
    assert drawn == [name for one in sections for name in found.get(one) or {}]
    assert page.locator("#draw-board [data-cable]").count() == len(found["cables"])
    return found


def middle(page: Page, name: str) -> tuple[float, float]:
    stand_still(page)
    box = page.locator(f"{BOARD}[data-name={name}] rect").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def press(page: Page, name: str, *keys: str) -> None:
    page.locator(f"{BOARD}[data-name={name}]").focus()
    for key in keys:
        page.keyboard.press(key)


def test_a_ring_is_drawn_by_hand_and_back(open_page: Opener, served: Served) -> None:
    page = drawing(open_page, served)
    by_hand = compile_network(Cluster.parse(text_of(page)))
    ring = compile_network(Cluster.parse(RING + PARTS))
    assert by_hand.device_names == ring.device_names
    assert len(topology(page)["cables"]) == 4
    page.click("#draw-undo")
    assert text_of(page) == RING + PARTS
    page.click("#draw-redo")
    page.click("#mode-try")
    page.click("#mode-draw")
    assert len(topology(page)["cables"]) == 4


def test_by_mouse(open_page: Opener, served: Served) -> None:
    page = drawing(open_page, served)
    places = read_document(text_of(page), "design")["places"]
    x, y = middle(page, "n2")
    drag(page, (x, y), (x + 90, y + 50))
    moved = read_document(text_of(page), "design")["places"]
    assert moved["n2"] != places["n2"]
    assert {name for name in places if moved[name] != places[name]} == {"n2"}
    page.click("#draw-add-node")
    assert "n4" in topology(page)["nodes"]
    # A cable from the plug of one device to another; both have room for one more.
    page.locator("#draw-board [data-cable]").nth(0).locator(".hit").click(force=True)
    page.click("#draw-delete")
    assert len(topology(page)["cables"]) == 3
    to = middle(page, "n0")
    page.locator(f"{BOARD}[data-name=n4]").hover()
    plug = page.locator(f"{BOARD}[data-name=n4] .plug").bounding_box()
    assert plug is not None
    drag(page, (plug["x"] + 6, plug["y"] + 6), to)
    assert topology(page)["cables"][-1] == ["n4:eth0", "n0:eth0"]  # type: ignore[index]
    page.keyboard.press("Escape")
    page.click("#draw-add-cable")
    page.mouse.click(*middle(page, "n4"))
    assert "choose its other end" in words(page, "#draw-hint")
    page.mouse.click(*middle(page, "n1"))
    assert topology(page)["cables"][-1] == ["n4:eth1", "n1:eth1"]  # type: ignore[index]
    page.click("#draw-add-cable")
    page.wait_for_selector("html[data-following=done]")
    # Nothing has room for a third cable: the reason is a sentence, and nothing changes.
    before = text_of(page)
    page.mouse.click(*middle(page, "n0"))
    page.keyboard.down("Shift")
    page.mouse.click(*middle(page, "n2"))
    page.keyboard.up("Shift")
    page.click("#draw-add-cable")
    assert "has no free port" in words(page, "#draw-hint")
    assert text_of(page) == before


def test_by_keyboard(open_page: Opener, served: Served) -> None:
    page = drawing(open_page, served)
    press(page, "n0", "ArrowRight")
    focused = page.evaluate("document.activeElement.dataset.name")
    assert focused in ("n1", "n3")
    press(page, "n0", "e", "Delete")
    assert len(topology(page)["cables"]) == 3
    page.keyboard.press("n")
    page.wait_for_selector(f"{BOARD}[data-name=n4]:focus")
    page.keyboard.press("c")
    press(page, "n0", "Enter", "Escape")
    assert topology(page)["cables"][-1] == ["n4:eth0", "n0:eth0"]  # type: ignore[index]
    before = read_document(text_of(page), "design")["places"]["n4"]["drawn"]
    press(page, "n4", "Shift+ArrowRight", "Shift+ArrowDown")
    after = read_document(text_of(page), "design")["places"]["n4"]["drawn"]
    assert (after[0] - before[0], after[1] - before[1]) == (10, 10)
    page.keyboard.press("F2")
    page.keyboard.type("store")
    page.keyboard.press("Enter")
    assert topology(page)["cables"][-1] == ["store:eth0", "n0:eth0"]  # type: ignore[index]
    press(page, "store", "Control+d")
    assert list(topology(page)["nodes"])[-1] == "store0"
    page.keyboard.press("Delete")
    press(page, "n0", "Control+a", "Control+c", "Control+v")
    assert len(topology(page)["nodes"]) == 10
    assert len(topology(page)["cables"]) == 8
    press(page, "n0", "Control+z", "s", "h")
    assert list(topology(page)["switches"]) == ["sw0"]
    press(page, "sw0", "Control+x")
    assert "switches" not in topology(page)
    press(page, "n0", "Control+a", "Backspace")
    assert topology(page)["nodes"] == {}
    page.click("#draw-undo")
    assert len(topology(page)["nodes"]) == 5


def test_names_ports_and_parts(open_page: Opener, served: Served) -> None:
    page = drawing(open_page, served)
    page.mouse.click(*middle(page, "n0"))
    page.fill("#draw-nic-0", "thunderbolt0")
    page.press("#draw-nic-0", "Enter")
    page.fill("#draw-nic-1", "lo")
    page.press("#draw-nic-1", "Tab")
    found = topology(page)
    assert list(found["nodes"]["n0"]["nics"]) == ["thunderbolt0", "eth1"]  # type: ignore[index]
    assert ["n0:thunderbolt0", "n1:eth1"] in found["cables"]  # type: ignore[comparison-overlap]
    assert page.locator("#draw-add-nic").is_disabled(), "a mini PC has two ports of USB4"
    choose(page, "#draw-part", "server")
    assert page.locator("#draw-add-nic").is_enabled()
    page.click("#draw-add-nic")
    choose(page, "#draw-nic-part-2", "nic-10g")
    nics = topology(page)["nodes"]["n0"]["nics"]  # type: ignore[index]
    assert nics["eth0"] == "nic-10g"
    page.click("#draw-inspector button[aria-label='Remove NIC eth0']")
    choose(page, "#draw-part", "usual (mini-pc)")
    page.locator("#draw-board [data-cable='1'] .hit").click(force=True)
    choose(page, "#draw-cable-part", "cat-6a")
    assert topology(page)["cables"][1][2] == "cat-6a"  # type: ignore[index]
    choose(page, "#draw-cable-part", "usual (usb4-cable)")
    choose(page, "#draw-end-a", 0)
    choose(page, "#draw-end-b", 0)
    page.wait_for_selector("html[data-following=done]")
    assert Cluster.parse(text_of(page)).topology.n_nodes == 4


def test_four_mini_pcs_in_a_ring_with_a_switch(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served, FIRST_DESIGN)
    page.click("#mode-draw")
    choose(page, "#draw-part-of-node", "mini-pc-2-5g, room for 2 × usb4")
    page.click("#draw-begin")
    for _ in range(2):
        page.click("#draw-add-node")
    page.click("#draw-all")
    choose(page, "#draw-join", "in a line")
    page.click("#draw-undo")
    choose(page, "#draw-arrange", "on a circle")
    page.click("#draw-undo")
    for how in ("in a row", "in a column", "evenly across", "evenly down", "on a grid"):
        choose(page, "#draw-arrange", how)
    page.click("#draw-duplicate")
    page.click("#draw-delete")
    page.click("#draw-all")
    page.click("#draw-copy")
    page.click("#draw-paste")
    page.click("#draw-delete")
    assert len(topology(page)["nodes"]) == 4
    choose(page, "#draw-part-of-switch", "switch-2-5g, 8 ports")
    choose(page, "#draw-part-of-cable", "cat-6a")
    page.click("#draw-add-switch")
    page.click("#draw-all")
    choose(page, "#draw-join", "to the switch")
    page.wait_for_selector("html[data-following=done]")
    found = topology(page)
    assert sum("sw0" in str(cable) for cable in found["cables"]) == 4
    page.mouse.click(*middle(page, "sw0"))
    page.fill("#draw-port-0", "7")
    page.press("#draw-port-0", "Enter")
    assert "sw0:7" in str(topology(page)["cables"])
    page.locator("#draw-board [data-cable='1'] .hit").click(force=True)
    page.locator("#draw-inspector input").first.fill("8")
    page.press("#draw-inspector input", "Tab")
    for button in ("#draw-zoom-in", "#draw-zoom-out", "#draw-zoom-fit"):
        page.click(button)
    page.click("#draw-inspector + details summary")
    page.wait_for_selector("html[data-following=done]")
    assert compile_network(Cluster.parse(text_of(page))).n_compute == 4


def test_places_of_what_is_gone_go_too(open_page: Opener, served: Served) -> None:
    page = drawing(open_page, served)
    # A device that is taken out of the text by hand leaves its place.
    left = text_of(page).replace("places:\n", "places:\n  gone: {drawn: [5, 5]}\n")
    assert "gone" in left
    replace(page, left)
    page.wait_for_selector("#mistakes .mend:has-text('Leave out the places')")
    page.click("#mistakes .mend:has-text('Leave out the places')")
    page.wait_for_selector("html[data-following=done]")
    assert "gone" not in text_of(page)
    replace(page, left)
    page.wait_for_selector("html[data-following=refused]")
    press(page, "n0", "Shift+ArrowRight")
    assert "gone" not in read_document(text_of(page), "design")["places"]
    press(page, "n0", "Delete")
    assert "n0" not in read_document(text_of(page), "design")["places"]


def test_a_cable_to_the_ground_brings_a_node(open_page: Opener, served: Served) -> None:
    page = drawing(open_page, served)
    press(page, "n0", "e", "Delete")
    before = text_of(page)
    page.locator(f"{BOARD}[data-name=n0]").hover()
    plug = page.locator(f"{BOARD}[data-name=n0] .plug").bounding_box()
    assert plug is not None
    drag(page, (plug["x"] + 6, plug["y"] + 6), (plug["x"] + 6, plug["y"] + 90))
    assert topology(page)["cables"][-1] == ["n0:eth0", "n4:eth0"]  # type: ignore[index]
    page.click("#draw-undo")
    assert text_of(page) == before, "one step"


def test_a_double_press_adds_and_a_band_chooses(open_page: Opener, served: Served) -> None:
    page = drawing(open_page, served)
    box = page.locator("#draw-board").bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + 30, box["y"] + 30)
    page.wait_for_selector(f"{BOARD}[data-name=n4].chosen")
    page.keyboard.down("Shift")
    drag(
        page,
        (box["x"] + 5, box["y"] + 5),
        (box["x"] + box["width"] - 5, box["y"] + box["height"] - 5),
    )
    page.keyboard.up("Shift")
    assert page.locator(f"{BOARD}.chosen").count() == 5
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 12)
    assert page.locator(f"{BOARD}.chosen").count() == 0
    page.wait_for_selector(f"{BOARD}[data-name=n4].wrong")


def test_a_kind_that_cannot_be_drawn_says_why(open_page: Opener, served: Served) -> None:
    bonded = "topology: {kind: bonded-dual-net, nodes: 4}\nparts: {catalogue: beowulf-1996}\n"
    page = opened_without_runs(open_page, served, bonded)
    page.click("#mode-draw")
    page.click("#draw-by-hand")
    page.wait_for_selector("#draw-hint:has-text('it has bonds')")
    replace(page, "topology: {kind: hub, nodes: 3}\nparts: {catalogue: whitney-1998}\n")
    page.wait_for_selector("html[data-following=done]")
    choose(page, "#draw-part-of-hub", 0)
    page.click("#draw-add-hub")
    page.wait_for_selector(f"{BOARD}.hub >> nth=1")
    first, second = topology(page)["hubs"]
    press(page, second, "Delete")
    assert list(topology(page)["hubs"]) == [first]


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_board_fits(
    open_page: Opener,
    served: Served,
    looks_like: Callable[[Page, str], None],
    width: int,
    scheme: str,
) -> None:
    page = drawing(open_page, served, width=width, scheme=scheme)
    page.click("#draw-add-node")
    page.wait_for_selector("html[data-following=refused]")
    assert overflow_px(page) <= 0
    assert axe(page) == []
    page.mouse.move(0, 0)
    # The list of mistakes above the board grows while the buttons that mend them come.
    page.wait_for_selector("#mistakes .mend")
    page.locator("#draw-place").evaluate("place => place.scrollIntoView()")
    looks_like(page, f"workbench-draw-{width}-{scheme}")


def test_every_tool_was_used(unused: Callable[[str], list[str]]) -> None:
    # Rows of ports repeat their fields: each kind of field is used above.
    rows = re.compile(r"#draw-(nic|nic-part|port)-\d+")
    tools = [name for name in unused("workbench") if name.startswith(("#draw", "#mode"))]
    left = [name for name in tools if not rows.fullmatch(name)]
    assert not left, "\n".join(left)
