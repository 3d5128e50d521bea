"""The page of a comparison in a real browser: it opens offline, without a complaint, and everything
is drawn.
"""

from __future__ import annotations

import pytest
from tests.live.browser import Opener, needs_browser, overflow_px
from tests.views.sample import manifest

from linkwright import comparison
from linkwright.results import Manifest
from linkwright.views.quantities import quantity
from linkwright.views.report import comparison_page
from linkwright.workloads import Barrier, Broadcast, PingPong

pytestmark = needs_browser


@pytest.fixture(scope="module")
def report() -> str:
    made: Manifest = manifest("linkwright", "compare")
    workloads = [PingPong(repeats=2), Broadcast(repeats=2), Barrier(repeats=2)]
    return comparison_page(comparison.compare(16, "whitney-1998", workloads), made)


def test_bars_of_draws_have_their_mean_beside_the_whisker(open_page: Opener) -> None:
    found = comparison.compare(4, workloads=[Barrier(repeats=2)], engine="analytic", draws=3)
    page = open_page(comparison_page(found, manifest()), width=900)
    texts = page.locator("#bar-barrier-time text").all_text_contents()
    expected = [row.figures_of("barrier")["time"] for row in found.architectures]
    assert {quantity(one, "s") for one in expected} <= set(texts)


@pytest.mark.parametrize("width", [1280, 500])
def test_the_page_opens_offline_and_is_complete(width: int, report: str, open_page: Opener) -> None:
    page = open_page(report, width=width, kind="report")
    heading = page.locator("table.sortable th button").nth(1)
    heading.click()
    heading.click()
    assert page.locator("table.sortable tr[data-network]").count() == 6
    first = page.locator("table.sortable tbody th").first.inner_text()
    assert first != "direct", "sorting by nodes, most first, leaves the smallest last"
    marks = page.locator(".chart").evaluate_all(
        "charts => charts.map(one => one.querySelectorAll('svg path').length)"
    )
    assert len(marks) == 8
    assert min(marks) > 6, "a chart has nothing drawn"
    drawings = page.locator(".drawings svg.topology").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )
    assert len(drawings) == 6
    assert all(w > 200 and h > 100 for w, h in drawings)
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert overflow_px(page) <= 0, "the page is wider than the window"
