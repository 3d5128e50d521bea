"""Priorities of what must run in real time: the wires go first, then the ranks of workloads, which
stand for processors that have nothing else to do, and then all other programs.
"""

from __future__ import annotations

import contextlib
import os

__all__ = ["RANKS", "WIRES", "hurry"]

RANKS, WIRES = 1, 2
"""Priorities in the real-time class."""


def hurry(priority: int) -> None:
    """Let the calling thread, and those that it starts, run in the real-time class if allowed."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(priority))
