"""Played runs inside another page: a button opens each in a new tab.

The script of a played run, most of its page, is embedded once; frontend/src/play/door.ts puts the
pages together. Where there is no run, a sentence says why in place of the button.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from linkwright.views.embedded import deflated
from linkwright.views.frame import asset

__all__ = ["PlayedRuns"]

PLACE = "\0"
"""Stands for the script: no page has this character."""


@dataclass(frozen=True, kw_only=True)
class PlayedRuns:
    """Runs of one workload on the networks of a page, by the place of the network."""

    workload: str
    """Name of the workload."""
    pages: Mapping[int, str] = field(default_factory=dict)
    """Pages of the runs (`play_page`); the name in `data-played` of a button -> the page."""
    reasons: Mapping[int, str] = field(default_factory=dict)
    """A sentence for each network without a run: why, and the remedy."""
    why_none: str = ""
    """The same for all networks."""

    @property
    def data(self) -> dict[str, Any] | None:
        """The data of the script, `Embedded` in door.ts; None without a run."""
        if not self.pages:
            return None
        script = asset("play.js")
        pages = {
            name: deflated(page.replace(script, PLACE).encode())
            for name, page in self.pages.items()
        }
        return {"script": deflated(script.encode()), "pages": pages}
