"""The words between the server and its workers, known to both; the server imports no engine."""

from __future__ import annotations

__all__ = ["END", "PROGRESS", "READY", "STOP"]

READY = "ready"
"""Event of a worker that has imported its modules."""
END = "end"
"""Event at the end of every task."""
PROGRESS = "progress"
"""Event of a task that tells how much of it is done."""
STOP = "stop"
"""Task that ends the present one."""
