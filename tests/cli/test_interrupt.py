"""Long work moves on the terminal, and Ctrl-C ends it at once with nothing left behind."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

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
