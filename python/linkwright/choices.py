"""The choices that the program makes, for Python's `logging`, by which -v and --debug show them.

A program that has not imported `logging` reads no log, and then nothing is imported or written.
"""

from __future__ import annotations

import sys

__all__ = ["LOGGER", "detail", "note"]

LOGGER = "linkwright"


def note(message: str, *values: object) -> None:
    """Log a choice and its reason; `values` are formatted only if the log is read."""
    if "logging" in sys.modules:
        sys.modules["logging"].getLogger(LOGGER).info(message, *values)


def detail(message: str, *values: object) -> None:
    """Log a detail of a choice."""
    if "logging" in sys.modules:
        sys.modules["logging"].getLogger(LOGGER).debug(message, *values)
