"""The timer that takes a change back unless it is confirmed in time: one of systemd, or a process
of its own session.

It runs by itself on the machine, in one program (`program.py`).
"""

from __future__ import annotations

import contextlib
import subprocess
import sys

from linkwright.apply.journal import KEEPER
from linkwright.apply.managers import has_systemd
from linkwright.apply.present import ENVIRONMENT, StepError, call


def start_timer(run: str, after_s: float) -> None:
    """Start the timer that takes a change back; it outlives the connection and its session."""
    program = [sys.executable or "python3", "-I", str(KEEPER), "expire", run]
    if has_systemd():
        timer = ["systemd-run", "--quiet", "--collect", f"--unit=linkwright-{run}"]
        when = [f"--on-active={after_s}", "--timer-property=AccuracySec=1s"]
        with contextlib.suppress(StepError):
            if call([*timer, *when, *program, "0"]).returncode == 0:
                return
    null = subprocess.DEVNULL
    subprocess.Popen(
        [*program, str(after_s)],
        stdin=null, stdout=null, stderr=null, start_new_session=True, cwd="/",
        env=ENVIRONMENT,
    )  # fmt: skip


def stop_timer(run: str) -> None:
    """Stop the timer of a change; a process ends by itself, since the change is not under way."""
    if has_systemd():
        with contextlib.suppress(StepError):
            call(["systemctl", "stop", f"linkwright-{run}.timer"])
