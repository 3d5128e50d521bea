"""Regions of a recorded program: those that it names by MPI_Pcontrol, and those between two of its
calls of MPI_Wtime.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.recorded_rank import BYTES, KIND, NUMBER, PEER, TAG, MarkCode, RankFile
from linkwright.workloads.steps import StepKind

__all__ = ["Region", "mark_region", "regions_in"]

_LOOKS = re.compile(r"wtime:(\d+)-(\d+)")
_MOST_SHOWN = 12


@dataclass(frozen=True)
class Region:
    """A region by name, or by the numbers of two calls of MPI_Wtime."""

    name: str
    looks: tuple[int, int] | None = None

    @classmethod
    def parse(cls, text: str) -> Region:
        """Return the region of a setting's text."""
        found = _LOOKS.fullmatch(text)
        return cls(text, (int(found[1]), int(found[2])) if found else None)

    def ends_in(self, file: RankFile) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which rows of a rank begin and end the region."""
        rows = file.rows
        is_mark = rows[:, KIND] == StepKind.MARK
        if self.looks:
            is_look = is_mark & (rows[:, PEER] == MarkCode.LOOK)
            begin, end = self.looks
            return is_look & (rows[:, NUMBER] == begin), is_look & (rows[:, NUMBER] == end)
        numbers = [number for number, name in file.regions.items() if name == self.name]
        is_own = is_mark & np.isin(rows[:, NUMBER], numbers)
        return is_own & (rows[:, PEER] == MarkCode.BEGIN), is_own & (rows[:, PEER] == MarkCode.END)


def mark_region(file: RankFile, region: Region, begin: int, end: int) -> tuple[int, int]:
    """Make rows that begin and end a region marks of these numbers, and other marks computation.

    Returns
    -------
    tuple of int
        How often it is passed, -1 if it does not end as often as it begins; and the nanoseconds
        that it lasted in the recorded run.
    """
    begins, ends = region.ends_in(file)
    rows = file.rows
    n_begins, n_ends = int(begins.sum()), int(ends.sum())
    lasted_ns = int(rows[ends, BYTES].sum() - rows[begins, BYTES].sum())
    is_mark = rows[:, KIND] == StepKind.MARK
    rows[is_mark & ~begins & ~ends, KIND] = StepKind.COMPUTE
    rows[begins, NUMBER], rows[ends, NUMBER] = begin, end
    for column in (PEER, BYTES, TAG):
        rows[is_mark, column] = 0
    return (n_begins, lasted_ns) if n_begins == n_ends else (-1, 0)


def regions_in(files: Iterable[RankFile]) -> str:
    """Return the names of all regions of a program, and the calls of MPI_Wtime of its ranks."""
    names = sorted({name for file in files for name in file.regions.values()})
    shown = ", ".join(names[:_MOST_SHOWN])
    return f"{shown or 'no name'}; or wtime:A-B with two calls of MPI_Wtime"
