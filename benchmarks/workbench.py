"""Measures how soon pages answer in a real browser. Of the workbench: the times from the last key
to the check and to the last prediction for 64 nodes, and the frames per second while a drawing of
1,024 nodes is moved and zoomed. Of a played run on 64 nodes: its size, how soon it plays, and its
frames per second.

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
STAGES = ("check", "drawing", "price", "survival", "proof", "analytic", "flow", "packet")
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

PLAYED = """async () => {
  const times = [];
  for (let step = 0; step < 150; step++) times.push(await new Promise(requestAnimationFrame));
  return times.slice(1).map((time, index) => time - times[index]);
}"""


def main() -> None:
    """Measure and print."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
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
                for name, shape in SIZES.items():
                    measure(page, name, shape)
                play(chromium.new_page(), Path(folder))
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
    while not page.evaluate("performance.getEntriesByName('follow packet').length"):
        page.wait_for_timeout(50)


if __name__ == "__main__":
    main()
