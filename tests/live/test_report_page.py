"""The page in a real browser: it opens offline, without a complaint, and everything is drawn.

Needs Chromium. Its copy of the page gets two probes: one before anything else collects errors and
blocked requests, one at the end counts requests and what was drawn.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from tests.views.sample import manifest

from linkwright import studies
from linkwright.results import Manifest
from linkwright.views.report import comparison_page
from linkwright.workloads import Barrier, Broadcast, PingPong

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(BROWSER is None, reason="needs Chromium"),
]
FIRST = """<script>
const troubles = [];
addEventListener("error", (event) => troubles.push(String(event.message)), true);
addEventListener("securitypolicyviolation", (event) => troubles.push(event.blockedURI));
for (const level of ["warn", "error"]) console[level] = (...what) => troubles.push(what.join(" "));
</script>"""
LAST = """<script>
addEventListener("load", () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const box = (element) => element.getBoundingClientRect();
  const heading = all("table.sortable th button")[1];
  const first = () => all("table.sortable tbody th")[0].textContent;
  heading.click(); heading.click();
  const most = first();
  document.getElementById("theme").click();
  const found = {
    troubles,
    most,
    requests: performance.getEntriesByType("resource").map((one) => one.name),
    rows: all("table.sortable tbody tr").length,
    marks: all(".chart").map((chart) => chart.querySelectorAll("svg path").length),
    drawings: all("svg.topology").map((one) => [box(one).width, box(one).height]),
    theme: document.documentElement.dataset.theme,
    overflow: document.documentElement.scrollWidth - innerWidth,
  };
  const place = document.createElement("pre");
  place.id = "found";
  place.textContent = JSON.stringify(found);
  document.body.append(place);
});
</script>"""


@pytest.fixture(scope="module")
def page() -> str:
    made: Manifest = manifest("linkwright", "compare")
    workloads = [PingPong(repeats=2), Broadcast(repeats=2), Barrier(repeats=2)]
    return comparison_page(studies.compare(16, "whitney-1998", workloads), made)


def open_page(text: str, folder: Path, width: int) -> dict[str, Any]:
    """Open a page in the browser and return what its probes found."""
    probed = text.replace("<head>", f"<head>{FIRST}", 1)
    head, end, tail = probed.rpartition("</body>")
    (folder / "page.html").write_text(f"{head}{LAST}{end}{tail}")
    assert BROWSER is not None
    switches = ["gpu", "background-networking", "component-update", "sync"]
    ended = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--no-first-run",
            *(f"--disable-{switch}" for switch in switches),
            f"--user-data-dir={folder / 'profile'}",
            f"--window-size={width},2000",
            "--virtual-time-budget=10000",
            "--dump-dom",
            (folder / "page.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = re.search(r'<pre id="found">(.*?)</pre>', ended.stdout, flags=re.DOTALL)
    assert found is not None, "the page's own script did not finish"
    result: dict[str, Any] = json.loads(unescape(found[1]))
    return result


@pytest.mark.parametrize("width", [1280, 500])
def test_the_page_opens_offline_and_is_complete(width: int, page: str, tmp_path: Path) -> None:
    found = open_page(page, tmp_path, width)
    assert found["troubles"] == []
    assert found["requests"] == []
    assert found["rows"] == 7
    assert found["most"] != "direct", "sorting by nodes, most first, leaves the smallest last"
    assert len(found["marks"]) == 7
    assert min(found["marks"]) > 7, "a chart has nothing drawn"
    assert len(found["drawings"]) == 7
    assert all(w > 200 and h > 100 for w, h in found["drawings"])
    assert found["theme"] == "dark"
    assert found["overflow"] <= 0, "the page is wider than the window"
