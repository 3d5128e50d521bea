"""A workbench in a browser: the designs of its folder, and what a user does there.

The fixtures `designs` and `served` (conftest.py) give the folder and its server.
"""

from __future__ import annotations

import base64
import json
import zlib
from urllib.parse import urlencode

from playwright.sync_api import Page
from tests.live.browser import Opener
from tests.web.serving import TORUS, Served

KIND = "workbench"
DESIGN = "# our lab\nname: lab\n" + TORUS
SWITCH = "topology: {kind: switch, nodes: 16}\nparts: {catalogue: whitney-1998}\n"
ROWS = "metric,value\ntime,1.5\n"
FILES = {"lab.yaml": DESIGN, "switch.yaml": SWITCH, "rows.csv": ROWS}
"""The folder at the beginning of a test."""


def settled(page: Page) -> None:
    """Wait for all that follows from the text."""
    page.wait_for_selector("html[data-following=done]")
    page.wait_for_selector("#stage-place.has-proof")


def opened(open_page: Opener, served: Served, **options: object) -> Page:
    """Open the workbench, and return it when all that follows from its design is there."""
    page = open_page(served.address, kind=KIND, **options)  # type: ignore[arg-type]
    settled(page)
    return page


def opened_without_runs(
    open_page: Opener, served: Served, text: str = DESIGN, **options: object
) -> Page:
    """Open the workbench by a link with a design and no engine; predictions take most of the time
    until all is there.
    """
    link = link_of(text)
    page = open_page(served.address, kind=KIND, fragment=link, **options)  # type: ignore[arg-type]
    page.wait_for_selector("html[data-following=done], html[data-following=refused]")
    return page


def link_of(text: str) -> str:
    """Return the part of a link after the # that gives a design to be run by no engine."""
    workloads = [{"name": one, "settings": {}} for one in ("ping-pong", "broadcast", "all-reduce")]
    where = {"seed": 1, "placement": "row", "ranks_per_node": 1}
    runs = {"workloads": workloads, "engines": [], **where}
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), wbits=-15)).decode()
    words = {"design": "lab.yaml", "tab": "design", "runs": json.dumps(runs)}
    return urlencode({**words, "text": packed.rstrip("=")})


def text_of(page: Page) -> str:
    """Return the text of the editor."""
    text: str = page.evaluate("workbench.text()")
    return text


def enter(page: Page, selector: str, text: str) -> None:
    """Press a field and replace its content."""
    page.click(selector)
    page.locator(selector).fill(text)


def give(page: Page, selector: str, text: str) -> None:
    """Replace the content of a field and leave it."""
    enter(page, selector, text)
    page.press(selector, "Tab")


def replace(page: Page, text: str) -> None:
    """Type another text in place of the whole."""
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
