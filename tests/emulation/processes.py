"""Processes of this machine, as tests look for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE_S = 30
FIRST = ("nice", "-n", "-20")
"""Words before a command that other programs of a busy machine must not delay."""


def processes_of(word: str) -> list[str]:
    """Return the command lines that contain a word."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
        except OSError:
            continue
        command = words.decode(errors="replace")
        if word in command:
            found.append(command)
    return found


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so, and fail if it never is."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)
