"""The times in which programs of MPI are ranks, and their lateness, as the library that is loaded
into them notes both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from linkwright.emulation.init import FOLDER

__all__ = ["SPANS", "RankTimes"]

SPANS = FOLDER / "spans"
"""The file of the notes, inside a sandbox."""


@dataclass(frozen=True)
class RankTimes:
    """The times of ranks, from their notes.

    Attributes
    ----------
    spans_s : tuple of (float, float)
        Begin and end, in seconds of the machine's clock, of each time in which at least one
        program was a rank.
    late_s : tuple of float
        Seconds by which the work of each rank was done too late, where it would have had a
        processor of its own. A rank that was killed has noted none.
    """

    spans_s: tuple[tuple[float, float], ...]
    late_s: tuple[float, ...]

    @classmethod
    def parse(cls, notes: str, until_s: float) -> Self:
        """Read notes: on each line, the change of the number of ranks, its time, and the lateness
        of the rank, in nanoseconds.

        Parameters
        ----------
        notes : str
            The lines, in any order.
        until_s : float
            The end of the time of ranks that noted none, in seconds.
        """
        words = (line.split() for line in notes.splitlines())
        rows = sorted((int(time), int(change), int(late)) for change, time, late in words)
        spans_s: list[tuple[float, float]] = []
        n_ranks, begin_s = 0, until_s
        for time, change, _ in rows:
            if n_ranks == 0:
                begin_s = time / 1e9
            n_ranks += change
            if n_ranks == 0:
                spans_s.append((begin_s, time / 1e9))
        if n_ranks:
            spans_s.append((begin_s, until_s))
        late_s = tuple(late / 1e9 for _, change, late in rows if change < 0)
        return cls(tuple(spans_s), late_s)

    @property
    def span_s(self) -> float:
        """The seconds for which at least one program was a rank."""
        return sum(end_s - begin_s for begin_s, end_s in self.spans_s)
