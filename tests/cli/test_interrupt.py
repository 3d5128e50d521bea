"""Long work moves on the terminal, and Ctrl-C ends it at once with nothing left behind.

Without a terminal it says so in lines.
"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkwright.cli import work
from linkwright.progress import Report

DESIGN = "topology: {kind: p-mesh, shape: [100, 100]}"
# Interrupts are ignored by what a shell started in the background, and by all that it starts.
PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import linkwright.cli
linkwright.cli.main()
"""


def test_a_long_plan_shows_its_step_and_stops(tmp_path: Path) -> None:
    (tmp_path / "large.yaml").write_text(DESIGN)
    before = sorted(tmp_path.rglob("*"))
    terminal, end = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "plan", "large.yaml", "-o", "out"],
        cwd=tmp_path,
        stderr=end,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    os.close(end)
    shown = b""
    while b"planning" not in shown:  # ends by an error when the program ends without saying so
        shown += os.read(terminal, 4096)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=10) == 130
    assert running.stdout is not None
    assert running.stdout.read() == b""
    running.stdout.close()
    os.close(terminal)
    assert b"Traceback" not in shown
    assert sorted(tmp_path.rglob("*")) == before


def test_an_interrupted_text_leaves_no_half_of_it(tmp_path: Path) -> None:
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "goal", "-n1000", "-wall-to-all", "-oall.goal"],
        cwd=tmp_path,
        start_new_session=True,
    )
    with running:
        while not list(tmp_path.glob(".all.goal.*.part")):  # first one to see whether one can write
            assert running.poll() is None
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=10) == 130
    assert list(tmp_path.iterdir()) == []


def test_long_work_says_so_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def task(report: Report) -> str:
        report(3, 7, "counting")
        time.sleep(0.1)
        return "done"

    monkeypatch.setattr(work, "PATIENCE_S", 0.01)
    monkeypatch.setattr(work, "BETWEEN_LINES_S", 0.02)
    assert work.work(task, "beginning", quiet=True) == "done"
    assert capsys.readouterr().err == ""
    assert work.work(task, "beginning", quiet=False) == "done"
    assert capsys.readouterr().err.startswith("counting (3 of 7), 0 s\n")
