"""The workbench in a browser: every control, wide and narrow, light and dark.

The console stays clean, no request leaves the server, and axe has no serious finding.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.live.browser import (
    AXE_WIDTHS,
    Opener,
    Scheme,
    axe,
    choose,
    needs_browser,
    overflow_px,
    resized,
    until,
    words,
)
from tests.live.workbench import (
    DESIGN,
    FILES,
    KIND,
    SWITCH,
    enter,
    give,
    opened,
    opened_without_runs,
    replace,
    settled,
    text_of,
)
from tests.web.serving import Served, serving

from linkwright.workloads.described import settings

pytestmark = needs_browser
BENCH = ("#cost ", "#looked ", "#found ", "#stage ", "#route-follows")
"""Controls of the bench that the page of a check has too, whose test uses each of them."""
OTHER_FILES = (
    *("#compare", "#file", "#study", "#take", "#download-plan", "#copy-link"),
    *("#tab-study", "#tab-take"),
    *("#draw", "#mode", "#field-name", "#field-mtu", "#field-nodes", "#field-part-node"),
    *("#field-addressing-i", "#field-addressing-g", "#field-routing-ties", "#field-routing-daemon"),
    *("#mistakes", "#form summary", "#capture", "#import"),
)
"""Controls of the other views, whose files of tests use each of them."""


def test_all_that_follows_is_shown(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    assert words(page, "#network-name") == "lab"
    assert words(page, "#network-facts").startswith("16 nodes, 32 cables")
    assert "2,080 USD" in words(page, "#panel-price")
    outcomes = page.locator("#outcomes dd").all_inner_texts()
    assert outcomes == ["0 %", "100 %", "0 %"], "nothing heals by itself without backup routes"
    rows = page.locator("#outcomes-by-kind tbody tr").all_inner_texts()
    assert [row.split() for row in rows] == [
        ["cable", "0", "32", "0"], ["NIC", "0", "64", "0"], ["node", "0", "16", "0"],
    ]  # fmt: skip
    assert page.locator("#panel-findings li").count() >= 1
    for chart in ("#chart-latency", "#chart-throughput"):
        assert page.locator(f"{chart} svg path").count() > 3, chart
    assert page.locator("#bars figure").count() >= 2
    for panel in ("findings", "price", "failures", "predictions"):
        assert words(page, f"#panel-{panel} .state") == "ready"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_fits_and_is_readable_by_all(
    open_page: Opener,
    served: Served,
    looks_like: Callable[[Page, str], None],
    scheme: Scheme,
) -> None:
    page = opened(open_page, served, width=1400, scheme=scheme)
    widths = (1400, 768, 360)

    def expect_readable(width: int) -> None:
        resized(page, width)
        assert overflow_px(page) <= 0
        assert width not in AXE_WIDTHS[scheme] or axe(page) == []

    for width in widths:
        expect_readable(width)
        page.evaluate("scrollTo(0, 0)")
        looks_like(page, f"workbench-{width}-{scheme}")
    page.click("#tab-compare")
    page.click("#compare-form button[type=submit]")
    page.wait_for_selector("#front svg")
    for width in widths:
        expect_readable(width)
    page.click("#tab-files")
    page.click("#files button:has-text('rows.csv')")
    page.wait_for_selector("#file-shown table")
    for width in widths:
        expect_readable(width)
    page.click("#tab-take")
    page.wait_for_selector("#view-take")
    for width in widths:
        expect_readable(width)
    page.click("#tab-design")
    assert page.is_visible("#stage")


def test_the_text_completes_keys_and_values(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    replace(page, "")
    page.keyboard.type("topol")
    page.click(".cm-tooltip-autocomplete li:has-text('topology')")
    page.keyboard.type("{ki")
    page.click(".cm-tooltip-autocomplete li:has-text('kind')")
    page.keyboard.type("p-me")
    page.wait_for_selector(".cm-tooltip-autocomplete li:has-text('p-mesh')")
    page.keyboard.press("Escape")
    page.keyboard.type("sh, shape: [2, 2]")
    settled(page)
    assert text_of(page) == "topology: {kind: p-mesh, shape: [2, 2]}"
    page.keyboard.press("End")
    page.keyboard.type("\nparts: {catalogue: whit")
    options = page.locator(".cm-tooltip-autocomplete li")
    options.first.wait_for()
    assert "whitney-1998" in " ".join(options.all_inner_texts())
    page.keyboard.press("Escape")
    open_page.tolerated.append("nothing")


def test_mistakes_stand_at_their_lines(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    replace(page, DESIGN.replace("shape: [4, 4]", "shape: [0, 4]").replace("catalogue", "catalog"))
    page.wait_for_selector("html[data-following=refused]")
    mistakes = page.locator("#mistakes li")
    assert mistakes.count() == 2
    lines = sorted(words(page, f"#mistakes li:nth-child({n}) button") for n in (1, 2))
    assert lines == ["line 3", "line 4"]
    assert page.locator(".cm-lintRange-error").count() >= 1
    mistakes.locator("button").first.click()
    assert page.locator(".cm-focused").count() == 1
    assert "last that had none" in words(page, "#drawing-state")
    # The last network without mistakes stays.
    assert page.locator("#stage [data-device].node").count() == 16
    page.click("#undo")
    settled(page)
    assert page.locator("#mistakes li").count() == 0
    page.click("#redo")
    page.wait_for_selector("html[data-following=refused]")


def test_forms_change_the_text_and_keep_its_comments(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    give(page, "#field-topology-shape-0", "3")
    page.click("#field-shape-more")
    page.click("#field-shape-less")
    choose(page, "#field-kind", "p-mesh")
    choose(page, "#field-catalogue", "ethernet-2026")
    page.click("#form summary")
    choose(page, "#field-routing-scheme", "shortest-path")
    choose(page, "#field-addressing-scheme", "per-segment")
    for role in ("nic", "switch", "hub", "cable", "root_switch"):
        choose(page, f"#field-part-{role}", 0)
    page.check("#field-front_end")
    choose(page, "#field-fallback", "true")
    page.wait_for_selector("html[data-following=done], html[data-following=refused]")
    text = text_of(page)
    assert text.startswith("# our lab\nname: lab\ntopology: {kind: p-mesh, shape: [3, 4]}\n")
    assert "front_end: true" in text
    assert "parts: {catalogue: ethernet-2026}" in text
    assert "routing: {scheme: shortest-path, fallback: true}" in text


def test_each_kind_has_fields_of_its_own(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    page.click("#field-shape-more")
    give(page, "#field-topology-shape-2", "3")
    assert "shape: [4, 4, 3]" in text_of(page)
    replace(page, "topology: {kind: p-mesh, shape: [4, 4]}\n")
    give(page, "#field-topology-lines_per_switch", "2")
    assert "lines_per_switch: 2" in text_of(page)
    replace(page, SWITCH)
    for name, number in (("nodes", 12), ("stack_units", 2)):
        give(page, f"#field-topology-{name}", str(number))
        assert f"{name}: {number}" in text_of(page)
    page.check("#field-topology-nfs_switch")
    assert "nfs_switch: true" in text_of(page)


def test_handles_change_the_shape(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    page.focus(".handle[data-edge=across]")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".handle[data-edge=across][aria-valuenow='5']")
    assert "shape: [4, 5]" in text_of(page)
    settled(page)
    box = page.locator(".handle[data-edge=down] rect").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, box["y"] + 60)
    page.mouse.move(box["x"] + 5, box["y"] + 120)
    assert "rows" in (page.locator(".handle[data-edge=down]").text_content() or "")
    page.mouse.up()
    page.wait_for_timeout(50)
    assert "shape: [4, 5]" not in text_of(page)
    settled(page)


def test_a_part_fails_and_a_route_is_chosen(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    page.locator("#stage [data-device='5']").click()
    assert "node n05" in words(page, "#failed")
    page.click("#failed button")
    enter(page, "#search", "c07")
    page.press("#search", "Enter")
    assert "c07" in words(page, "#failed")
    page.check("input[name=press][value=route]")
    page.locator("#stage [data-device='0']").click()
    page.locator("#stage [data-device='6']").click()
    assert page.input_value("#route-from") == "0"
    assert page.input_value("#route-to") == "6"
    assert "arrives after 3 hops" in words(page, "#route-before")
    page.click("#swap")
    choose(page, "#route-from", "n01")
    choose(page, "#route-to", "n02")
    choose(page, "#colouring", "forwarding load")
    for button in ("#zoom-in", "#zoom-out", "#zoom-fit", "#repair-all"):
        page.click(button)
    page.check("input[name=press][value=fail]")
    # Failures stay where parts of the same name are there.
    page.locator("#stage [data-device='5']").click()
    give(page, "#field-topology-shape-0", "5")
    settled(page)
    page.wait_for_selector("#failed:has-text('n05')")


def test_workloads_engines_and_seed_are_chosen(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    choose(page, "#add-workload", "barrier")
    page.click("#workloads button[aria-label='Remove all-reduce']")
    page.locator("#engines input").nth(1).uncheck()
    give(page, "#seed", "7")
    settled(page)
    titles = " ".join(page.locator("#bars h3").all_inner_texts())
    assert "barrier" in titles
    assert "all-reduce" not in titles
    assert "flow" not in words(page, "#chart-latency")


def test_the_nodes_of_the_ranks_are_chosen(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)

    def after(selector: str, text: str) -> tuple[dict[str, object], str]:
        with page.expect_request("**/api/follow") as asked:
            give(page, selector, text)
        settled(page)
        return asked.value.post_data_json, labels()

    def labels() -> str:
        return " ".join(page.locator("#bars text").all_text_contents())

    before = labels()
    asked, spread = after("#placement", "random")
    assert (asked["placement"], asked["ranks_per_node"]) == ("random", 1)
    asked, crowded = after("#ranks-per-node", "2")
    assert (asked["placement"], asked["ranks_per_node"]) == ("random", 2)
    assert len({before, spread, crowded}) == 3
    after("#placement", "somewhere")
    assert "placement somewhere" in words(page, "#refused").replace("'", "")
    assert "@FILE" in (page.get_attribute("#placement", "title") or "")


def test_the_settings_of_a_workload_are_chosen(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    page.click("#workloads button[aria-label='Settings of broadcast']")
    values = {"size_bytes": "64K", "segment_bytes": ""}
    for one in settings("broadcast"):
        field = f"#workload-settings-{one.name}"
        if one.words:
            choose(page, field, one.words[0])
        else:
            give(page, field, values.get(one.name, "2"))
    listed = words(page, "#workloads")
    assert "broadcast library=mpich-1.1 algorithm=linear" in listed
    assert "ranks=2 size_bytes=64K" in listed
    # A root that does not take part is named once, with the remedy, and ends no other workload.
    page.wait_for_selector("#refused li:has-text('choose root below 2 (analytic, flow, packet)')")
    give(page, "#workload-settings-root", "")
    settled(page)
    assert "broadcast, 64 KiB: time" in page.locator("#bars h3").all_inner_texts()
    assert words(page, "#refused") == ""
    page.locator("#workloads .name[aria-expanded=true]").press("Enter")
    assert page.locator("#workload-settings > *").count() == 0


def test_a_run_is_played_in_a_window_of_its_own(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    with page.context.expect_page() as waiting:
        page.click("#workloads button[aria-label='Play broadcast']")
    played = waiting.value
    played.wait_for_selector("h1:has-text('broadcast on lab')")
    # It has no part in the workbench's address, and so none in its secret.
    assert played.evaluate("origin") == "null"
    played.wait_for_selector("svg.topology [data-device]")
    played.close()


def test_a_design_is_saved_and_a_change_on_disk_is_told(
    open_page: Opener, served: Served, designs: Path
) -> None:
    open_page.tolerated.append("409")
    page = opened_without_runs(open_page, served)
    give(page, "#field-topology-shape-0", "3")
    assert words(page, "#file-state") == "changed"
    page.click("#save")
    page.wait_for_selector("#file-state:has-text('saved')")
    assert (designs / "lab.yaml").read_text() == text_of(page)
    (designs / "lab.yaml").write_text(SWITCH)
    enter(page, "#field-topology-shape-0", "2")
    page.press("#field-topology-shape-0", "Control+s")
    page.wait_for_selector(".notice:has-text('changed by another program')")
    assert (designs / "lab.yaml").read_text() == SWITCH
    page.click(".notice button[aria-label='Close this message']")
    page.click("#save")
    page.click(".notice button:has-text('Overwrite it')")
    page.wait_for_selector("#file-state:has-text('saved')")
    assert (designs / "lab.yaml").read_text() == text_of(page)
    (designs / "lab.yaml").write_text(SWITCH)
    give(page, "#field-topology-shape-0", "5")
    page.click("#save")
    page.click(".notice button:has-text('Open the file')")
    page.wait_for_selector("#file-state:has-text('saved')")
    assert text_of(page) == SWITCH
    page.click("#save-as")
    page.wait_for_selector("#save-names option[value='switch.yaml']", state="attached")
    page.keyboard.press("Escape")
    page.click("#save-as")
    page.click("#save-cancel")
    assert not page.locator("#save-dialog").is_visible()
    page.click("#save-as")
    # The name without its suffix is selected.
    page.keyboard.type("other")
    assert page.input_value("#save-name") == "other.yaml"
    assert axe(page) == []
    page.click("#save-form button:has-text('Save file')")
    page.wait_for_selector("#file-name:has-text('other.yaml')")
    page.wait_for_selector("#file-state:has-text('saved')")
    assert (designs / "other.yaml").read_text() == SWITCH


def test_a_reload_keeps_the_text_and_another_visit_offers_it(
    open_page: Opener, served: Served
) -> None:
    page = opened_without_runs(open_page, served)
    give(page, "#field-topology-shape-0", "3")
    text = text_of(page)
    page.reload()
    settled(page)
    assert text_of(page) == text
    second = page.context.new_page()
    second.goto(served.address)
    second.wait_for_selector(".notice:has-text('was not saved')")
    assert second.evaluate("workbench.text()") == DESIGN
    second.click(".notice button:has-text('Restore it')")
    assert second.evaluate("workbench.text()") == text
    second.close()


def test_a_text_that_is_forgotten_is_not_offered_again(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    page.evaluate('localStorage.setItem(\'linkwright lab.yaml\', \'{"text": "x", "at": 0}\')')
    page.reload()
    page.click(".notice button:has-text('Forget it')")
    page.reload()
    settled(page)
    assert page.locator(".notice").count() == 0


def test_a_text_that_is_offered_is_restored(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    page.evaluate('localStorage.setItem(\'linkwright lab.yaml\', \'{"text": "x", "at": 0}\')')
    page.reload()
    page.click(".notice button:has-text('Restore it')")
    assert text_of(page) == "x"


def test_two_tabs_do_not_fight(open_page: Opener, served: Served) -> None:
    first, second = (opened_without_runs(open_page, served) for _ in range(2))
    for number in (5, 4):
        for page, side in ((first, number), (second, number + 1)):
            give(page, "#field-topology-shape-1", str(side))
    for page, nodes in ((first, 16), (second, 20)):
        settled(page)
        assert page.locator("#stage [data-device].node").count() == nodes


def test_a_tab_whose_server_dies_keeps_the_text_and_finds_the_next_server(
    open_page: Opener, tmp_path: Path
) -> None:
    open_page.tolerated += ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING"]
    open_page.tolerated += ["ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]
    (tmp_path / "lab.yaml").write_text(FILES["lab.yaml"])
    with serving(tmp_path, "lab.yaml") as served:
        page = opened(open_page, served)
        give(page, "#field-topology-shape-0", "3")
        text = text_of(page)
        os.kill(served.process.pid, signal.SIGKILL)
        page.wait_for_selector(".notice:has-text('The server has ended')")
        assert text_of(page) == text
        page.click("#save")
        page.wait_for_selector(".notice:has-text('was not saved')")
    with serving(tmp_path, "lab.yaml") as again:
        assert again.address == served.address
        page.wait_for_selector(".notice:has-text('The server has ended')", state="detached")
        settled(page)
        page.click("#save")
        page.wait_for_selector("#file-state:has-text('saved')")
        assert (tmp_path / "lab.yaml").read_text() == text


def test_a_page_that_computes_is_readable_by_all(open_page: Opener, served: Served) -> None:
    for scheme in ("light", "dark"):
        page = opened(open_page, served, width=1400, scheme=scheme)
        page.route("**/api/follow", lambda route: None)
        give(page, "#field-topology-shape-0", "3")
        page.wait_for_selector("#stage-place.stale")
        page.wait_for_selector("#panel-predictions.stale")
        page.wait_for_timeout(300)  # until all is dimmed
        assert axe(page) == []


def test_the_theme_is_switched(open_page: Opener, served: Served) -> None:
    page = opened_without_runs(open_page, served)
    page.click("#theme")
    assert page.get_attribute("html", "data-theme") == "dark"


def test_what_is_stale_is_dimmed_and_says_the_stage(open_page: Opener, served: Served) -> None:
    page = opened(open_page, served)
    page.evaluate(
        """() => {
          window.said = new Set();
          const look = () => {
            for (const one of document.querySelectorAll("[data-state=computing]")) {
              window.said.add(one.textContent);
            }
          };
          new MutationObserver(look).observe(document.body, {
            subtree: true, childList: true, characterData: true, attributes: true,
          });
        }"""
    )
    replace(page, "topology: {kind: torus, shape: [16, 16]}\nparts: {catalogue: whitney-1998}\n")
    page.wait_for_selector("#stage-place.stale")
    page.wait_for_selector("#stage-place:not(.stale)")
    until(page, "[...window.said].some(one => /[a-z]+, [0-9]+ %/.test(one))")


def test_opening_a_design_never_shows_the_drawing_of_another(
    open_page: Opener, served: Served
) -> None:
    page = opened(open_page, served)
    assert page.locator("#stage g[data-device]").count() > 0
    page.route("**/api/follow", lambda route: None)
    page.click("#tab-files")
    page.locator("#files button", has_text="switch.yaml").first.click()
    page.wait_for_selector("#view-design:not([hidden])")
    assert "switch" in text_of(page)
    assert page.locator("#stage-place svg").count() == 0
    assert page.locator("#panel-findings .body li").count() == 0


@pytest.mark.parametrize(("width", "height", "screens"), [(1440, 900, 1), (390, 844, 2)])
def test_the_prediction_is_in_sight(
    width: int, height: int, screens: int, open_page: Opener, served: Served
) -> None:
    page = opened(open_page, served, width=width, height=height)
    chart = page.locator("#chart-latency").bounding_box()
    heading = page.locator("#panel-predictions h2").bounding_box()
    assert chart is not None
    assert heading is not None
    assert heading["y"] < screens * height
    assert chart["y"] + 80 < screens * height
    page.locator("#panel-predictions [role=region]").press("ArrowDown")
    assert overflow_px(page) <= 0


def test_every_control_was_used(unused: Callable[[str], list[str]]) -> None:
    left = [name for name in unused(KIND) if not name.startswith((*BENCH, *OTHER_FILES))]
    assert not left, "\n".join(left)
