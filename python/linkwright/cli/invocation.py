"""What a page says of how it came about: the command line as typed, and when."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwright.results import Manifest

__all__ = ["manifest_since"]


def manifest_since(started: datetime, seeds: Sequence[int] = ()) -> Manifest:
    """Return the manifest of this command, which began at `started` and has its answer now."""
    from linkwright.results import Manifest

    return Manifest.of(
        command=["linkwright", *sys.argv[1:]],
        started=started,
        finished=datetime.now(UTC),
        seeds=seeds,
    )
