"""Pages in headless Chromium, driven by Playwright.

The fixture `open_page` (conftest.py) opens a page and watches it until the test ends: a complaint
on the console, an error, a broken content policy or a request to anywhere else fails the test.
Fonts are those of Matplotlib, so that a page has the same lines on every machine.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    sync_playwright,
)
from tests.live.controls import Controls

# The shell has the engine of Chromium and no windows around the pages, which cost three times as
# much processor time as the pages themselves.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
needs_browser = [
    pytest.mark.live,
    pytest.mark.skipif(BROWSER is None, reason="needs Chromium"),
]
Scheme = Literal["light", "dark"]
WAIT_MS = 30_000
AXE_WIDTHS = {"light": (360, 1400), "dark": (768,)}
"""No rule of axe depends on both the theme and the width: three runs see all of them."""
LOCAL = ("file:", "data:", "blob:", "about:")


@contextmanager
def launched(folder: Path) -> Iterator[Browser]:
    """Run Chromium; the folder keeps its list of fonts."""
    assert BROWSER is not None
    fonts = Path(mpl.get_data_path()) / "fonts" / "ttf"
    config = folder / "fonts.conf"
    config.write_text(
        f"<fontconfig><dir>{fonts}</dir><cachedir>{folder / 'fonts'}</cachedir></fontconfig>"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=BROWSER,
            args=["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
            env={"FONTCONFIG_FILE": str(config), "HOME": str(folder), "LANG": "C.UTF-8"},
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Opener:
    """Opens pages in one browser, and keeps what they complained of.

    Attributes
    ----------
    browser : Browser
        The browser.
    folder : Path
        Where the files of pages are written.
    controls : Controls
        Learns which controls the pages have, and which were used.
    tolerated : list of str
        Patterns of complaints that a test expects.
    """

    browser: Browser
    folder: Path
    controls: Controls
    tolerated: list[str] = field(default_factory=list)
    pages: list[tuple[str, Page]] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __call__(
        self,
        source: str | Path,
        *,
        kind: str = "",
        width: int = 1280,
        height: int = 900,
        scheme: Scheme = "light",
        fragment: str = "",
        **context: Any,
    ) -> Page:
        """Open a page, and return it when it is ready.

        Parameters
        ----------
        source : str or Path
            HTML text, a file, or the address of a server on this machine.
        kind : str
            Name under which its controls are counted. Default: they are not.
        width, height : int
            Of the window, in pixels.
        scheme : "light" or "dark"
            The theme that the system asks for.
        fragment : str
            What the address says after its #.
        **context
            Further options of Playwright's `Browser.new_context`, such as `has_touch`.
        """
        address = self._address(source)
        opened = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce",
            **context,
        )
        opened.set_default_timeout(WAIT_MS)
        self._watch(opened, address)
        page = opened.new_page()
        if kind:
            self.controls.watch(kind, page)
        self.pages.append((kind, page))
        page.goto(f"{address}#{fragment}" if fragment else address)
        page.locator("html:not([data-unpacking])").wait_for(state="attached")
        page.evaluate("window.linkwright?.ready")
        return page

    def close(self) -> None:
        """Close every page, and fail if one complained."""
        self.look()
        for _, page in self.pages:
            page.context.close()
        left = [
            one for one in self.complaints if not any(re.search(two, one) for two in self.tolerated)
        ]
        assert not left, f"the page complains: {left}"

    def look(self) -> None:
        """Learn the controls of the pages that are open."""
        for kind, page in self.pages:
            if kind and not page.is_closed():
                self.controls.look(kind, page)

    def _address(self, source: str | Path) -> str:
        if isinstance(source, Path):
            return source.resolve().as_uri()
        if re.match(r"https?://(127\.0\.0\.1|localhost|\[::1\])[:/]", source):
            return source
        path = self.folder / f"page-{len(self.pages)}.html"
        path.write_text(source, encoding="utf-8")
        return path.as_uri()

    def _watch(self, opened: BrowserContext, address: str) -> None:
        """Note complaints of a page and of the tabs that it opens; refuse requests to elsewhere."""
        own = (*LOCAL, re.sub(r"^(https?://[^/]+/).*|.*", r"\1", address) or "file:")

        def said(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                self.complaints.append(f"{message.type}: {message.text}")

        def asked(request: Request) -> None:
            if not request.url.startswith(own):
                self.complaints.append(f"request: {request.url}")

        opened.on("console", said)
        opened.on("weberror", lambda one: self.complaints.append(f"error: {one.error}"))
        opened.on("request", asked)
        opened.route(
            re.compile("^https?:"),
            lambda route: route.continue_() if route.request.url.startswith(own) else route.abort(),
        )


def played_in_tab(page: Page, button: Locator) -> dict[str, str]:
    """Press a button that plays a run in a new tab; return the values of the rows there."""
    with page.context.expect_page() as opened:
        button.click()
    tab = opened.value
    tab.locator("html[data-run=ready]").wait_for(state="attached")
    rows = tab.locator("#rows tbody tr")
    found: list[list[str]] = rows.evaluate_all(
        "rows => rows.map(one => [one.dataset.metric, one.dataset.value])"
    )
    tab.close()
    return dict(found)


def axe(page: Page) -> list[str]:
    """Return the serious and critical findings of axe-core, each with its first place."""
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{one['impact']} {one['id']} at {one['nodes'][0]['target']}: {one['help']}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def resized(page: Page, width: int, height: int = 900) -> Page:
    """Give a page another window, and return it when it has redrawn itself."""
    page.set_viewport_size({"width": width, "height": height})
    # Charts draw themselves in the frame of their new size, and may change the size of others.
    for _ in range(2):
        drawn(page)
    return page


def overflow_px(page: Page) -> int:
    """Return how much wider than its window a page is, in pixels."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wider


def choose(page: Page, selector: str, option: str | int) -> None:
    """Choose in a list that has the focus, and return once the page has drawn what follows.

    Parameters
    ----------
    page : Page
    selector : str
        The list.
    option : str or int
        The beginning of the option's text, or its place.
    """
    field = page.locator(selector)
    options: list[str] = field.evaluate("one => [...one.options].map(each => each.textContent)")
    if isinstance(option, str):
        option = [one.strip().startswith(option) for one in options].index(True)
    field.focus()
    page.keyboard.press("Shift")  # the list is used, as controls.py counts it
    field.select_option(index=option)
    drawn(page)


def drawn(page: Page) -> None:
    """Wait until what the script has changed is on the screen; canvases are drawn by frames."""
    page.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
    )


def until(page: Page, condition: str) -> None:
    """Wait for a condition of the script; Playwright's own way needs `eval`, which pages forbid."""
    for _ in range(WAIT_MS // 20):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came: {condition}")


def words(page: Page, selector: str) -> str:
    """Return the visible text of an element, on one line."""
    return re.sub(r"\s+", " ", page.locator(selector).first.inner_text()).strip()
