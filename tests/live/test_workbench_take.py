"""Files are taken away from the workbench by real presses, and a link opens the page as it was.

The content of the files is tested in tests/web/test_taking.py.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Download, Page
from pyarrow import parquet
from scapy.utils import rdpcap
from tests.live.browser import Opener, Scheme, axe, choose, needs_browser, overflow_px, words
from tests.live.workbench import (
    KIND,
    SWITCH,
    give,
    opened,
    opened_without_runs,
    replace,
    settled,
    text_of,
)
from tests.web.serving import Served

pytestmark = needs_browser
TABLES = ("bom", "cables", "devices", "interfaces", "routes", "hosts", "sysctl", "findings")


def taken(page: Page, name: str) -> tuple[str, bytes]:
    """Press a button of the page, and return the file that it gives."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    file: Download = waiting.value
    return file.suggested_filename, Path(file.path()).read_bytes()


def take_view(open_page: Opener, served: Served, **options: object) -> Page:
    page = opened_without_runs(open_page, served, **options)
    page.click("#tab-take")
    return page


def test_the_plan_is_one_press_away(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    name, content = taken(page, "Download plan")
    assert name == "lab.zip"
    names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert {"lab/cables.csv", "lab/bom.csv", "lab/cables.html"} <= set(names)
    assert not [one for one in names if "/nodes/" in one]


def test_sheets_pictures_and_pages_are_kept(open_page: Opener, served: Served) -> None:
    page = take_view(open_page, served)
    name, sheet = taken(page, "Download cable sheet")
    assert (name, b"cables" in sheet) == ("lab-cables.html", True)
    name, svg = taken(page, "Download SVG")
    assert name == "lab.svg"
    assert svg.count(b"data-device") == 16
    name, png = taken(page, "Download PNG")
    assert name == "lab.png"
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    assert min(picture.size) > 300
    assert picture.getpixel((0, 0)) == (255, 255, 255)
    assert len(picture.getcolors(1 << 24) or ()) > 5, "nothing is drawn"
    name, check = taken(page, "Download page")
    assert name == "lab-check.html"
    choose(page, "#take-workload", "broadcast")
    name, run = taken(page, "Download run")
    assert name == "lab-broadcast.html"
    for html, text in ((check, "lab: the cost of failures"), (run, "broadcast on lab")):
        alone = open_page(html.decode())
        alone.wait_for_selector(f"h1:has-text('{text}')")


def test_every_table_is_kept_in_both_forms(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    page.click("#tab-take")
    for table in (*TABLES, "predictions"):
        name, text = taken(page, f"Download {table} as CSV")
        assert name == f"lab-{table}.csv"
        name, content = taken(page, f"Download {table} as Parquet")
        assert name == f"lab-{table}.parquet"
        found = parquet.read_table(io.BytesIO(content))
        assert text.decode().split("\n")[0].split(",") == found.column_names
        assert found.num_rows > 0


def test_tables_of_other_views_are_kept_too(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    page.click("#tab-files")
    page.click("#files button:has-text('rows.csv')")
    assert taken(page, "Download this table as CSV")[1] == b"metric,value\ntime,1.5\n"
    page.click("#tab-compare")
    page.click("#compare-form button[type=submit]")
    page.wait_for_selector("#front svg")
    _, content = taken(page, "Download this table as Parquet")
    [row] = parquet.read_table(io.BytesIO(content)).to_pylist()
    assert (row["network"], row["nodes"]) == ("lab", 16)
    assert row["broadcast time"] > 0


def test_files_for_machines_are_looked_at_copied_and_kept(
    open_page: Opener, served: Served
) -> None:
    page = take_view(open_page, served)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert "Choose a target" in words(page, "#take-said")
    page.check("#take-targets input[value=networkd]")
    page.check("#take-targets input[value=hosts]")
    for name in ("all/hosts/hosts", "missing.csv", "names.csv", "n05/networkd/etc/sysctl.d"):
        page.click(f"#take-listed button:has-text('{name}')")
    page.click("#take-listed button:has-text('n05/networkd/'):has-text('.network') >> nth=0")
    shown = page.locator("#take-shown pre").inner_text()
    assert "[Match]" in shown
    page.locator("#take-shown pre").press("ArrowDown")
    page.get_by_role("button", name="Copy file").click()
    page.wait_for_selector("#take-shown button:has-text('Copied')")
    assert (
        page.evaluate("navigator.clipboard.readText()")
        == page.locator("#take-shown pre").text_content()
    )
    page.wait_for_selector("#take-shown button:has-text('Copy file')")
    name, content = taken(page, "Download file")
    assert words(page, "#take-shown h3").endswith(name)
    assert content.decode() == page.locator("#take-shown pre").text_content()
    assert "facts about the machines" in words(page, "#take-said")
    _, plan = taken(page, "Download plan")
    names = zipfile.ZipFile(io.BytesIO(plan)).namelist()
    assert [one for one in names if one.startswith("lab/nodes/n05/networkd/")]
    assert axe(page) == []


def test_what_a_target_refuses_is_said(open_page: Opener, served: Served) -> None:
    page = take_view(open_page, served)
    page.click("#tab-design")
    replace(page, SWITCH + "routing: {daemon: ospf}\n")
    settled(page)
    page.click("#tab-take")
    page.check("#take-targets input[value=netlab]")
    page.wait_for_selector("#take-said .reason:has-text('netlab: the routes of')")


def test_the_frames_of_a_cable_are_captured_from_the_drawing(
    open_page: Opener, served: Served, tmp_path: Path
) -> None:
    page = opened(open_page, served)
    page.check("input[name=press][value=look]")
    page.locator("#stage path.hit[data-cables='3']").dispatch_event("click")
    assert words(page, "#looked h3").startswith("cable c03")
    assert page.locator("#failed li").count() == 0, "a look fails nothing"
    choose(page, "#capture-workload", "broadcast")
    ends = page.locator("#captures button").all_inner_texts()
    name, content = taken(page, f"Capture at {ends[1]}")
    assert name == f"lab-broadcast-{ends[1].replace(':', '-')}.pcapng"
    (tmp_path / name).write_bytes(content)
    frames = rdpcap(str(tmp_path / name))
    assert {one.sniffed_on for one in frames} == {ends[1]}
    page.locator("#stage [data-device='5']").click()
    assert words(page, "#looked h3") == "n05"
    assert len(page.locator("#captures button").all()) == 4
    assert page.locator("#capture-workload").input_value() == "broadcast"
    page.check("input[name=press][value=fail]")


def test_a_design_with_mistakes_gives_the_reason(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    replace(page, "topology: {kind: nothing}")
    page.get_by_role("button", name="Download plan").click()
    page.wait_for_selector(".notice:has-text('There is no file')")
    assert page.locator("#download-plan").is_enabled()


def test_a_link_opens_the_page_as_it_is(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    give(page, "#field-topology-shape-0", "3")
    settled(page)
    page.locator("#stage [data-device='5']").click()
    page.check("input[name=press][value=route]")
    page.locator("#stage [data-device='0']").click()
    page.locator("#stage [data-device='6']").click()
    page.click("#zoom-in")
    page.click("#workloads button[aria-label='Remove all-reduce']")
    give(page, "#seed", "7")
    settled(page)
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_selector("#copy-link:has-text('Copied')")
    link = page.evaluate("navigator.clipboard.readText()")
    other = page.context.new_page()
    other.goto(link)
    settled(other)
    assert other.evaluate("workbench.text()") == text_of(page)
    assert "#" not in other.url, "a reload keeps later changes"
    assert words(other, "#file-name") == "lab.yaml"
    assert words(other, "#failed").startswith("node n05")
    assert "n05" in words(other, "#looked")
    assert (other.input_value("#route-from"), other.input_value("#route-to")) == ("0", "6")
    assert other.is_checked("input[name=press][value=route]")
    assert other.input_value("#seed") == "7"
    assert other.locator("#workloads li").count() == 2
    boxes = [one.get_attribute("#stage svg", "viewBox") for one in (page, other)]
    assert [round(float(x)) for x in boxes[0].split()] == [
        round(float(x)) for x in boxes[1].split()
    ]
    other.close()


def test_a_link_leads_to_a_view_and_a_broken_one_to_the_design(
    open_page: Opener, served: Served
) -> None:
    page = take_view(open_page, served)
    # Without the right to write to the clipboard, the link stands in a field.
    page.evaluate("() => { Clipboard.prototype.writeText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Copy link").click()
    link = page.input_value(".notice input")
    page.locator(".notice input").press("ArrowRight")
    page.click(".notice button")
    other = page.context.new_page()
    other.goto(link)
    other.wait_for_selector("#view-take:not([hidden])")
    other.goto("about:blank")
    other.goto(link[:-40])
    settled(other)
    assert other.locator("#view-design").is_visible()
    assert other.evaluate("workbench.text()") == text_of(page)
    other.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_the_view_fits(open_page: Opener, served: Served, width: int, scheme: Scheme) -> None:
    page = take_view(open_page, served, width=width, scheme=scheme)
    page.check("#take-targets input[value=networkd]")
    page.wait_for_selector("#take-listed button")
    assert overflow_px(page) <= 0
    assert axe(page) == []


def test_every_control_was_used(unused: Callable[[str], list[str]]) -> None:
    own = ("#take", "#view-take", "#download-plan", "#copy-link")
    left = [name for name in unused(KIND) if name.startswith(own)]
    assert not left, "\n".join(left)
