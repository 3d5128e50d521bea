"""The words between the server and its workers, known to both; the server imports no engine."""

from __future__ import annotations

__all__ = ["AS_ROOT", "DIED", "END", "MISTAKE", "PROGRESS", "READY", "REHEARSE", "STOP", "WAITING"]

READY = "ready"
"""Event of a worker that has imported its modules."""
END = "end"
"""Event at the end of every task."""
PROGRESS = "progress"
"""Event of a task that tells how much of it is done."""
STOP = "stop"
"""Task that ends the present one."""
REHEARSE = "rehearse"
"""Task of a worker of its own, which is root."""
AS_ROOT = "--as-root"
"""Argument of a worker that is root, of a namespace of its own where the user is not."""
WAITING = "waiting"
"""Event that gives the time since the last one, while none comes."""
DIED = "died"
"""Event of a computation that ended without an answer, by no mistake of the user."""
MISTAKE = "Linkwright has a mistake: please report the request that led to it"
