"""Fixtures of tests in a browser: one browser per file, pages that are watched, their controls and
their pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page
from tests.live.browser import AXE_WIDTHS, Opener, Scheme, axe, launched, overflow_px, resized
from tests.live.controls import Controls
from tests.live.pictures import FOLDER, difference, picture
from tests.live.workbench import FILES
from tests.web.serving import Served, serving


# Playwright's event loop runs while it is started: a file that has ended leaves none behind.
@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium, for one file of tests."""
    with launched(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture(scope="module")
def controls() -> Controls:
    """The controls of the pages of a file, with those that were used."""
    return Controls()


@pytest.fixture
def open_page(browser: Browser, controls: Controls, tmp_path: Path) -> Iterator[Opener]:
    """Open pages with `open_page(source, width=..., scheme=...)`; complaints fail the test."""
    opener = Opener(browser, tmp_path, controls)
    yield opener
    opener.close()


@pytest.fixture(scope="module")
def share_page(
    browser: Browser, controls: Controls, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Opener]:
    """Open pages that several tests of a file use, each leaving it as it was."""
    opener = Opener(browser, tmp_path_factory.mktemp("pages"), controls)
    yield opener
    opener.close()


@pytest.fixture
def unused(
    request: pytest.FixtureRequest, controls: Controls, share_page: Opener
) -> Callable[[str], list[str]]:
    """Return `unused(kind)`, for the last test of a file: controls that no test has used."""
    config = request.config
    if config.option.keyword or any("::" in one for one in config.args):
        pytest.skip("needs all tests of this file")
    share_page.look()
    return controls.unused


@pytest.fixture
def looks_like(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Return `looks_like(page, name)`: compare a page with the picture screenshots/<name>.png."""

    def check(page: Page, name: str) -> None:
        path, found = FOLDER / f"{name}.png", picture(page)
        known = Image.open(path).convert("RGB") if path.is_file() else None
        differs = difference(found, known) if known else "there is none"
        if differs and request.config.getoption("--rewrite-golden"):
            FOLDER.mkdir(exist_ok=True)
            found.save(path, optimize=True)
            pytest.fail(f"screenshots/{name}.png was rewritten: look at it")
        assert not differs, f"screenshots/{name}.png: {differs}; `make golden` keeps the new one"

    return check


@pytest.fixture
def is_readable(
    looks_like: Callable[[Page, str], None],
) -> Callable[[Page, str, Scheme, int], None]:
    """Return `is_readable(page, name, scheme, height)`: a page fits windows of every width, looks
    like its pictures there, and has no serious finding of axe.
    """

    def check(page: Page, name: str, scheme: Scheme, height: int = 900) -> None:
        for width in (1400, 768, 360):
            resized(page, width, height)
            assert overflow_px(page) <= 0
            looks_like(page, f"{name}-{width}-{scheme}")
            if width in AXE_WIDTHS[scheme]:
                assert axe(page) == []

    return check


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of this file's workbench."""
    return tmp_path_factory.mktemp("designs")


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[Served]:
    """The workbench of this file."""
    (place / "lab.yaml").write_text(FILES["lab.yaml"])
    with serving(place, "lab.yaml") as served:
        yield served


@pytest.fixture
def designs(place: Path) -> Path:
    """The folder of the workbench, with the files of the beginning and the folders beside them."""
    for path in place.iterdir():
        if path.is_file():
            path.unlink()
    for name, text in FILES.items():
        (place / name).write_text(text)
    return place


@pytest.fixture
def served(server: Served, designs: Path) -> Served:
    """The workbench, in its folder as at the beginning."""
    del designs
    return server
