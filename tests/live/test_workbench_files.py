"""Designs, results, comparisons and studies of the folder open in the workbench, as the command
line wrote them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.live.browser import Opener, axe, choose, needs_browser, overflow_px, words
from tests.live.workbench import (
    DESIGN,
    KIND,
    SWITCH,
    enter,
    opened_without_runs,
    settled,
    text_of,
)
from tests.web.serving import Served

from linkwright.design.document import read_document

pytestmark = needs_browser
STUDY = """\
designs:
  - design: {topology: {kind: ring}, parts: {catalogue: whitney-1998}}
    axes: {topology.shape: [[2], [4], [8]]}
workloads: [broadcast, barrier]
engines: [analytic]
"""
COMMANDS = (
    "study asked.yaml -o sizes --quiet -j 1",
    "simulate lab.yaml -w barrier -e analytic -o run.json --quiet",
    "simulate lab.yaml -w barrier -e analytic -o run.parquet --quiet",
    "compare lab.yaml switch.yaml -w barrier -e analytic -o compared.json --quiet",
    "compare lab.yaml switch.yaml -w barrier -e analytic -o compared.csv --quiet",
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the command line wrote."""
    folder = tmp_path_factory.mktemp("written")
    for name, text in {"lab.yaml": DESIGN, "switch.yaml": SWITCH, "asked.yaml": STUDY}.items():
        (folder / name).write_text(text)
    start = "from linkwright.cli import main; main()"
    for command in COMMANDS:
        subprocess.run([sys.executable, "-c", start, *command.split()], cwd=folder, check=True)
    return folder


@pytest.fixture
def filled(written: Path, designs: Path) -> Path:
    """The folder of the workbench, with links to all of that."""
    for path in written.rglob("*"):
        target = designs / path.relative_to(written)
        if path.is_file() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.hardlink_to(path)
    return designs


def open_file(page: Page, name: str) -> None:
    page.click("#tab-files")
    page.locator("#files button").get_by_text(name, exact=True).click()


def shown(page: Page) -> list[list[str]]:
    """Return the table that is shown."""
    rows: list[list[str]] = page.locator("#file-shown tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return rows


def keep_table(page: Page, place: str) -> None:
    """Keep the table that is shown in each format."""
    for form in ("CSV", "Parquet"):
        with page.expect_download():
            page.click(f"{place} [aria-label='Download this table as {form}']")


def test_designs_are_listed_and_opened(open_page: Opener, served: Served, designs: Path) -> None:
    page = opened_without_runs(open_page, served)
    page.click("#tab-files")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    (designs / "late.yaml").write_text(SWITCH)
    page.click("#files-refresh")
    page.wait_for_selector("#files button:has-text('late.yaml')")
    for name, text in (("switch.yaml", SWITCH), ("late.yaml", SWITCH), ("lab.yaml", DESIGN)):
        open_file(page, name)
        settled(page)
        assert text_of(page) == text
        assert words(page, "#file-name") == name
    open_file(page, "rows.csv")
    page.wait_for_selector("#file-shown td:has-text('1.5')")
    page.focus("#file-shown .scroll")
    page.keyboard.press("ArrowDown")
    keep_table(page, "#file-shown")


def test_a_computation_that_ends_says_its_last_words(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    said = {"message": "the computation ended unexpectedly", "hint": "Traceback: <b>what</b>"}
    body = f"event: died\ndata: {json.dumps(said)}\n\nevent: done\ndata: null\n\n"
    page.route("**/api/open", lambda route: route.fulfill(body=body))
    open_file(page, "rows.csv")
    page.wait_for_selector("#file-shown .reason:has-text('ended unexpectedly')")
    page.click(".notice summary")
    assert words(page, ".notice pre") == "Traceback: <b>what</b>"
    page.press(".notice pre", "ArrowDown")
    page.click(".notice button")
    assert page.locator(".notice").count() == 0


def test_graphs_are_imported(open_page: Opener, served: Served, tmp_path: Path) -> None:
    page = opened_without_runs(open_page, served)
    page.click("#tab-files")
    page.click("#import")
    page.click("#import-cancel")
    page.click("#import")
    page.get_by_role("button", name="Import graph").click()
    page.wait_for_selector("#import-state:has-text('there is no graph')")
    enter(page, "#import-text", "graph {\n a -- leaf1; b -- leaf1; c -- rep\n leaf1 -- rep }\n")
    choose(page, "#import-format", "dot")
    choose(page, "#import-catalogue", "whitney-1998")
    for field, name in (("switches", "leaf*"), ("hubs", "rep"), ("routers", "none*")):
        enter(page, f"#import-{field}", name)
    page.get_by_role("button", name="Import graph").click()
    page.wait_for_selector("#import-state:has-text('no device of the graph is named')")
    page.fill("#import-routers", "")
    page.get_by_role("button", name="Import graph").click()
    page.wait_for_selector("#network-name:has-text('imported')")
    settled(page)
    design = read_document(text_of(page), "design")
    assert list(design["topology"]["nodes"]) == ["a", "b", "c"]
    assert list(design["topology"]["switches"]) == ["leaf1"]
    assert words(page, "#file-name") == "new design"
    assert words(page, "#file-state") == "not on disk"
    # A file names its format itself, and its design.
    (tmp_path / "rack.csv").write_text("source,target\nn0:eth0,n1:eth0\nn1:eth1,n2:eth0\n")
    page.click("#tab-files")
    page.click("#import")
    for field in ("switches", "hubs", "routers"):
        page.fill(f"#import-{field}", "")
    choose(page, "#import-format", "by suffix")
    page.click("#import-files", trial=True)
    page.locator("#import-files").set_input_files(tmp_path / "rack.csv")
    page.press("#import-files", "Tab")
    page.get_by_role("button", name="Import graph").click()
    page.wait_for_selector("#network-name:has-text('rack')")
    settled(page)
    assert len(read_document(text_of(page), "design")["topology"]["cables"]) == 2


@pytest.mark.parametrize("name", ["run.json", "run.parquet"])
def test_results_open_as_tables(name: str, open_page: Opener, served: Served, filled: Path) -> None:
    page = opened_without_runs(open_page, served)
    open_file(page, name)
    page.wait_for_selector("#file-shown td")
    heading, *rows = shown(page)
    metric, workload = heading.index("metric"), heading.index("workload")
    assert "time" in {row[metric] for row in rows}
    assert {row[workload] for row in rows} == {"barrier"}
    assert '{"cable": "category-5"' in rows[0][heading.index("parts")]


@pytest.mark.parametrize("name", ["compared.json", "compared.csv"])
def test_comparisons_open_as_tables(
    name: str, open_page: Opener, served: Served, filled: Path
) -> None:
    page = opened_without_runs(open_page, served)
    open_file(page, name)
    page.wait_for_selector("#file-shown td")
    heading, *rows = shown(page)
    assert [row[heading.index("architecture")] for row in rows] == ["lab", "switch-16"]
    assert all(float(row[heading.index("workloads.barrier.time")]) > 0 for row in rows)


def test_a_study_opens_with_its_figures_and_tables(
    open_page: Opener, served: Served, filled: Path
) -> None:
    page = opened_without_runs(open_page, served)
    open_file(page, "sizes")
    page.wait_for_selector("#study-figure svg")
    heading, *rows = shown(page)
    assert heading == ["topology shape", "barrier", "broadcast"]
    assert len(rows) == 3
    assert words(page, "#study-answer").startswith("Means of")
    assert page.locator("#study-figure svg path").count() > 6, "nothing is drawn"
    assert axe(page) == []
    assert overflow_px(page) <= 0
    for field, option in (("kind", "box"), ("metric", "time"), ("x", "nodes"), ("by", "nothing")):
        choose(page, f"#study-question select[name={field}]", option)
    page.click("#study-question button")
    page.wait_for_selector("#study-figure svg")
    heading, *rows = shown(page)
    assert heading == ["nodes", "value"]
    assert [row[0] for row in rows] == ["2", "4", "8"]
    page.locator("#study-answer .scroll").press("ArrowDown")
    keep_table(page, "#study-answer")
    choose(page, "#study-question select[name=kind]", "heat")
    page.click("#study-question button")
    page.wait_for_selector("#study-answer .reason")
    choose(page, "#study-question select[name=by]", "workload")
    page.click("#study-question button")
    page.wait_for_selector("#study-figure svg")


def test_what_cannot_be_read_says_why(open_page: Opener, served: Served, designs: Path) -> None:
    (designs / "broken.json").write_text('[{"no": "result"}]')
    page = opened_without_runs(open_page, served)
    open_file(page, "broken.json")
    page.wait_for_selector("#file-shown .reason:has-text('does not have the columns')")
    open_file(page, "rows.csv")
    page.wait_for_selector("#file-shown td")
    (designs / "rows.csv").unlink()
    page.locator("#files button").get_by_text("rows.csv").click()
    page.wait_for_selector("#file-shown .reason:has-text('No such file')")


def test_a_study_file_is_no_design(open_page: Opener, served: Served, filled: Path) -> None:
    page = opened_without_runs(open_page, served)
    page.click("#tab-files")
    page.wait_for_selector("#files button:has-text('lab.yaml')")
    assert page.locator("#files button:has-text('asked.yaml')").count() == 0


def test_every_control_of_files_was_used(unused: Callable[[str], list[str]]) -> None:
    own = ("#file", "#study-question", "#study-answer", "#study-figure")
    left = [name for name in unused(KIND) if name.startswith(own)]
    assert not left, "\n".join(left)


def test_the_state_of_a_watch_colours_the_drawings(
    open_page: Opener, served: Served, designs: Path
) -> None:
    def state(*findings: dict[str, str]) -> str:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        watch = {"when": now, "interval_s": 2, "answer": f"{len(findings)} found", "nodes": ["n0"]}
        return json.dumps({"watch": watch, "findings": findings, "moves": []})

    pulled = {"kind": "missing-cable", "cable": "c00", "reason": "c00 is out", "fix": "plug it"}
    (designs / "watch.json").write_text(state(pulled))
    page = opened_without_runs(open_page, served)
    open_file(page, "watch.json")
    page.wait_for_selector("#file-shown .answer:has-text('1 found')")
    assert page.locator("#file-shown .absent").count() == 1
    page.focus("#file-shown .scroll")
    page.keyboard.press("ArrowDown")
    assert axe(page) == []
    page.click("#tab-design")
    assert page.locator("#stage path[data-as-built=wrong]").count() == 1
    (designs / "watch.json").write_text(state())
    page.wait_for_selector("#stage path[data-as-built=wrong]", state="detached")
