"""Measures how soon pages answer in a real browser. Of the workbench: the times from the last key
to each answer for 64 and 1,024 nodes, and the frames per second while drawings of 1,024 and 1,000
nodes are moved and zoomed, and a node is dragged. Of a played run on 64 nodes: its size, how soon
it plays, and its frames per second. Of a dense drawing: how soon its cables are there.

    python benchmarks/workbench.py
"""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

SIZES = {"64 nodes": "[8, 8]", "1,024 nodes": "[32, 32]"}
TEXT = "topology: {kind: torus, shape: %s}\nparts: {catalogue: whitney-1998}\n"
STAGES = ("check", "drawing", "price", "connectivity", "proof", "analytic", "flow", "packet")
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
DRAWN = (
    "topology: {kind: torus, shape: [25, 40]}\nparts: {catalogue: ethernet-2026, node: server}\n"
)
"""As many nodes as a drawing by hand may have."""
DENSE = "topology: {kind: p-mesh, shape: [24, 24]}\nparts: {catalogue: whitney-1998}\n"
GESTURE_S = 3.0
N_KEYS = 6
START = "from linkwright.cli import main; main()"
FRAMES = """async () => {
  const svg = document.querySelector("#stage svg"), times = [];
  const box = svg.getBoundingClientRect();
  const at = (x, y) => ({ bubbles: true, pointerId: 1, clientX: box.x + x, clientY: box.y + y });
  svg.querySelector("[data-device]").focus();
  for (let step = 0; step < 4; step++) document.getElementById("zoom-in").click();
  svg.dispatchEvent(new PointerEvent("pointerdown", at(200, 200)));
  for (let step = 0; step < 60; step++) {
    times.push(await new Promise(requestAnimationFrame));
    const far = 60 * Math.sin(step / 8);
    window.dispatchEvent(new PointerEvent("pointermove", at(200 + far, 200 + far)));
  }
  window.dispatchEvent(new PointerEvent("pointerup", at(200, 200)));
  for (let step = 0; step < 30; step++) {
    times.push(await new Promise(requestAnimationFrame));
    const deltaY = step % 8 < 4 ? -120 : 120;
    svg.dispatchEvent(new WheelEvent("wheel", { ...at(200, 200), deltaY, cancelable: true }));
  }
  return times.slice(1).map((time, index) => time - times[index]);
}"""

TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
CIRCLES = """async ([x, y, last]) => {
  const times = [], began = performance.now(), under = document.elementFromPoint(x, y);
  while (performance.now() - began < last) {
    times.push(await new Promise(requestAnimationFrame));
    const angle = times.length / 9;
    const [clientX, clientY] = [x + 60 * Math.cos(angle), y + 60 * Math.sin(angle)];
    const at = { bubbles: true, pointerId: 1, clientX, clientY };
    under.dispatchEvent(new PointerEvent("pointermove", at));
  }
  return times.slice(1).map((time, index) => time - times[index]);
}"""
NEAREST = """([x, y]) => {
  const boxes = [...document.querySelectorAll("#draw-board g[data-name] rect")].map(one => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  const far = ([a, b]) => Math.hypot(a - x, b - y);
  return boxes.reduce((best, one) => (far(one) < far(best) ? one : best));
}"""
GROUND = """([x, y]) => {
  for (let far = 0; far < 200; far += 3) {
    const found = document.elementFromPoint(x + far, y + far);
    if (found?.classList.contains("ground")) return [x + far, y + far];
  }
  throw new Error("no ground is seen");
}"""
PLAYED = """async () => {
  const times = [];
  for (let step = 0; step < 150; step++) times.push(await new Promise(requestAnimationFrame));
  return times.slice(1).map((time, index) => time - times[index]);
}"""


def main() -> None:
    """Measure and print."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "design.yaml").write_text(TEXT % SIZES["64 nodes"])
        command = [sys.executable, "-c", START, "serve", "design.yaml", "--no-browser", "-q"]
        server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            with sync_playwright() as playwright:
                chromium = playwright.chromium.launch(
                    executable_path=browser, args=["--no-sandbox"], env=dict(os.environ)
                )
                page = chromium.new_page(viewport={"width": 1400, "height": 900})
                page.goto(server.stdout.readline().strip())
                print(f"load average {os.getloadavg()[0]:.1f}")
                for name, shape in SIZES.items():
                    measure(page, name, shape)
                dense(page)
                draw(page)
                play(chromium.new_page(), Path(folder))
                print(f"load average {os.getloadavg()[0]:.1f}")
                chromium.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


def measure(page: Page, name: str, shape: str) -> None:
    """Type keys into a design of one size and print the medians."""
    page.evaluate("performance.clearMeasures()")
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(TEXT % shape + "# ")
    _await_prediction(page)
    found: dict[str, list[float]] = {stage: [] for stage in STAGES}
    for number in range(N_KEYS):
        page.evaluate("performance.clearMeasures()")
        page.keyboard.type(str(number))
        _await_prediction(page)
        for stage in STAGES:
            taken = page.evaluate(
                "(name) => performance.getEntriesByName(name).at(-1)?.duration", f"follow {stage}"
            )
            found[stage].append(taken)
    print(f"{name}, milliseconds from the last key, median (worst):")
    for stage, times in found.items():
        print(f"  {stage:10}{statistics.median(times):7.0f} ({max(times):.0f})")
    _print_frames("moved and zoomed", page.evaluate(FRAMES))


def dense(page: Page) -> None:
    """Open a design of 576 nodes and print how soon its cables are drawn."""
    page.evaluate("performance.clearMeasures()")
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(DENSE)
    _await_measure(page, "follow drawing")
    page.evaluate(TWO_FRAMES)
    taken = page.evaluate("performance.getEntriesByName('follow drawing').at(-1).duration")
    n_cables = page.locator("#stage path.cable").count()
    print(f"576 nodes, {n_cables} lines of cables: drawn after {taken:.0f} ms")
    _await_prediction(page)


def draw(page: Page) -> None:
    """Draw by hand on 1,000 nodes: pan and drag by the mouse for some seconds each."""
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(DRAWN)
    page.wait_for_selector("html[data-following=done]", timeout=120_000)
    page.click("#mode-draw")
    page.click("#draw-by-hand")
    page.wait_for_selector("#draw-board g[data-name]", timeout=120_000)
    for _ in range(4):
        page.click("#draw-zoom-in")
    board = page.locator("#draw-board").bounding_box()
    assert board is not None
    middle = (board["x"] + board["width"] / 2, board["y"] + board["height"] / 2)
    print("drawing by hand, 1,000 nodes:")
    _gesture(page, page.evaluate(GROUND, middle), "panned")
    _gesture(page, page.evaluate(NEAREST, middle), "a node is dragged")


def _gesture(page: Page, start: list[float], name: str) -> None:
    """Drag in circles, a move in each frame, and print the frames and the work of the page."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def work_s() -> float:
        found = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in found if one["name"] == "TaskDuration"))

    page.mouse.move(*start)
    page.mouse.down()
    before_s = work_s()
    times_ms = page.evaluate(CIRCLES, [*start, GESTURE_S * 1000])
    busy_ms = 1000 * (work_s() - before_s) / len(times_ms)
    page.mouse.up()
    _print_frames(name, times_ms)
    print(f"  processor time of the page while {name}: {busy_ms:.1f} ms per frame")


def play(page: Page, folder: Path) -> None:
    """Play an all-to-all on 64 nodes and print how soon and how smoothly."""
    run = ("simulate", "design.yaml", "-w", "all-to-all", "-o", "run.html", "-q")
    subprocess.run([sys.executable, "-c", START, *run], cwd=folder, check=True, capture_output=True)
    file = folder / "run.html"
    began = time.perf_counter()
    page.goto(file.as_uri())
    page.evaluate("linkwright.ready")
    taken_s = time.perf_counter() - began
    print(f"played run, 64 nodes: {file.stat().st_size / 1000:.0f} kB, ready after {taken_s:.1f} s")
    if page.get_attribute("#play", "aria-label") == "Play":
        page.click("#play")
    _print_frames("played", page.evaluate(PLAYED))


def _print_frames(name: str, times_ms: list[float]) -> None:
    """Print how many frames of the screen there were per second."""
    median, slow = statistics.median(times_ms), sorted(times_ms)[int(0.95 * len(times_ms))]
    print(f"  frames while {name}: {1000 / median:.0f} per second, 95 % in {slow:.0f} ms")


def _await_prediction(page: Page) -> None:
    """Wait for the last engine; the cost of each failure comes later."""
    _await_measure(page, "follow packet")


def _await_measure(page: Page, name: str) -> None:
    while not page.evaluate("name => performance.getEntriesByName(name).length", name):
        page.wait_for_timeout(50)


if __name__ == "__main__":
    main()
