"""The command line as typed, for manifests and pages."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from linkwright.cli.given import filed_options

if TYPE_CHECKING:
    from linkwright.results import Manifest

__all__ = ["command_line", "manifest_since"]


def command_line() -> list[str]:
    """Return the arguments of this command, the program's name first.

    Values from the file of defaults are added as options: the command means the same without it.
    """
    return ["linkwright", *sys.argv[1:], *_from_file()]


def _from_file() -> list[str]:
    """Return the options that the file of defaults gave values to, except the format of stdout."""
    return [word for name, value in filed_options().items() for word in (name, value)]


def manifest_since(started: datetime, seeds: Sequence[int] = ()) -> Manifest:
    """Return the manifest of this command, which began at `started` and ends now."""
    from linkwright.results import Manifest

    return Manifest.of(
        command=command_line(),
        started=started,
        finished=datetime.now(UTC),
        seeds=seeds,
    )
