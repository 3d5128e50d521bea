"""Recordings: the calls of a real program, written by the MPI recorder, one file per rank.

The recorder (recorder/recorder.c, see docs/how-to/record-your-own-program.md) writes one row per
call: a `StepKind`, peer, bytes, tag, number, and the nanoseconds computed before it. Collectives
are kept as such, so that the simulated library expands them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import UsageError
from linkwright.files import read_bytes
from linkwright.workloads.steps import EVERY_RANK, StepKind, Steps
from linkwright.workloads.trace import MOST_BYTES, Trace

__all__ = ["Recording"]

_REMEDY = "name the folder that the recorder wrote: --set folder=recording"
_HEAD = re.compile(rb"# linkwright recording 1, rank (\d+) of (\d+)\n")
_LEFT_OUT = re.compile(rb"^! (.*)$", re.MULTILINE)
_COLLECTIVES = np.arange(StepKind.BROADCAST, StepKind.SCATTER + 1)
_KIND, _PEER, _BYTES, _TAG, _NUMBER, _COMPUTE_NS = range(6)

Rows = NDArray[np.int64]
"""shape (n, 6): the columns of a rank's file."""


class Recording(Trace):
    """Completion time of a real MPI program, as the recorder wrote it down."""

    name: ClassVar[str] = "recording"
    examples = ({"folder": str(Path(__file__).with_name("traces") / "pair")},)

    files = ("folder",)

    folder: str = ""
    """The folder of the recording, one file per rank."""

    def recorded_ranks(self) -> int:
        """Return the number of ranks given in the first file."""
        return self._read(0)[0]

    def recorded_steps(self) -> Steps:
        """Return the calls of every rank; a collective comes where all of them enter it."""
        ranks = [self._read(rank)[1] for rank in range(self.recorded_ranks())]
        collectives = self._collectives(ranks)
        parts = [_of_rank(rank, rows) for rank, rows in enumerate(ranks)]
        parts.append((2 * np.arange(len(collectives)) + 1, _every_rank(collectives)))
        order = np.argsort(np.concatenate([place for place, _ in parts]), kind="stable")
        rank = np.concatenate([rows[:, 0] for _, rows in parts])[order]
        rows = np.concatenate([rows[:, 1:] for _, rows in parts])[order]
        return Steps(
            kind=rows[:, _KIND].astype(np.uint8),
            rank=rank.astype(np.int32),
            peer=rows[:, _PEER].astype(np.int32),
            size_bytes=rows[:, _BYTES].astype(np.uint64),
            # A tag of -1 is any tag, which is the largest number of its type.
            tag=rows[:, _TAG].astype(np.uint32),
            compute_s=rows[:, _COMPUTE_NS] / 1e9,
            number=rows[:, _NUMBER].astype(np.uint32),
        )

    def _read(self, rank: int) -> tuple[int, Rows]:
        """Return the number of ranks and the rows of one of them."""
        if not self.folder:
            raise UsageError(f"workload {self.name}: no folder is named", _REMEDY)
        file = Path(self.folder) / f"rank-{rank}.txt"
        text = read_bytes(file, "", most_bytes=MOST_BYTES, hint=_REMEDY)
        head = _HEAD.match(text)
        if head is None or int(head[1]) != rank:
            raise UsageError(f"'{file}' is not a recording of rank {rank}", _REMEDY)
        if left_out := _LEFT_OUT.findall(text):
            calls = b"; ".join(left_out).decode()
            raise UsageError(
                f"'{file}': the program calls {calls}, which is not recorded",
                "write its messages as GOAL text by hand, or change the program",
            )
        if not text.endswith(b"# end\n"):
            raise UsageError(
                f"'{file}' has no end: the program did not reach MPI_Finalize",
                "let it finish, and record it again",
            )
        try:
            rows = np.loadtxt(text.decode().splitlines(), dtype=np.int64, ndmin=2)
        except ValueError as error:
            raise UsageError(f"'{file}' is damaged: {error}", "record it again") from None
        return int(head[2]), rows.reshape(-1, 6)

    def _collectives(self, ranks: list[Rows]) -> Rows:
        """Return the collectives that all ranks enter, each with the largest size of any rank."""
        entered = [rows[np.isin(rows[:, _KIND], _COLLECTIVES)] for rows in ranks]
        first = entered[0].copy()
        for rank, other in enumerate(entered):
            same = len(other) == len(first) and np.array_equal(other[:, :_BYTES], first[:, :_BYTES])
            if not same:
                raise UsageError(
                    f"workload {self.name}: ranks 0 and {rank} do not enter the same collectives",
                    "record the program again; all files must be of one run",
                )
            first[:, _BYTES] = np.maximum(first[:, _BYTES], other[:, _BYTES])
        return first


def _of_rank(rank: int, rows: Rows) -> tuple[NDArray[np.int64], Rows]:
    """Return positions and rows, beginning with the rank, of the operations of one rank alone.

    Operations before collective i have position 2i or less, those after it 2i + 2 or more.
    """
    is_collective = np.isin(rows[:, _KIND], _COLLECTIVES)
    place = 2 * (np.cumsum(is_collective) - is_collective)
    computes = np.zeros_like(rows)
    computes[:, _KIND], computes[:, _COMPUTE_NS] = StepKind.COMPUTE, rows[:, _COMPUTE_NS]
    calls = rows.copy()
    calls[:, _COMPUTE_NS] = 0
    both = np.stack([computes, calls], axis=1).reshape(-1, 6)
    is_call = ~is_collective & (rows[:, _KIND] != StepKind.COMPUTE)
    kept = np.stack([rows[:, _COMPUTE_NS] > 0, is_call], axis=1).ravel()
    ranks = np.full(int(kept.sum()), rank)
    return np.repeat(place, 2)[kept], np.column_stack([ranks, both[kept]])


def _every_rank(collectives: Rows) -> Rows:
    """Return collectives as rows of every rank, which compute nothing."""
    rows = collectives.copy()
    rows[:, _COMPUTE_NS] = 0
    return np.column_stack([np.full(len(rows), EVERY_RANK), rows])
