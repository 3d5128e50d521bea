"""The words between the server and its workers, known to both; the server imports no engine."""

from __future__ import annotations

__all__ = ["END", "READY", "STOP"]

READY = "ready"
"""Event of a worker that has imported its modules."""
END = "end"
"""Event at the end of every task."""
STOP = "stop"
"""Task that ends the present one."""
