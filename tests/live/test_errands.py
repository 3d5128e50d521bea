"""Three errands of users from the first press to the result, with their clicks counted: a lecturer,
a builder, and a researcher. A choice in a list is two clicks, a text in a field or a drag is one.
"""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from playwright.sync_api import FrameLocator, Page
from tests.live.browser import Opener, choose, needs_browser, until, words
from tests.live.workbench import enter, opened, replace, settled
from tests.web.serving import Served

from linkwright.design.cluster import Cluster
from linkwright.web.page import FIRST_DESIGN

pytestmark = needs_browser
HUB = "name: hub\ntopology: {kind: hub, nodes: 4}\nparts: {catalogue: whitney-1998}\n"
SWITCH = "name: switch\ntopology: {kind: switch, nodes: 4}\nparts: {catalogue: whitney-1998}\n"


class Hand:
    """A user's hand on the mouse, which counts its clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    def press(self, selector: str, within: FrameLocator | None = None) -> None:
        """Press something."""
        (within or self.page).locator(selector).first.click()
        self.clicks += 1

    def choose(self, selector: str, option: str) -> None:
        """Open a list and choose one of its options."""
        choose(self.page, selector, option)
        self.clicks += 2

    def write(self, selector: str, text: str) -> None:
        """Press a field and type."""
        enter(self.page, selector, text)
        self.page.press(selector, "Tab")
        self.clicks += 1

    def drag(self, name: str, to: str | tuple[float, float]) -> None:
        """Drag from the plug of a device to another one, or so far from it."""
        device = self.page.locator(f"#draw-board g[data-name={name}]")
        device.hover()
        x, y = centre(self.page, f"#draw-board g[data-name={name}] .plug")
        if isinstance(to, str):
            end = centre(self.page, f"#draw-board g[data-name={to}] rect")
        else:
            end = (x + to[0], y + to[1])
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move((x + end[0]) / 2, (y + end[1]) / 2)
        self.page.mouse.move(*end)
        self.page.mouse.up()
        self.clicks += 1


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_lecturer_shows_a_hub_beside_a_switch(
    open_page: Opener, served: Served, designs: Path
) -> None:
    for name, text in (("hub.yaml", HUB), ("switch.yaml", SWITCH)):
        (designs / name).write_text(text)
    page = opened(open_page, served)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand = Hand(page)
    hand.press("#tab-compare")
    for name in ("hub.yaml", "switch.yaml", ""):
        hand.press(f"#compare-designs input[value='{name}']")
    with page.context.expect_page() as waiting:
        hand.press("#compare-play")
    tab = waiting.value
    tab.locator("html[data-run=ready]").wait_for(state="attached")
    assert "broadcast on hub and on switch" in words(tab, "h1")
    hub, switch = (tab.frame_locator("iframe").nth(at) for at in (0, 1))
    tab.press("#seek", "End")
    until(tab, "document.getElementById('time').textContent !== '0'")
    whole = words(tab, "#time")
    for frame in (hub, switch):
        frame.locator(f"#state:has-text('Paused at {whole}')").wait_for(state="attached")
    tab.press("#seek", "Home")
    before = hub.locator("tr[data-metric=time]").first.get_attribute("data-value")
    hand.press("#stage g[data-device='4']", switch)
    hand.press("#pull", switch)
    switch.locator("#run-note:has-text('does not finish')").wait_for()
    assert hub.locator("tr[data-metric=time]").first.get_attribute("data-value") == before
    tab.close()
    hand.press("#tab-files")
    hand.press("#files button:has-text('hub.yaml')")
    settled(page)
    page.locator("#stage path.hit").first.dispatch_event("click")
    hand.clicks += 1
    hand.press("#copy-link")
    page.wait_for_selector("#copy-link:has-text('Copied')")
    other = page.context.new_page()
    other.goto(page.evaluate("navigator.clipboard.readText()"))
    settled(other)
    assert words(other, "#failed").startswith("cable")
    other.close()
    assert hand.clicks <= 12


def test_a_builder_draws_four_mini_pcs(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    replace(page, FIRST_DESIGN)
    settled(page)
    hand = Hand(page)
    hand.press("#mode-draw")
    hand.choose("#draw-part-of-node", "mini-pc-2-5g, room for 2 × usb4")
    hand.press("#draw-begin")
    hand.drag("n1", (0, 90))
    hand.drag("n2", (-140, 0))
    hand.drag("n3", "n0")
    page.wait_for_selector("html[data-following=done]")
    cluster = Cluster.parse(page.evaluate("workbench.text()"))
    assert (cluster.topology.n_nodes, len(page.locator("#draw-board [data-cable]").all())) == (4, 4)
    hand.press("#mode-try")
    page.locator("#stage path.hit").first.dispatch_event("click")
    hand.clicks += 1
    assert words(page, "#failed").startswith("cable")
    with page.expect_download() as waiting:
        hand.press("#download-plan")
    names = zipfile.ZipFile(io.BytesIO(Path(waiting.value.path()).read_bytes())).namelist()
    assert any(name.endswith("cables.csv") for name in names)
    assert hand.clicks <= 10


def test_a_researcher_asks_a_study(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    hand = Hand(page)
    hand.press("#tab-study")
    page.wait_for_selector("#study-axis-1 option:nth-child(2)", state="attached")
    hand.choose("#study-axis-1", "topology.shape")
    hand.write("#study-values-1", "[2, 2], [4, 4]")
    hand.choose("#study-axis-2", "workload size_bytes")
    hand.write("#study-values-2", "64, 4K")
    hand.press("#study-engines input[value=analytic]")
    hand.press("#study-engines input[value=packet]")
    hand.press("#study-form button[type=submit]")
    page.wait_for_selector("#study-figure svg")
    assert re.search(r"4 runs, 0 failed", page.text_content("#study-state") or "")
    assert hand.clicks <= 12
