"""Text, form and drawing of the workbench agree after any sequence of edits: by keys, by the form,
by the handles of the drawing, undone and done again. The comments of the text survive.

The edits are drawn from seeds; Python reads the text independently of the page.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TooLate
from tests.live.browser import Opener, needs_browser
from tests.web.serving import Served, serving

from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError
from linkwright.network import compile as compile_network

pytestmark = needs_browser

TEXTS = {
    "flow": """\
# head
name: lab  # a name
topology: {kind: torus, shape: [3, 4]}  # sides
parts: {catalogue: whitney-1998}
# tail
""",
    "block": """\
# head
topology:
  kind: p-mesh  # a kind
  # before the sides
  shape:
    - 3  # rows
    - 4
parts:
  catalogue: whitney-1998  # prices
routing:
  fallback: true  # spare routes
# tail
""",
}
KINDS = ["torus", "mesh", "switch", "hub", "ring", "stack-ring", "p-mesh", "full-mesh", "hypercube"]
N_EDITS = 12


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("designs")
    for name, text in TEXTS.items():
        (folder / f"{name}.yaml").write_text(text)
    with serving(folder) as served:
        yield served


def settled(page: Page) -> None:
    """Wait until the page has shown what follows from its text."""
    page.wait_for_selector("html[data-following=done], html[data-following=refused]")


def type_digit(page: Page, chance: random.Random) -> None:
    """Replace a number of the text as a typist does."""
    text: str = page.evaluate("workbench.text()")
    found = list(re.finditer(r"\b\d\b", text.partition("parts")[0]))
    if not found:
        return
    at = chance.choice(found).start()
    page.click(".cm-content")
    page.keyboard.press("Control+Home")
    before = text[:at]
    for _ in range(before.count("\n")):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    page.keyboard.press("Home")
    for _ in range(len(before.rpartition("\n")[2])):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    page.keyboard.type(str(chance.randint(2, 6)))


def pick(page: Page, field: str, word: str) -> None:
    """Choose an entry of a list, unless it is not offered: no network can be built from it."""
    with contextlib.suppress(TooLate):
        page.select_option(field, word, timeout=2000)


def choose_kind(page: Page, chance: random.Random) -> None:
    pick(page, "#field-kind", chance.choice(KINDS))


def set_number(page: Page, chance: random.Random) -> None:
    # Fields of a closed section are not there to be typed into.
    fields = page.locator("#form input[type=number]:visible")
    if fields.count():
        field = fields.nth(chance.randrange(fields.count()))
        field.fill(str(chance.randint(2, 6)))
        field.press("Tab")


def change_dimensions(page: Page, chance: random.Random) -> None:
    sides = page.locator("#form [role=group] input").count()
    # Sides multiply: more than three make a large network.
    way = chance.choice(["more", "less"]) if sides < 3 else "less"
    button = page.locator(f"#field-shape-{way}")
    if button.count() and button.is_enabled():
        button.click()


def choose_catalogue(page: Page, chance: random.Random) -> None:
    names = ["whitney-1998", "ethernet-2026"]
    pick(page, "#field-catalogue", chance.choice(names))


def toggle_front_end(page: Page, chance: random.Random) -> None:
    del chance
    if page.locator("#form details").first.get_attribute("open") != "":
        page.click("#form summary")
    page.click("#field-front_end")


def press_handle(page: Page, chance: random.Random) -> None:
    handles = page.locator(".handle")
    if handles.count():
        handle = handles.nth(chance.randrange(handles.count()))
        handle.focus()
        handle.press(chance.choice(["ArrowRight", "ArrowLeft"]))


def drag_handle(page: Page, chance: random.Random) -> None:
    handles = page.locator(".handle")
    if not handles.count():
        return
    handle = handles.nth(chance.randrange(handles.count()))
    box = handle.locator("rect").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    far = chance.choice([-60, 60])
    page.mouse.move(x + far / 2, y + far / 2)
    page.mouse.move(x + far, y + far)
    page.mouse.up()


def undo(page: Page, chance: random.Random) -> None:
    del chance
    if page.locator("#undo").is_enabled():
        page.click("#undo")


def redo(page: Page, chance: random.Random) -> None:
    del chance
    if page.locator("#redo").is_enabled():
        page.click("#redo")


EDITS: list[Callable[[Page, random.Random], None]] = [
    type_digit,
    choose_kind,
    set_number,
    change_dimensions,
    choose_catalogue,
    toggle_front_end,
    press_handle,
    drag_handle,
    undo,
    undo,
    redo,
]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("seed", range(2))
def test_text_form_and_drawing_agree(
    server: Served, open_page: Opener, name: str, seed: int
) -> None:
    page = open_page(server.address)
    page.click("#tab-files")
    page.click(f"#files button:has-text('{name}.yaml')")
    settled(page)
    comments = re.findall(r"#.*", TEXTS[name])
    chance = random.Random(seed)
    for _ in range(N_EDITS):
        edit = chance.choice(EDITS)
        before: str = page.evaluate("workbench.text()")
        edit(page, chance)
        settled(page)
        text: str = page.evaluate("workbench.text()")
        story = f"{edit.__name__}:\n{before}\nbecame\n{text}"
        kept = [one for one in comments if one in text]
        # A comment on a line that a change of kind removes goes with its line.
        gone = set(comments) - set(kept)
        assert gone <= {"# rows", "# sides"}, story
        expect_agreement(page, text, story)
    while page.locator("#undo").is_enabled():
        page.click("#undo")
    # The first step is the opening of the file.
    page.click("#redo")
    assert page.evaluate("workbench.text()") == TEXTS[name]


def expect_agreement(page: Page, text: str, story: str) -> None:
    """Check form and drawing against the text as Python reads it."""
    try:
        cluster = Cluster.parse(text)
        network = compile_network(cluster)
    except DesignError:
        assert page.get_attribute("html", "data-following") == "refused", story
        assert page.locator("#mistakes li").count() > 0, story
        return
    assert page.get_attribute("html", "data-following") == "done", story
    assert page.get_attribute("html", "data-drawn") == text, story
    topology: dict[str, Any] = cluster.topology.model_dump(mode="json")
    assert page.input_value("#field-kind") == topology["kind"], story
    for field, value in topology.items():
        sides = value if isinstance(value, list) else None
        if sides is not None:
            shown = [page.input_value(f"#field-topology-{field}-{at}") for at in range(len(sides))]
            assert shown == [str(side) for side in sides], story
        elif isinstance(value, int) and not isinstance(value, bool):
            shown_value = page.input_value(f"#field-topology-{field}")
            assert shown_value in (str(value), ""), story
    assert page.locator("#field-front_end").is_checked() == cluster.front_end, story
    drawn = page.locator("#stage [data-device].node").count()
    assert drawn == network.n_nodes, story


def test_a_design_is_drawn_as_it_is_opened(server: Served, open_page: Opener) -> None:
    page = open_page(server.address)
    settled(page)
    text: str = page.evaluate("workbench.text()")
    expect_agreement(page, text, text)
