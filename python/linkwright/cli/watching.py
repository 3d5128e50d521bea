"""Files with what happens in a run: a capture of its frames, the traffic of every port, and the
time line. The command asks for them, `engines.watch` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwright.cli.terminal import say

if TYPE_CHECKING:
    from linkwright.engines.watched import Watched

__all__ = ["WatchFiles"]


@dataclass(frozen=True)
class WatchFiles:
    """The files asked for by --trace, --traffic and --timeline."""

    trace: Path | None
    traffic: Path | None
    timeline: Path | None = None

    def __bool__(self) -> bool:
        return bool(self._paths)

    @property
    def _paths(self) -> list[Path]:
        return [path for path in (self.trace, self.traffic, self.timeline) if path is not None]

    @property
    def options(self) -> dict[str, Any]:
        """The observations that the files need, as keywords of `engines.watch`."""
        return {
            "has_capture": self.trace is not None,
            "has_traffic": self.traffic is not None,
            "has_timeline": self.timeline is not None,
        }

    def check(self) -> None:
        """Refuse files that cannot be written, before the run.

        Raises
        ------
        OutputError
            If one cannot.
        """
        from linkwright.files import check_writable

        for path in self._paths:
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
        if self.timeline is not None:
            write_atomically(self.timeline, watched.timeline)
            say(f"wrote {self.timeline}", quiet=quiet)
