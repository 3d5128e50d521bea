"""A page in headless Chromium: its copy gets two probes. One before anything else collects errors
and blocked requests in `troubles`; one at the end runs when the page is loaded
and ready, and reports.
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

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_browser = [
    pytest.mark.live,
    pytest.mark.skipif(BROWSER is None, reason="needs Chromium"),
]
FIRST = """<script>
const troubles = [];
addEventListener("error", (event) => troubles.push(String(event.message)), true);
addEventListener("securitypolicyviolation", (event) => troubles.push(event.blockedURI));
for (const level of ["warn", "error"]) console[level] = (...what) => troubles.push(what.join(" "));
const all = (selector) => [...document.querySelectorAll(selector)];
</script>"""
LAST = """<script>
const becomesReady = async () => {
  let isReady = false;
  const settled = (trouble) => { isReady = true; if (trouble) troubles.push(String(trouble)); };
  Promise.resolve(window.linkwright?.ready).then(() => settled(), settled);
  // Virtual time does not wait for threads that compile: real time is spent between two looks.
  while (!isReady) {
    for (let spent = 0; spent < 1e7; spent++);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
addEventListener("load", async () => {
  await becomesReady();
  const probe = () => { %s };
  const found = {
    ...probe(),
    troubles,
    requests: performance.getEntriesByType("resource").map((one) => one.name),
    overflow: document.documentElement.scrollWidth - innerWidth,
  };
  const place = document.createElement("pre");
  place.id = "found";
  place.textContent = JSON.stringify(found);
  document.body.append(place);
});
</script>"""


def open_page(
    text: str, folder: Path, probe: str, *, width: int = 1280, fragment: str = ""
) -> dict[str, Any]:
    """Open a page in the browser and return what its probes found.

    Parameters
    ----------
    text : str
        The page.
    folder : Path
        An empty folder for the page and for what the browser keeps.
    probe : str
        Statements in JavaScript that return an object.
    width : int
        Of the window, in pixels.
    fragment : str
        What the address says after its #.
    """
    probed = text.replace("<head>", f"<head>{FIRST}", 1)
    head, end, tail = probed.rpartition("</body>")
    (folder / "page.html").write_text(f"{head}{LAST % probe}{end}{tail}")
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
            f"{(folder / 'page.html').as_uri()}#{fragment}",
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
