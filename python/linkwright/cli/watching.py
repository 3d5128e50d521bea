"""Files with what happens in a run: a capture of its frames, the traffic of every port, and the
time line. A command asks for them, and `engines.observe` makes their content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.cli.run_options import TimelineOption, TraceOption, TrafficOption
from linkwright.cli.terminal import say
from linkwright.errors import UsageError, shown_path
from linkwright.files import STREAM

if TYPE_CHECKING:
    from linkwright.engines import Observation
    from linkwright.observations.watched import Watched

__all__ = ["WatchFiles"]

SUFFIXES: Mapping[str, Sequence[str]] = {
    "trace": (".pcapng", ".pcap"),
    "traffic": (".csv",),
    "timeline": (".json",),
}
"""Suffixes of the file of each option."""


@dataclass(frozen=True)
class WatchFiles:
    """The files asked for by --trace, --traffic and --timeline."""

    trace: TraceOption = None
    traffic: TrafficOption = None
    timeline: TimelineOption = None

    @property
    def _paths(self) -> list[Path]:
        return [path for path in (self.trace, self.traffic, self.timeline) if path is not None]

    def observation(self, *, page: bool = False) -> Observation:
        """Return the observation of a run that the files need, and a page if it has one."""
        from linkwright.engines import Observation

        return Observation(
            capture=self.trace is not None,
            traffic=self.traffic is not None,
            timeline=self.timeline is not None,
            page=page,
        )

    def check(self) -> None:
        """Refuse files that cannot be written, once the inputs are read and before the run.

        Raises
        ------
        UsageError
            If one is an input or another output, or its name says another format.
        OutputError
            If one cannot be written.
        """
        from linkwright.files import check_writable

        for path in self._paths:
            check_writable(path)
        for option, suffixes in SUFFIXES.items():
            path = getattr(self, option)
            if path is not None:
                _expect_suffix(path, option, suffixes)

    def write(self, watched: Watched | None, *, quiet: bool) -> None:
        """Write the files, and say so."""
        if watched is None:
            return
        if self.trace is not None:
            _write(self.trace, watched.capture, quiet=quiet)
        if self.traffic is not None:
            _write(self.traffic, watched.traffic.csv, quiet=quiet)
        if self.timeline is not None:
            _write(self.timeline, watched.timeline, quiet=quiet)


def _write(path: Path, content: str | bytes | Iterable[str], *, quiet: bool) -> None:
    from linkwright.files import write_atomically

    write_atomically(path, content)
    if path != Path(STREAM):
        say(f"wrote {path}", quiet=quiet)


def _expect_suffix(path: Path, option: str, suffixes: Sequence[str]) -> None:
    """Refuse a name that says another format than the file has; pipes have any name."""
    is_named = path != Path(STREAM) and (path.is_file() or not path.exists())
    if is_named and path.suffix.lower() not in suffixes:
        raise UsageError(
            f"--{option} {shown_path(path)}: the file has another format than its name says",
            f"end its name in {suffixes[0]}",
        )
