"""The harness of the browser tests finds what it is there to find: complaints of a page, requests,
fields without names, unused controls, and pictures that changed.
"""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw
from tests.live.browser import Opener, axe, needs_browser, overflow_px
from tests.live.pictures import difference, picture

pytestmark = needs_browser
PAGE = '<!doctype html><html lang="en"><head><title>t</title>%s</head><body>%s</body></html>'


@pytest.mark.parametrize(
    ("policy", "body", "complaint"),
    [
        ("", "<script>console.warn('spring')</script>", "warning: spring"),
        ("", "<script>console.error('summer')</script>", "error: summer"),
        ("", "<script>setTimeout(() => { throw Error('autumn') })</script>", "error: autumn"),
        ("", "<img src='http://192.0.2.1/a.png' alt=''>", "request: http://192.0.2.1/a.png"),
        ("img-src 'none'", "<img src='data:image/png,' alt=''>", "Content Security Policy"),
    ],
)
def test_a_complaint_of_the_page_fails_the_test(
    policy: str, body: str, complaint: str, open_page: Opener
) -> None:
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page = open_page(PAGE % (head, body))
    page.wait_for_timeout(50)
    assert any(complaint in one for one in open_page.complaints)
    with pytest.raises(AssertionError, match="the page complains"):
        open_page.close()
    open_page.tolerated.append("")


@pytest.mark.parametrize("script", ["console.error('winter')", "throw Error('winter')"])
def test_a_complaint_of_a_tab_that_the_page_opens_fails_the_test(
    script: str, open_page: Opener
) -> None:
    tab = f"new Blob([`<script>{script}</scr` + `ipt>`], {{type: 'text/html'}})"
    page = open_page(PAGE % ("", "<button>open</button>"))
    page.evaluate(f"onclick = () => open(URL.createObjectURL({tab}))")
    with page.context.expect_page() as opened:
        page.click("button")
    opened.value.wait_for_load_state()
    with pytest.raises(AssertionError, match="winter"):
        open_page.close()
    open_page.tolerated.append("winter")


def test_a_field_without_a_name_is_a_finding(open_page: Opener) -> None:
    page = open_page(PAGE % ("", "<main><h1>Names</h1><input id='field'></main>"))
    assert axe(page) == [
        "critical label at ['#field']: Form elements must have labels",
    ]


def test_a_wide_page_overflows(open_page: Opener) -> None:
    page = open_page(PAGE % ("", "<div style='width: 500px'>wide</div>"), width=360)
    assert overflow_px(page) >= 140


def test_controls_that_were_not_used_are_known(open_page: Opener) -> None:
    rows = "".join(f"<tr><td><button>Fail cable {n}</button></td></tr>" for n in range(3))
    page = open_page(
        PAGE % ("", f"<button id='one'>1</button><button id='two'>2</button><table>{rows}</table>"),
        kind="made up",
    )
    page.click("#one")
    page.evaluate("document.getElementById('two').click()")
    open_page.controls.look("made up", page)
    assert open_page.controls.unused("made up") == ["# button Fail", "#two"]
    page.get_by_text("Fail cable 1").click()
    open_page.controls.look("made up", page)
    assert open_page.controls.unused("made up") == ["#two"]


def test_pictures_differ_by_a_panel_and_not_by_a_word(open_page: Opener) -> None:
    style = "<style>p, div { width: 300px; margin: 20px } div { height: 200px }</style>"
    body = "<p>%s</p><div style='background: %s'></div>"
    shots = [
        picture(open_page(PAGE % (style, body % what), width=700, height=500))
        for what in (("some words", "#124"), ("other words", "#124"), ("some words", "#fff"))
    ]
    assert difference(shots[0], shots[1]) == ""
    assert "block" in difference(shots[0], shots[2])


def test_a_picture_of_another_size_differs() -> None:
    one = Image.new("RGB", (140, 90), "white")
    ImageDraw.Draw(one).rectangle((0, 0, 30, 30), fill="red")
    assert difference(one, one) == ""
    assert difference(one, one.resize((140, 80))) == "(140, 90) pixels instead of (140, 80)"
