"""How work that may take long tells how far it is; what is shown of it is the caller's business."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Report"]

Report = Callable[[int, int, str], object]
"""Takes how many steps are done, of how many known so far (0 for unknown), and what is done now."""
