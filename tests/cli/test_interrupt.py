"""Long work moves on the terminal, and Ctrl-C ends it at once with nothing left behind."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.progress import Progress

from linkwright.cli import terminal

DESIGN = "topology: {kind: p-mesh, shape: [100, 100]}"
PROGRAM = "import linkwright.cli; linkwright.cli.main()"


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


def test_an_interrupt_that_falls_into_a_finalizer_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    def update(*_: object, **__: object) -> None:
        with contextlib.suppress(KeyboardInterrupt):  # as Python does with what a finalizer raises
            signal.raise_signal(signal.SIGINT)

    released = threading.Event()
    monkeypatch.setattr(terminal, "PATIENCE_S", 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(Progress, "update", update)
    with pytest.raises(KeyboardInterrupt):
        terminal.work(lambda _: released.wait(20), "waiting", quiet=False)
    released.set()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
