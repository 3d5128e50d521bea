"""The type of progress reports of long work; the caller decides how to show them."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Report"]

Report = Callable[[int, int, str], object]
"""Takes the number of finished steps, the number of known steps (0 if unknown), and a label."""
