"""The command line as typed, for manifests and pages."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwright.results import Manifest

__all__ = ["command_line", "manifest_since"]


def command_line() -> list[str]:
    """Return the arguments of this command, the program's name first."""
    return ["linkwright", *sys.argv[1:]]


def manifest_since(started: datetime, seeds: Sequence[int] = ()) -> Manifest:
    """Return the manifest of this command, which began at `started` and ends now."""
    from linkwright.results import Manifest

    return Manifest.of(
        command=command_line(),
        started=started,
        finished=datetime.now(UTC),
        seeds=seeds,
    )
