"""The page of a comparison in a real browser: it opens offline, without a complaint, and everything
is drawn.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.live.browser import needs_browser, open_page
from tests.views.sample import manifest

from linkwright import studies
from linkwright.results import Manifest
from linkwright.views.quantities import quantity
from linkwright.views.report import comparison_page
from linkwright.workloads import Barrier, Broadcast, PingPong

pytestmark = needs_browser
PROBE = """
  const box = (element) => element.getBoundingClientRect();
  const heading = all("table.sortable th button")[1];
  const first = () => all("table.sortable tbody th")[0].textContent;
  heading.click(); heading.click();
  const most = first();
  document.getElementById("theme").click();
  return {
    most,
    rows: all("table.sortable tbody tr").length,
    marks: all(".chart").map((chart) => chart.querySelectorAll("svg path").length),
    drawings: all("svg.topology").map((one) => [box(one).width, box(one).height]),
    theme: document.documentElement.dataset.theme,
  };
"""


@pytest.fixture(scope="module")
def page() -> str:
    made: Manifest = manifest("linkwright", "compare")
    workloads = [PingPong(repeats=2), Broadcast(repeats=2), Barrier(repeats=2)]
    return comparison_page(studies.compare(16, "whitney-1998", workloads), made)


WHISKERS = """
  const [chart] = all(".chart").filter((one) => one.id === "bar-barrier-time");
  return {texts: [...chart.querySelectorAll("text")].map((one) => one.textContent)};
"""


def test_bars_of_draws_have_their_mean_beside_the_whisker(tmp_path: Path) -> None:
    found = studies.compare(4, workloads=[Barrier(repeats=2)], engine="analytic", draws=3)
    drawn = open_page(comparison_page(found, manifest()), tmp_path, WHISKERS, width=900)
    assert drawn["troubles"] == []
    expected = [row.figures_of("barrier")["time"] for row in found.architectures]
    assert {quantity(one, "s") for one in expected} <= set(drawn["texts"])


@pytest.mark.parametrize("width", [1280, 500])
def test_the_page_opens_offline_and_is_complete(width: int, page: str, tmp_path: Path) -> None:
    found = open_page(page, tmp_path, PROBE, width=width)
    assert found["troubles"] == []
    assert found["requests"] == []
    assert found["rows"] == 6
    assert found["most"] != "direct", "sorting by nodes, most first, leaves the smallest last"
    assert len(found["marks"]) == 7
    assert min(found["marks"]) > 6, "a chart has nothing drawn"
    assert len(found["drawings"]) == 6
    assert all(w > 200 and h > 100 for w, h in found["drawings"])
    assert found["theme"] == "dark"
    assert found["overflow"] <= 0, "the page is wider than the window"
