"""Files with the frames of a run: a capture, and the traffic of every port over time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.cli.terminal import say

if TYPE_CHECKING:
    from linkwright.engines.watched import Watched

__all__ = ["WatchFiles"]


@dataclass(frozen=True)
class WatchFiles:
    """The files asked for by --trace and --traffic."""

    trace: Path | None
    traffic: Path | None

    def __bool__(self) -> bool:
        return self.trace is not None or self.traffic is not None

    def check(self) -> None:
        """Refuse files that cannot be written, before the run.

        Raises
        ------
        OutputError
            If one cannot.
        """
        from linkwright.files import check_writable

        for path in (self.trace, self.traffic):
            if path is not None:
                check_writable(path)

    def write(self, watched: Watched, *, quiet: bool) -> None:
        """Write the files, and say so."""
        from linkwright.files import write_atomically

        if self.trace is not None:
            write_atomically(self.trace, watched.capture)
            say(f"wrote {self.trace}", quiet=quiet)
        if self.traffic is not None:
            write_atomically(self.traffic, watched.traffic.csv)
            say(f"wrote {self.traffic}", quiet=quiet)
