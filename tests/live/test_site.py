"""Wide tables of the site: a sign above, and the keyboard scrolls them."""

from __future__ import annotations

from tests.live.browser import Opener, axe, needs_browser, overflow_px, resized, until

from finding import ROOT

pytestmark = needs_browser
STATIC = ROOT / "docs/_static"
HEAD = "".join(f"<th>column {number}</th>" for number in range(12))
PAGE = f"""<!doctype html><html lang="en"><title>Tables</title>
<style>{(STATIC / "site.css").read_text()}</style>
<main><h1>Tables</h1>
<div class="table-wrapper" id="wide"><table><tr>{HEAD}</tr></table></div>
<div class="table-wrapper" id="narrow"><table><tr><th>one</th></tr></table></div></main>
<script>{(STATIC / "site.js").read_text()}</script></html>"""


def test_a_wide_table_has_a_sign_and_is_scrolled_by_keys(open_page: Opener) -> None:
    page = open_page(PAGE, width=390)
    page.wait_for_selector(".table-sign + #wide[tabindex='0']")
    assert page.locator(".table-sign").count() == 1
    assert overflow_px(page) <= 0
    assert axe(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    until(page, "document.getElementById('wide').scrollLeft > 0")
    resized(page, 2000)
    page.wait_for_selector("#wide:not([tabindex])")
    assert page.locator(".table-sign").count() == 0
