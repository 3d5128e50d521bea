"""Recordings: the calls of a real program, written by the MPI recorder, one file per rank.

The recorder (recorder/recorder.c, see docs/how-to/record-your-own-program.md) writes one row per
call: a `StepKind`, peer, bytes, tag, number, the nanoseconds computed before it, and the
communicator. Collectives are kept as such, so that the simulated library carries them out.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import PrivateAttr

from linkwright.errors import UsageError
from linkwright.workloads.libraries import ByLibrary
from linkwright.workloads.recorded_collectives import Ints, RecordedCollectives, collectives_of
from linkwright.workloads.recorded_rank import (
    BYTES,
    COMMUNICATOR,
    COMPUTE_NS,
    KIND,
    NUMBER,
    PEER,
    REMEDY,
    TAG,
    RankFile,
    Rows,
    read_rank,
)
from linkwright.workloads.recorded_regions import Region, mark_region, regions_in
from linkwright.workloads.recorded_tags import separate_communicators
from linkwright.workloads.recorded_targets import streams_of_targets
from linkwright.workloads.steps import StepKind, Steps, in_group, stream
from linkwright.workloads.trace import Trace
from linkwright.workloads.workload import Marks, Measurement

__all__ = ["Recording"]

_REGION_BEGINS, _REGION_ENDS = 2, 3
_PROGRAM = 0
"""Stream of the calls that the program itself makes."""


class Recording(ByLibrary, Trace):
    """Completion time of a real MPI program, as the recorder wrote it down."""

    name: ClassVar[str] = "recording"
    examples = ({"folder": str(Path(__file__).with_name("traces") / "pair")},)

    files = ("folder",)

    folder: str = ""
    """The folder of the recording, one file per rank."""

    region: str = ""
    """A region whose time is measured too: a name that the program gave by MPI_Pcontrol, or
    wtime:A-B for the time from its call number A of MPI_Wtime to call number B."""

    progress: Literal["calls", "thread"] = "calls"
    """Where the message library progresses: in the calls of its rank, or in a thread of its own, so
    that nonblocking operations go on while the rank computes."""

    _recorded_s: float | None = PrivateAttr(default=None)
    """Time of the region in the recorded run."""

    def recorded_ranks(self) -> int:
        """Return the number of ranks given in the first file."""
        return self._read(0).n_ranks

    def recorded_steps(self) -> Steps:
        """Return the calls of every rank; a collective comes where all of its ranks enter it."""
        files = self._files()
        self._mark_region(files)
        of_targets = streams_of_targets(files)
        separate_communicators(files)
        ranks = [file.rows for file in files]
        collectives = collectives_of(files, f"workload {self.name}")
        parts = [_groups(collectives)]
        parts += [_of_rank(rank, rows, collectives) for rank, rows in enumerate(ranks)]
        parts.append(_of_groups(collectives))
        end = 2 * len(collectives.rows) + 2
        parts += [_after(end, rank, rows) for rank, rows in enumerate(of_targets) if len(rows)]
        order = np.argsort(np.concatenate([place for place, _ in parts]), kind="stable")
        rank = np.concatenate([rows[:, 0] for _, rows in parts])[order]
        rows = np.concatenate([rows[:, 1:] for _, rows in parts])[order]
        return Steps(
            kind=rows[:, KIND].astype(np.uint8),
            rank=rank.astype(np.int32),
            peer=self._peers(rows).astype(np.int32),
            size_bytes=rows[:, BYTES].astype(np.uint64),
            # A tag of -1 is any tag, which is the largest number of its type.
            tag=rows[:, TAG].astype(np.uint32),
            compute_s=rows[:, COMPUTE_NS] / 1e9,
            number=rows[:, NUMBER].astype(np.uint32),
        )

    def tag_names(self) -> dict[int, str]:
        """Return the tags and communicators of the program by the tags of its steps."""
        files = self._files()
        streams_of_targets(files)
        return separate_communicators(files)

    def first_steps(self) -> tuple[Steps, ...]:
        """Return a turn to a processor beside the process if the library has a thread there."""
        return (stream(_PROGRAM, cpu=0),) if self.progress == "thread" else ()

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the times at which ranks finished and, of a region, the longest of any rank, the
        mean, and the longest in the recorded run.
        """
        found = super().measure(marks)
        if self.region:
            if self._recorded_s is None:
                self._mark_region(self._files())
            times_s = marks.totals_s(_REGION_BEGINS, _REGION_ENDS)
            found.append(self._measurement("region_time", float(times_s.max()), "s"))
            found.append(self._measurement("region_time_mean", float(times_s.mean()), "s"))
            recorded_s = self._recorded_s or 0.0
            found.append(self._measurement("region_time_recorded", recorded_s, "s"))
        return found

    def _peers(self, rows: Rows) -> NDArray[np.int64]:
        """Return the other ends, and the processors of streams: own ones beside a thread."""
        if self.progress == "calls":
            return rows[:, PEER]
        cpu = (rows[:, NUMBER] != _PROGRAM).astype(np.int64)
        return np.where(rows[:, KIND] == StepKind.STREAM, cpu, rows[:, PEER])

    def _read(self, rank: int) -> RankFile:
        if not self.folder:
            raise UsageError(f"workload {self.name}: no folder is named", REMEDY)
        return read_rank(Path(self.folder), rank)

    def _files(self) -> list[RankFile]:
        """Return the files of all ranks, which must be of one run."""
        first = self._read(0)
        files = [first, *(self._read(rank) for rank in range(1, first.n_ranks))]
        for rank, file in enumerate(files):
            if (file.n_ranks, file.run) != (first.n_ranks, first.run):
                raise UsageError(
                    f"recording '{self.folder}' is incomplete: the files of ranks 0 and {rank} "
                    "are of different runs",
                    "empty the folder, and record the program again",
                )
        return files

    def _mark_region(self, files: list[RankFile]) -> None:
        """Make the beginning and the end of the region marks, and all other marks computation."""
        region = Region.parse(self.region)
        marked = [mark_region(file, region, _REGION_BEGINS, _REGION_ENDS) for file in files]
        if not self.region:
            return
        if not any(n_passes for n_passes, _ in marked):
            raise UsageError(
                f"workload {self.name}: the program has no region '{self.region}'",
                f"choose one of: {regions_in(files)}",
            )
        for rank, (n_passes, _) in enumerate(marked):
            if n_passes < 0:
                raise UsageError(
                    f"workload {self.name}: region '{self.region}' does not end as often as it "
                    f"begins on rank {rank}",
                    "end each region by MPI_Pcontrol with the negative level and the same name",
                )
        self._recorded_s = max(recorded_ns for _, recorded_ns in marked) / 1e9


def _groups(collectives: RecordedCollectives) -> tuple[Ints, Rows]:
    """Return positions before all others, and the rows that define the groups."""
    defined = list(enumerate(collectives.groups))[1:]
    ranks = [rank for _, group in defined for rank in group]
    rows = np.zeros((len(ranks), COMMUNICATOR + 1), dtype=np.int64)
    rows[:, KIND] = StepKind.MEMBER
    rows[:, NUMBER] = [number for number, group in defined for _ in group]
    return np.full(len(rows), -1), np.column_stack([np.array(ranks, dtype=np.int64), rows])


def _of_rank(rank: int, rows: Rows, collectives: RecordedCollectives) -> tuple[Ints, Rows]:
    """Return positions and rows, beginning with the rank, of the operations of one rank alone.

    Operations before collective i have position 2i or less, those after it 2i + 2 or more.
    """
    is_collective = collectives.is_collective[rank]
    behind = np.append(0, 2 * collectives.places[rank] + 2)
    place = behind[np.cumsum(is_collective) - is_collective]
    computes = np.zeros_like(rows)
    computes[:, KIND], computes[:, COMPUTE_NS] = StepKind.COMPUTE, rows[:, COMPUTE_NS]
    calls = rows.copy()
    calls[:, COMPUTE_NS] = 0
    both = np.stack([computes, calls], axis=1).reshape(-1, rows.shape[1])
    is_call = ~is_collective & (rows[:, KIND] != StepKind.COMPUTE)
    kept = np.stack([rows[:, COMPUTE_NS] > 0, is_call], axis=1).ravel()
    ranks = np.full(int(kept.sum()), rank)
    return np.repeat(place, 2)[kept], np.column_stack([ranks, both[kept]])


def _of_groups(collectives: RecordedCollectives) -> tuple[Ints, Rows]:
    """Return positions and rows, beginning with the group, of collectives; they compute nothing."""
    rows = collectives.rows.copy()
    rows[:, COMPUTE_NS] = 0
    places = 2 * np.arange(len(rows)) + 1
    return places, np.column_stack([in_group(collectives.group), rows])


def _after(place: int, rank: int, rows: Rows) -> tuple[Ints, Rows]:
    """Return positions and rows, beginning with the rank, of operations after all others."""
    return np.full(len(rows), place), np.column_stack([np.full(len(rows), rank), rows])
