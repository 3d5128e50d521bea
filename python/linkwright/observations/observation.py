"""The observations that a run is asked for, besides the rows of its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

__all__ = ["MOST_HOPS", "ROWS_ALONE", "Observation"]

MOST_HOPS = 10_000_000
"""Limit of the frames on wires: a browser plays about 100,000 a second, and keeps two million."""


@dataclass(frozen=True, kw_only=True)
class Observation:
    """The things that are wanted of a run besides its rows. None of them changes the run.

    Attributes
    ----------
    capture : bool
        The frames at every port, as a pcapng file.
    traffic : bool
        The frames and bytes of every port over time.
    timeline : bool
        The activities of ranks; of the packet engine also frames, queues, processors and windows.
    page : bool
        The run packed for a page that plays it. A run that is too long for one is refused.
    report : callable, optional
        Called now and then with the numbers of actions done and of all.
    """

    capture: bool = False
    traffic: bool = False
    timeline: bool = False
    page: bool = False
    report: Callable[[int, int], None] | None = None

    def __bool__(self) -> bool:
        """Return whether anything is observed."""
        return any(getattr(self, one.name) for one in fields(self) if one.name != "report")

    @property
    def has_frames(self) -> bool:
        """Whether frames are captured or counted."""
        return self.capture or self.traffic

    @property
    def most_hops(self) -> int | None:
        """Frames that the run may put on wires before it is refused."""
        return MOST_HOPS if self.page else None


ROWS_ALONE = Observation()
"""Nothing besides the rows."""
