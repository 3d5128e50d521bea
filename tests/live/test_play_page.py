"""The page of a played run in a real browser: its rows are those of the engine outside, also after
a change in the page; every control does what it says; and it keeps up with the screen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.live.browser import Opener, Scheme, axe, choose, needs_browser, until, words
from tests.views.html import SPITE
from tests.views.sample import manifest

from linkwright import engines
from linkwright.design.cluster import Cluster
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.results import UNREPEATABLE_FIGURES, Result
from linkwright.views.play_page import play_page
from linkwright.workloads import AllToAll, Broadcast, Incast, PingPong, Shift, Workload

pytestmark = needs_browser

SMALL = Broadcast(size_bytes=4096, repeats=2, warm_up=1)
DESIGNS: dict[str, dict[str, Any]] = {
    "ring": {"kind": "ring", "shape": [4]},
    "hub": {"kind": "hub", "nodes": 6},
    "hub-switch": {"kind": "hub-switch", "nodes": 8, "density": 4},
    "p-mesh": {"kind": "p-mesh", "shape": [3, 3], "lines_per_switch": 1},
    "bonds": {"kind": "bonded-dual-net", "nodes": 4},
}

TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Lets the page draw what has changed."""


def network(name: str, **fields: Any) -> Network:
    given = {"topology": DESIGNS[name], "parts": {"node": {"slots": None}}}
    return compile_network(Cluster.from_fields(given | fields))


def ring() -> Network:
    return network("ring", routing={"fallback": True})


def page_of(built: Network, workload: Workload, **options: Any) -> str:
    run = engines.Run.of(built, workload, seed=1, **options)
    seen = engines.observe(run, engines.Observation(page=True))
    return play_page(*seen.played, manifest("linkwright", "simulate"))


def rows_of(result: Result) -> list[tuple[str, float]]:
    rows = [(row.metric, row.value) for row in result.rows()]
    return [row for row in rows if row[0] not in UNREPEATABLE_FIGURES]


def shown_rows(page: Page) -> list[tuple[str, float]]:
    page.locator("html[data-run=ready]").wait_for(state="attached")
    found = page.locator("#rows tbody tr").evaluate_all(
        "rows => rows.map(one => [one.dataset.metric, Number(one.dataset.value)])"
    )
    return [(metric, value) for metric, value in found]


def seconds(page: Page) -> float:
    """Return the time that the page shows, in seconds."""
    page.evaluate(TWO_FRAMES)
    value, unit = words(page, "#time").split()
    return float(value) * {"s": 1, "ms": 1e-3, "µs": 1e-6}[unit]


def canvas(page: Page, name: str) -> str:
    page.evaluate(TWO_FRAMES)
    drawn: str = page.evaluate("id => document.getElementById(id).toDataURL()", name)
    return drawn


def changes(page: Page, name: str, act: Callable[[], object]) -> bool:
    """Return whether an act changes what a canvas shows."""
    before = canvas(page, name)
    act()
    return canvas(page, name) != before


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("workload", [SMALL, AllToAll(size_bytes=3000, repeats=1)])
def test_the_rows_are_those_of_the_engine(name: str, workload: Workload, open_page: Opener) -> None:
    built = network(name)
    page = open_page(page_of(built, workload))
    assert shown_rows(page) == rows_of(engines.run(built, workload, seed=1))


def test_another_seed_or_size_gives_the_rows_of_the_command(open_page: Opener) -> None:
    built, workload = network("hub"), PingPong(size_bytes=[1, 4096], repeats=2)
    page = open_page(page_of(built, workload), kind="play")
    first = shown_rows(page)
    assert first == rows_of(engines.run(built, workload, seed=1))
    page.click("#another-seed")
    second = shown_rows(page)
    assert page.input_value("#seed") == "2"
    assert second == rows_of(engines.run(built, workload, seed=2))
    page.fill("#seed", "7")
    page.press("#seed", "Enter")
    assert shown_rows(page) == rows_of(engines.run(built, workload, seed=7))
    choose(page, "#program", "4 KiB")
    one_size = PingPong(size_bytes=4096, repeats=2)
    assert shown_rows(page) == rows_of(engines.run(built, one_size, seed=7))
    page.click("#as-before")
    assert shown_rows(page) == first
    assert page.is_disabled("#as-before")


def test_a_newer_change_ends_the_run_under_way(open_page: Opener) -> None:
    built = network("hub")
    page = open_page(page_of(built, SMALL))
    page.evaluate("for (let i = 0; i < 5; i++) document.getElementById('another-seed').click()")
    assert shown_rows(page) == rows_of(engines.run(built, SMALL, seed=6))


def test_without_workers_the_engine_runs_in_the_page(browser: Browser, tmp_path: Path) -> None:
    built = network("hub")
    (tmp_path / "run.html").write_text(page_of(built, SMALL), encoding="utf-8")
    page = browser.new_page(reduced_motion="reduce")
    page.add_init_script("delete globalThis.Worker")
    page.goto((tmp_path / "run.html").as_uri())
    assert shown_rows(page) == rows_of(engines.run(built, SMALL, seed=1))
    page.click("#another-seed")
    assert shown_rows(page) == rows_of(engines.run(built, SMALL, seed=2))
    page.context.close()


def test_a_pulled_cable_gives_the_rows_of_the_command(open_page: Opener) -> None:
    built, workload = ring(), Shift(size_bytes=500_000)
    page = open_page(page_of(built, workload), kind="play")
    end_s = engines.run(built, workload, seed=1).filter(metric="simulated_s").values()[0]
    page.focus("#seek")
    page.evaluate("linkwright.seek(0.25)")
    page.locator("#stage path.hit[data-cables='0']").first.dispatch_event("click")
    assert page.input_value("#part") != ""
    page.click("#pull")
    down = f"cable:0 down at {end_s / 4:.12g}s"
    assert shown_rows(page) == rows_of(engines.run(built, workload, seed=1, faults=[down]))
    assert "out at" in words(page, "#pulled")
    assert words(page, "#rows thead").endswith("before change")
    page.evaluate("linkwright.seek(0.5)")
    assert page.locator("#stage path.cable.dead").count() == 1
    page.evaluate("linkwright.seek(0.05)")
    assert page.locator("#stage path.cable.dead").count() == 0
    page.locator("#pulled button").click()
    assert shown_rows(page) == rows_of(engines.run(built, workload, seed=1))


def test_a_fault_of_the_command_is_put_back_in_the_page(open_page: Opener) -> None:
    built, workload = ring(), Shift(size_bytes=500_000)
    page = open_page(page_of(built, workload, faults=["cable:0 down at 5ms"]), kind="play")
    with_fault = rows_of(engines.run(built, workload, seed=1, faults=["cable:0 down at 5ms"]))
    assert shown_rows(page) == with_fault
    choose(page, "#part", "cable c0,")
    page.press("#seek", "End")
    page.click("#pull")
    assert "back at" in words(page, "#pulled")
    page.click("#as-before")
    assert shown_rows(page) == with_fault


def test_a_run_that_cannot_finish_says_so_and_keeps_the_one_before(open_page: Opener) -> None:
    built = network("hub")
    page = open_page(page_of(built, SMALL), kind="play")
    before = shown_rows(page)
    page.evaluate("linkwright.seek(0.5)")
    choose(page, "#part", "hub hub0")
    page.click("#pull")
    page.locator("html[data-run=failed]").wait_for(state="attached")
    assert words(page, "#run-note").startswith("This run does not finish:")
    page.click("#as-before")
    assert shown_rows(page) == before
    assert words(page, "#run-note") == ""


def test_time_plays_rests_steps_and_goes_anywhere(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL), kind="play")
    assert page.get_attribute("#play", "aria-label") == "Play", "motion is reduced: it rests"
    assert seconds(page) == 0
    page.click("#play")
    page.wait_for_timeout(300)
    page.click("#play")
    rested = seconds(page)
    assert rested > 0
    page.wait_for_timeout(100)
    assert seconds(page) == rested
    assert "Paused at" in page.inner_text("#state")
    choose(page, "#step-to", "frame")
    page.click("#step-on")
    stepped = seconds(page)
    assert stepped > rested
    page.click("#step-back")
    assert 0 < seconds(page) < stepped
    page.click("#to-start")
    assert seconds(page) == 0
    page.locator("#seek").click(position={"x": 400, "y": 10})
    assert seconds(page) > 0


def test_a_dense_drawing_shows_senders_and_a_trail(open_page: Opener) -> None:
    topology = {"kind": "p-mesh", "shape": [9, 9]}
    built = compile_network(Cluster.from_fields({"topology": topology}))
    page = open_page(page_of(built, Broadcast(size_bytes=4096, repeats=1, warm_up=1)))
    shown_rows(page)
    drawn = [page.evaluate("share => linkwright.seek(share)", share / 20) for share in range(20)]
    assert any(one["processors"] > 0 for one in drawn)
    assert any(one["trails"] > 0 for one in drawn)
    assert all(one["frames"] == 0 for one in drawn)


def test_figures_have_words_and_the_names_of_files_on_request(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL), kind="play")
    shown_rows(page)
    head = page.locator("#rows tr[data-metric=frame_hops] th")
    assert head.inner_text() == "frames on wires"
    page.check("#raw-names")
    assert head.inner_text() == "frame_hops"
    page.uncheck("#raw-names")
    assert head.inner_text() == "frames on wires"


def test_the_measured_span_is_marked_and_gives_the_result(open_page: Opener) -> None:
    built, workload = ring(), PingPong(size_bytes=[1, 4096], repeats=2, warm_up=1)
    text = page_of(built, workload)
    page = open_page(text, kind="play")
    shown_rows(page)
    first = words(page, "#measured")
    assert "is the mean of 2 repeats, measured from" in first
    assert "1 repeat before that warm up" in first
    begin, end = (float(first.split(word)[1].split()[0]) for word in ("from ", " to "))
    shown_s = float(first.split()[0]) * (1e-6 if first.split()[1] == "µs" else 1e-3)
    assert (end - begin) * 1e-3 / 4 == pytest.approx(shown_s, rel=0.02), "half of two round trips"
    assert page.locator("#rows tr.measured").count() == 2
    whole = [canvas(page, name) for name in ("lanes", "windows", "activity")]
    page.click("#measured button")
    zoomed = [canvas(page, name) for name in ("lanes", "windows", "activity")]
    assert all(a != b for a, b in zip(whole, zoomed, strict=True)), "all axes are one"
    assert seconds(page) == pytest.approx(begin * 1e-3, rel=0.01)
    page.press("#seek", "End")
    assert words(page, "#measured") != first, "the other size is measured later"
    page.click("#view-whole")
    boxes = [page.locator(f"#{name}").bounding_box() for name in ("lanes", "windows")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    for side in ("x", "width"):
        assert boxes[0][side] == pytest.approx(boxes[1][side], abs=1), "one axis of time"


def test_keys_do_what_the_page_says(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL))
    page.focus("body")
    for key, is_later in (("End", True), ("ArrowLeft", False), ("ArrowRight", True)):
        before = seconds(page)
        page.keyboard.press(key)
        assert (seconds(page) > before) is is_later, key
    page.keyboard.press("Home")
    assert seconds(page) == 0
    page.keyboard.press("n")
    assert seconds(page) > 0
    page.keyboard.press("p")
    assert seconds(page) == 0
    speed = words(page, "#speed")
    page.keyboard.press("+")
    assert words(page, "#speed") != speed
    page.keyboard.press("-")
    assert words(page, "#speed") == speed
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Pause"


def test_quiet_times_are_passed_over_unless_the_reader_wants_them(open_page: Opener) -> None:
    built, workload = network("hub"), AllToAll(size_bytes=4096, repeats=4)
    page = open_page(page_of(built, workload), kind="play")
    assert seconds(page) == 0
    skipping = words(page, "#speed")
    page.click("#skip")
    assert words(page, "#speed") == skipping, "moments go on as fast as before"
    page.click("#speed-whole")
    assert words(page, "#speed") != skipping, "with quiet times, there is more to play"
    page.click("#skip")


def test_speed_has_steps_and_two_marks(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL), kind="play")
    whole = words(page, "#speed")
    page.click("#speed-frames")
    slow = words(page, "#speed")
    assert slow != whole
    page.click("#faster")
    assert words(page, "#speed") != slow
    page.click("#slower")
    assert words(page, "#speed") == slow
    page.click("#speed-whole")
    assert words(page, "#speed") == whole


def test_frames_collisions_and_work_are_drawn(open_page: Opener) -> None:
    page = open_page(page_of(network("hub"), Incast(size_bytes=20_000)))
    page.click("#speed-frames")
    seen = [page.evaluate("share => linkwright.seek(share)", at / 200) for at in range(200)]
    for part in ("frames", "queues", "processors", "collisions"):
        assert any(one[part] > 0 for one in seen), part


def test_the_drawing_is_moved_and_its_parts_are_chosen(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL), kind="play")
    svg = page.locator("#stage svg")
    whole = svg.get_attribute("viewBox")
    page.click("#zoom-in")
    assert svg.get_attribute("viewBox") != whole
    page.click("#zoom-out")
    page.click("#zoom-in")
    page.click("#zoom-fit")
    assert svg.get_attribute("viewBox") == whole
    page.locator("#stage g[data-device='2']").click()
    assert page.locator("#stage g.chosen").get_attribute("data-device") == "2"
    assert page.locator("#part option:checked").inner_text() == "node n2"
    for link in page.locator("nav a").all():
        link.click()
        assert page.evaluate("location.hash") == link.get_attribute("href")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_time_line_zooms_and_seeks(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL), kind="play")
    assert words(page, "#lane-names").split("·")[0].strip() == "0"
    lanes = page.locator("#lanes")
    lanes.scroll_into_view_if_needed()
    lanes.click(position={"x": 200, "y": 30})
    sought = seconds(page)
    assert sought > 0
    assert changes(page, "lanes", lambda: page.click("#view-in"))
    assert changes(page, "lanes", lambda: page.click("#view-out"))
    page.click("#view-in")
    assert changes(page, "lanes", lambda: page.click("#view-whole"))
    page.press(".lanes-box", "ArrowRight")
    assert seconds(page) > sought, "arrows move in time wherever the focus is"
    page.press("#rows-card .scroll", "ArrowLeft")
    assert changes(page, "lanes", lambda: choose(page, "#lanes-of", "processors"))
    assert words(page, "#lane-names").startswith("n0")


def test_events_are_searched_summed_and_saved(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL), kind="play")
    page.click("#events-card summary")
    page.wait_for_selector("#event-items li:has-text('message of')")
    choose(page, "#event-kind", "frames")
    frames = f"{int(dict(shown_rows(page))['frame_hops']):,} frames"
    page.wait_for_selector(f"#event-sums:has-text('{frames}')")
    # A port's frames, by its name: those that it sends or receives.
    page.click("#event-search")
    page.fill("#event-search", "n0:eth0")
    page.wait_for_selector("#event-items li:has-text('n0:eth0')")
    until(page, f"!document.querySelector('#event-sums').textContent.includes('{frames}')")
    assert all("n0:eth0" in one for one in page.locator("#event-items li").all_inner_texts())
    page.press("#events-card .scroll", "ArrowDown")
    page.locator("#event-items button").last.click()
    assert seconds(page) > 0
    assert words(page, "#object h3") == "Frame", "the frame of the event is shown"
    page.get_by_role("button", name="Close the object").click()
    page.fill("#event-search", "")
    # A cable has its counters and its frames; the span is that of the time line.
    choose(page, "#part", "cable")
    page.wait_for_selector("#event-part li:has-text('busy')")
    with page.expect_download() as saved:
        page.click("#event-part button")
    lines = Path(saved.value.path()).read_text().splitlines()
    assert lines[0] == "start_s,end_s,from,to,bytes,kind,fate"
    texts = page.locator("#event-part li").all_inner_texts()
    counted = [int(one.split(": ")[1].split()[0].replace(",", "")) for one in texts]
    assert len(lines) - 1 == sum(counted) > 0
    before = words(page, "#event-sums")
    page.evaluate("document.getElementById('timeline-card').scrollIntoView()")
    box = page.locator("#lanes").bounding_box()
    assert box is not None
    page.keyboard.down("Shift")
    page.mouse.move(box["x"] + 100, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 30)
    page.mouse.up()
    page.keyboard.up("Shift")
    until(page, f"document.querySelector('#event-sums').textContent !== {before!r}")
    assert axe(page) == []


ALONG = """where => {
  const paths = [...document.querySelectorAll("#stage path.hit")];
  return paths.flatMap(path => {
    const [long, matrix] = [path.getTotalLength(), path.getScreenCTM()];
    return where.map(([share, aside]) => {
      const one = path.getPointAtLength(share * long).matrixTransform(matrix);
      const next = path.getPointAtLength(share * long + 1).matrixTransform(matrix);
      const far = Math.hypot(next.x - one.x, next.y - one.y) || 1;
      return [one.x - aside * (next.y - one.y) / far, one.y + aside * (next.x - one.x) / far];
    });
  });
}"""
"""Places on the screen along all cables, as shares of their length and pixels aside."""


def pointed(page: Page, title: str, where: list[tuple[float, int]]) -> str:
    """Move the pointer along the cables to an object of a kind; return its words."""
    for x, y in page.evaluate(ALONG, where):
        page.mouse.move(x, y)
        if page.is_visible("#object") and words(page, "#object h3") == title:
            return words(page, "#object dl")
    raise AssertionError(f"no {title} is met")


def test_the_frame_or_queue_under_the_pointer_is_an_object(open_page: Opener) -> None:
    page = open_page(page_of(network("hub"), Incast(size_bytes=20_000)), kind="play")
    shown_rows(page)
    page.click("#speed-frames")
    places = [(share / 12, aside) for share in range(13) for aside in (-6, 6)]
    shares = (at / 40 for at in range(1, 40))
    both = ("frames", "queues")
    seek = "share => linkwright.seek(share)"
    assert any(all(page.evaluate(seek, share)[one] for one in both) for share in shares)
    queue = pointed(page, "Queue", places)
    assert re.fullmatch(r"at \S+ to \S+ size .* wait kind .* where \S+ since .* until .*", queue)
    frame = pointed(page, "Frame", places)
    for name in ("from", "to", "size", "kind", "where", "since"):
        assert f"{name} " in frame
    assert page.locator("#object button").count() == 0
    page.mouse.down()
    page.mouse.up()
    kept = words(page, "#object dl")
    page.mouse.move(5, 5)
    assert words(page, "#object dl") == kept
    page.get_by_role("button", name="To its begin").click()
    begin = seconds(page)
    page.get_by_role("button", name="To its end").click()
    assert seconds(page) > begin
    assert axe(page) == []
    page.get_by_role("button", name="Close the object").click()
    assert page.is_hidden("#object")


def test_counters_on_cables_sum_to_the_rows(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL), kind="play")
    shown_rows(page)
    assert page.evaluate("linkwright.seek(1)")["counters"] == 0
    for counters in ("frames so far", "bytes so far", "busy so far"):
        assert changes(page, "moving", lambda words=counters: choose(page, "#counters", words))
        assert page.evaluate("linkwright.seek(1)")["counters"] > 0
        assert page.evaluate("linkwright.seek(0)")["counters"] == 0
        page.evaluate("linkwright.seek(1)")
    for _ in range(8):
        page.click("#zoom-out")
    choose(page, "#counters", "no counters")


def test_lanes_are_pinned(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL), kind="play")
    shown_rows(page)
    assert page.is_hidden("#pinned-box")
    page.locator("#lane-names span").nth(2).click()
    choose(page, "#lanes-of", "processors")
    assert changes(page, "pinned-lanes", lambda: choose(page, "#pin-lane", "n3"))
    assert words(page, "#pinned-names") == "rank 2 · n2 × processors of n3 ×"
    assert changes(page, "pinned-lanes", lambda: page.click("#view-in"))
    page.click("#pinned-names button")
    assert words(page, "#pinned-names") == "processors of n3 ×"
    page.click("#pinned-names button")
    assert page.is_hidden("#pinned-box")
    for _ in range(2):
        page.locator("#lane-names span").nth(3).click()
    assert page.is_hidden("#pinned-box")


def test_a_connection_is_chosen_and_drawn(open_page: Opener) -> None:
    page = open_page(page_of(ring(), Shift(size_bytes=200_000)), kind="play")
    names = page.locator("#connection option").all_inner_texts()
    assert len(names) >= 4
    assert changes(page, "windows", lambda: choose(page, "#connection", names[-1]))


def test_the_frames_of_a_connection_stand_out(open_page: Opener) -> None:
    page = open_page(page_of(ring(), Shift(size_bytes=200_000)), kind="play")

    def drawn() -> dict[str, int]:
        found: dict[str, int] = page.evaluate("linkwright.seek(0.57)")
        return found

    assert drawn()["frames"] > 0
    assert drawn()["marked"] == 0
    page.click("#stand-out")
    assert 0 < drawn()["marked"] < drawn()["frames"]
    assert page.locator("#connection option:checked").inner_text() in words(page, "#standing-out")
    page.click("#all-frames")
    assert drawn()["marked"] == 0
    assert page.is_hidden("#standing-out")
    choose(page, "#connection", page.locator("#connection option").last.inner_text())
    assert page.is_checked("#stand-out"), "a connection that is chosen stands out"


def test_keys_go_from_device_to_device(open_page: Opener) -> None:
    page = open_page(page_of(network("p-mesh"), SMALL), kind="play")
    focused = "document.activeElement.dataset.device"
    page.locator("#stage g[data-device='0']").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "1"
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "4"
    assert seconds(page) == 0, "arrows of the drawing do not move in time"
    page.keyboard.press("Enter")
    assert page.locator("#part option:checked").inner_text() == "node n4"
    assert page.locator("#stage g[aria-pressed=true]").get_attribute("data-device") == "4"
    page.keyboard.press("End")
    assert seconds(page) > 0, "other keys are those of the time"
    assert page.locator("#stage g[tabindex='0']").count() == 1


def test_boxes_are_chosen_like_nodes(open_page: Opener) -> None:
    page = open_page(page_of(network("hub-switch"), SMALL), kind="play")
    for kind in ("hub", "switch"):
        page.locator(f"#stage g.{kind}").first.click()
        assert page.locator("#part option:checked").inner_text().startswith(kind)


def test_the_legend_has_what_the_run_has(open_page: Opener) -> None:
    page = open_page(page_of(network("hub"), AllToAll(size_bytes=4096, repeats=1)))
    assert page.locator("[data-key=collision]").is_visible()
    assert page.locator("[data-key=frame-datagram]").is_hidden()
    page = open_page(page_of(ring(), SMALL))
    assert page.locator("[data-key=collision]").is_hidden()
    assert page.locator("[data-key=frame-data]").is_visible()


def test_ranks_placed_at_random_keep_their_seed(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL, placement="random"))
    assert page.is_hidden("#seeds")
    assert "places the ranks" in words(page, "#no-seeds")
    page = open_page(page_of(ring(), SMALL))
    assert page.is_hidden("#no-seeds")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_and_everyone_can_use_it(
    scheme: Scheme, open_page: Opener, is_readable: Callable[..., None]
) -> None:
    page = open_page(page_of(network("hub-switch"), SMALL), scheme=scheme)
    page.evaluate("linkwright.seek(0.5)")
    is_readable(page, "play", scheme)


def test_sixty_four_nodes_keep_moving(open_page: Opener) -> None:
    built = compile_network(
        Cluster.from_fields(
            {"topology": {"kind": "torus", "shape": [8, 8]}, "parts": {"node": {"slots": None}}}
        )
    )
    page = open_page(page_of(built, AllToAll(size_bytes=1024, repeats=1)))
    page.click("#play")
    began = seconds(page)
    page.wait_for_timeout(300)
    assert seconds(page) > began
    # All nodes may wait at once for acknowledgements.
    moving = [page.evaluate(f"linkwright.seek({at / 10})")["frames"] for at in range(1, 10)]
    assert max(moving) > 20


def test_paper_has_the_drawing_and_the_rows(open_page: Opener) -> None:
    page = open_page(page_of(ring(), SMALL))
    page.emulate_media(media="print")
    assert page.is_visible("#stage svg")
    assert page.is_visible("#rows")
    assert not page.is_visible(".transport")


def test_names_from_the_design_stay_text(open_page: Opener) -> None:
    built = ring()
    names = tuple(f"{name}{SPITE}" for name in built.device_names)
    page = open_page(page_of(replace(built, name=SPITE, device_names=names), SMALL))
    assert SPITE in page.inner_text("h1")
    assert page.locator("#part option", has_text=f"node n1{SPITE}").count() == 1
    assert page.locator("img").count() == 0


def test_every_control_was_used(unused: Callable[[str], list[str]]) -> None:
    assert unused("play") == []
