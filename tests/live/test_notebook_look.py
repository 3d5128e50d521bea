"""Objects in JupyterLab: its rules for lists and cells of outputs do not reach inside."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, needs_browser

import linkwright

pytestmark = needs_browser
RULES = """
.jp-RenderedHTMLCommon dt { font-weight: bold; float: left; width: 10%; }
.jp-RenderedHTMLCommon dd { float: left; width: 90%; margin-left: 10%; }
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th { vertical-align: middle; padding: 0.5em; }
:not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon :is(td, th) { text-align: right; }
"""
"""Rules of JupyterLab 4 for an output, shortened."""
OUTPUT = """<!doctype html><html lang="en"><title>Notebook</title><style>{}</style>
<div class="jp-RenderedHTMLCommon jp-RenderedHTML" style="width: 600px">{}</div>"""


@pytest.fixture(scope="module")
def fragments() -> str:
    """Return the fragments of a network and its findings."""
    ring = linkwright.compile(linkwright.Cluster.parse("topology: {kind: ring, shape: [4]}"))
    return "\n".join(one._repr_html_() for one in (ring, linkwright.check(ring)))


@pytest.fixture
def page(fragments: str, open_page: Opener) -> Page:
    """Return the output of a cell."""
    return open_page(OUTPUT.format(RULES, fragments))


def test_a_term_has_room_beside_its_text(page: Page) -> None:
    terms = page.evaluate("""[...document.querySelectorAll("dt")].map(one =>
      [one.textContent, one.scrollWidth - one.clientWidth])""")
    assert len(terms) > 3
    assert [name for name, beyond in terms if beyond > 0] == []


def test_numbers_alone_stand_at_the_right(page: Page) -> None:
    cells = page.evaluate("""[...document.querySelectorAll("td")].map(one =>
      [one.className, getComputedStyle(one).textAlign])""")
    assert {align for name, align in cells if name != "number"} == {"left"}
