"""Designs and kinds of network are compared in the workbench, by any workload with its settings.

A comparison says what is done; another question or another design ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, axe, choose, needs_browser, overflow_px, until, words
from tests.live.workbench import KIND, give, opened, replace
from tests.web.serving import Served

from linkwright import comparison
from linkwright.workloads import AllReduce
from linkwright.workloads.described import settings

pytestmark = needs_browser
LONG = "topology: {kind: torus, shape: [12, 12]}\nparts: {catalogue: whitney-1998}\n"


def compare_tab(open_page: Opener, served: Served) -> Page:
    page = opened(open_page, served)
    page.click("#tab-compare")
    page.wait_for_selector("#compare-designs input[value='switch.yaml']")
    return page


def ask(page: Page) -> None:
    page.click("#compare-form button[type=submit]")


def answered(page: Page) -> None:
    ask(page)
    page.wait_for_selector("#compare-state[data-state=ready]")


def cell(page: Page, network: str, column: int) -> float:
    """Return the value of a cell, in base units."""
    row = page.locator("#compare-answer tbody tr").filter(has_text=network)
    return float(row.locator("td").nth(column).get_attribute("data-value") or "")


def test_designs_are_compared(open_page: Opener, served: Served, designs: Path) -> None:
    page = compare_tab(open_page, served)
    page.check("#compare-designs input[value='switch.yaml']")
    choose(page, "#compare-workload", "all-reduce")
    page.click("#compare-more summary")
    give(page, "#compare-settings-size_bytes", "16K")
    choose(page, "#compare-engine", "packet")
    give(page, "#compare-seed", "3")
    answered(page)
    assert "all-reduce size_bytes=16K, packet engine, seed 3." in words(page, "#compare-answer")
    both = [designs / "lab.yaml", designs / "switch.yaml"]
    found = comparison.compare(workloads=[AllReduce(size_bytes=16384)], designs=both, seed=3)
    for row in found.architectures:
        assert cell(page, row.name, 3) == row.figures_of("all-reduce")["time"]
    for form in ("CSV", "Parquet"):
        with page.expect_download():
            page.click(f"#compare-answer [aria-label='Download this table as {form}']")
    give(page, "#compare-placement", "random")
    give(page, "#compare-ranks-per-node", "2")
    answered(page)
    assert "seed 3, placement random, 2 ranks per node." in words(page, "#compare-answer")
    crowded = comparison.compare(
        workloads=[AllReduce(size_bytes=16384)], designs=both, seed=3, placement="random:2"
    )
    for row, before in zip(crowded.architectures, found.architectures, strict=True):
        time = row.figures_of("all-reduce")["time"]
        assert cell(page, row.name, 3) == time != before.figures_of("all-reduce")["time"]
    headings = page.locator("#compare-answer th button")
    for index in range(headings.count()):
        headings.nth(index).click()
    assert page.locator("#compare-answer th[aria-sort]:not([aria-sort=none])").count() == 1


def test_kinds_of_network_are_compared(open_page: Opener, served: Served) -> None:
    page = compare_tab(open_page, served)
    page.check("input[name=what][value=kinds]")
    give(page, "#compare-nodes", "8")
    choose(page, "#compare-catalogue", "whitney-1998")
    choose(page, "#compare-engine", "flow")
    answered(page)
    assert page.locator("#compare-answer tbody tr").count() >= 8
    assert "torus" in words(page, "#front")
    assert "Left out" in words(page, "#compare-answer")
    page.check("input[name=what][value=designs]")
    page.uncheck("#compare-designs input[value='']")
    page.click("#tab-design")
    page.click("#tab-compare")
    page.wait_for_timeout(100)
    assert not page.is_checked("#compare-designs input[value='']"), "a choice stays"
    ask(page)
    page.wait_for_selector("#compare-state[data-state=failed]:has-text('choose one or more')")


def test_every_setting_of_a_workload_has_a_field(open_page: Opener, served: Served) -> None:
    page = compare_tab(open_page, served)
    page.click("#compare-more summary")
    values = {"segment_bytes": ""}
    for one in settings("broadcast"):
        field = f"#compare-settings-{one.name}"
        assert words(page, f"{field}-about") == one.about
        if one.words:
            choose(page, field, one.words[-1])
        else:
            assert page.get_attribute(field, "placeholder") == (one.default or "usual")
            give(page, field, values.get(one.name, "2"))
    summary = words(page, "#compare-more summary")
    assert summary == (
        "Settings of broadcast library=openmpi-4 algorithm=scatter-doubling ranks=2 size_bytes=2 "
        "repeats=2 warm_up=2 root=2 receivers=all closing_barrier=false"
    )
    ask(page)
    page.wait_for_selector("#compare-state[data-state=failed]:has-text('choose root below 2')")
    give(page, "#compare-settings-root", "")
    assert "root" not in words(page, "#compare-more summary")
    choose(page, "#compare-workload", "incast")
    assert words(page, "#compare-more summary") == "Settings of incast"
    for one in settings("incast"):
        give(page, f"#compare-settings-{one.name}", "5")
    answered(page)
    assert "incast size_bytes=5 root=5, packet engine" in words(page, "#compare-answer")


def test_a_comparison_says_what_is_done_and_is_stopped(
    open_page: Opener, served: Served, designs: Path
) -> None:
    (designs / "long.yaml").write_text(LONG)
    page = compare_tab(open_page, served)
    page.check("#compare-designs input[value='long.yaml']")
    choose(page, "#compare-workload", "all-to-all")
    assert page.is_hidden("#compare-stop")
    ask(page)
    page.wait_for_selector("#compare-state:has-text(' of 4: ')")
    page.click("#compare-stop")
    assert words(page, "#compare-state") == "stopped"
    assert page.is_hidden("#compare-stop")
    ask(page)
    page.wait_for_selector("#compare-state:has-text(' of 4: ')")
    give(page, "#compare-seed", "2")
    assert "the question has changed" in words(page, "#compare-state")
    ask(page)
    page.wait_for_selector("#compare-state:has-text(' of 4: ')")
    page.click("#tab-design")
    replace(page, LONG.replace("12, 12", "2, 2"))
    page.click("#tab-compare")
    assert "the design has changed" in words(page, "#compare-state")


def test_two_designs_are_played_on_one_time(open_page: Opener, served: Served) -> None:
    page = compare_tab(open_page, served)
    assert page.is_disabled("#compare-play")
    page.check("#compare-designs input[value='switch.yaml']")
    with page.expect_download() as kept:
        page.click("#compare-keep")
    assert kept.value.suggested_filename == "lab-and-switch-broadcast.html"
    alone = open_page(Path(kept.value.path()).read_text(), kind="beside")
    with page.context.expect_page() as waiting:
        page.click("#compare-play")
    waiting.value.locator("html[data-run=ready]").wait_for(state="attached")
    waiting.value.close()
    ends = []
    for frame in (alone.frame_locator("iframe").nth(at) for at in (0, 1)):
        frame.locator("html[data-run=ready]").wait_for(state="attached")
        row = frame.locator("tr[data-metric=simulated_s]").first
        ends.append(float(row.get_attribute("data-value") or ""))
    value, unit = words(alone, "#duration").split()
    shown_s = float(value) * {"s": 1, "ms": 1e-3, "µs": 1e-6}[unit]
    assert shown_s == pytest.approx(max(ends), rel=0.01), "the axis has the longer run"
    # Time passes, rests and goes anywhere in both; a press in one is for both.
    alone.click("#play")
    until(alone, "document.getElementById('play').getAttribute('aria-label') === 'Pause'")
    alone.click("#play")
    alone.click("#seek", position={"x": 300, "y": 10})
    sought = words(alone, "#time")
    assert not sought.startswith("0.00")
    second = alone.frame_locator("iframe").nth(1)
    second.locator(f"#state:has-text('Paused at {sought}')").wait_for(state="attached")
    second.locator("#lanes").click(position={"x": 60, "y": 30})
    until(alone, f"document.getElementById('time').textContent !== {sought!r}")
    slow = words(alone, "#speed")
    alone.click("#faster")
    assert words(alone, "#speed") != slow
    alone.click("#slower")
    alone.click("#to-start")
    alone.click("#theme")
    second.locator("html[data-theme=dark]").wait_for(state="attached")
    assert overflow_px(alone) <= 0
    open_page.tolerated.append("postMessage")  # axe asks the frames, which are sandboxed
    assert axe(alone) == []


def test_every_control_of_two_runs_was_used(unused: Callable[[str], list[str]]) -> None:
    assert unused("beside") == []


def test_every_control_of_comparisons_was_used(unused: Callable[[str], list[str]]) -> None:
    left = [name for name in unused(KIND) if name.startswith("#compare")]
    assert not left, "\n".join(left)
