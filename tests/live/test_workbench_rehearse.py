"""A design is rehearsed on real kernels from the workbench: started, watched, stopped, with its
verdict, figures and lanes. The engine is tested in tests/emulation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, axe, choose, needs_browser, overflow_px, words
from tests.live.workbench import FILES, KIND, enter, opened_without_runs
from tests.namespaces import why_missing
from tests.web.serving import Served, serving

MISSING = why_missing("tests/live")
pytestmark = [*needs_browser, pytest.mark.skipif(bool(MISSING), reason=MISSING)]
RING = """\
topology: {kind: ring, shape: [3]}
parts: {catalogue: ethernet-2026, node: mini-pc, nic: usb4-amd, cable: usb4-cable}
routing: {fallback: true}
"""


@pytest.fixture(scope="module")
def server(place: Path) -> Iterator[Served]:
    """A workbench that may bring kernels up."""
    (place / "lab.yaml").write_text(FILES["lab.yaml"])
    with serving(place, "lab.yaml", "--allow-emulate") as served:
        yield served


def rehearsal(open_page: Opener, served: Served, **options: object) -> Page:
    page = opened_without_runs(open_page, served, RING, **options)
    page.wait_for_selector("#network-name:has-text('ring-3')")
    page.click("#tab-rehearse")
    return page


def below(pid: int) -> list[int]:
    """Return all processes below one."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    own = [int(one) for one in children.read_text().split()] if children.exists() else []
    return [*own, *(grand for one in own for grand in below(one))]


def test_a_workload_has_its_verdict_figures_and_lanes(open_page: Opener, served: Served) -> None:
    page = rehearsal(open_page, served)
    choose(page, "#rehearse-workload", "broadcast")
    enter(page, "#rehearse-dilation", "2000")
    enter(page, "#rehearse-faults", "")
    page.get_by_role("button", name="Start rehearsal").click()
    page.wait_for_selector("#rehearse-state[data-state=computing]")
    page.wait_for_selector("#rehearse-answer h2")
    assert words(page, "#rehearse-answer h2") in ("faithful", "stretched", "invalid")
    assert "dilation 2000" in words(page, "#rehearse-answer p")
    rows = page.locator("#rehearse-answer tbody tr").all_inner_texts()
    assert any(one.startswith("time") and "–" not in one for one in rows), rows
    lanes = page.locator(".rehearsed-lanes .lane")
    assert [one.split()[0] for one in lanes.all_inner_texts()] == ["0", "1", "2"]
    assert page.locator(".rehearsed-lanes path.received[d*=M]").count() >= 2
    assert overflow_px(page) <= 0
    assert axe(page) == []


def test_the_plan_is_compared_with_kernels(open_page: Opener, served: Served) -> None:
    page = rehearsal(open_page, served)
    page.check("#rehearse-form input[value=plan]")
    page.get_by_role("button", name="Start rehearsal").click()
    page.wait_for_selector("#rehearse-answer h2:has-text('as proved')", timeout=60_000)
    assert "All agree with the proofs" in words(page, "#rehearse-answer")
    page.check("#rehearse-form input[value=workload]")


def test_a_rehearsal_is_stopped_and_nothing_remains(open_page: Opener, served: Served) -> None:
    page = rehearsal(open_page, served)
    before = set(below(served.process.pid))
    enter(page, "#rehearse-dilation", "100000")
    page.get_by_role("button", name="Start rehearsal").click()
    page.wait_for_selector("#rehearse-state:has-text('running')")
    for _ in range(200):
        nodes = set(below(served.process.pid)) - before
        if len(nodes) > 5:
            break
        time.sleep(0.05)
    assert len(nodes) > 5, "processes of ranks are up"
    page.get_by_role("button", name="Stop rehearsal").click()
    assert "stopped" in words(page, "#rehearse-state")
    for _ in range(200):
        if not [one for one in nodes if Path(f"/proc/{one}").exists()]:
            break
        time.sleep(0.05)
    assert not [one for one in nodes if Path(f"/proc/{one}").exists()]


def test_every_control_was_used(unused: Callable[[str], list[str]]) -> None:
    left = [name for name in unused(KIND) if name.startswith("#rehearse")]
    assert not left, "\n".join(left)
