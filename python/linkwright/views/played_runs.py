"""Played runs inside another page: a button opens each in a new tab.

The script of a played run, most of its page, is embedded once; frontend/src/play/door.ts puts the
pages together.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from linkwright.views.frame import asset

__all__ = ["played_runs"]

PLACE = "\0"
"""Stands for the script: no page has this character."""


def played_runs(pages: Mapping[int, str]) -> dict[str, Any]:
    """Return pages of played runs as data for another page; `Embedded` in door.ts.

    Parameters
    ----------
    pages : mapping of int to str
        Name in `data-played` of a button -> the page (`play_page`).
    """
    script = asset("play.js")
    return {
        "script": _packed(script),
        "pages": {name: _packed(page.replace(script, PLACE)) for name, page in pages.items()},
    }


def _packed(text: str) -> str:
    return b64encode(zlib.compress(text.encode("utf-8"), level=9)).decode("ascii")
