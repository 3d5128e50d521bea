"""The file that the recorder wrote for one rank: its rows, the communicators and regions that they
name, and the reasons for which a file is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import UsageError
from linkwright.files import read_bytes
from linkwright.workloads.steps import StepKind
from linkwright.workloads.trace import MOST_BYTES

__all__ = [
    "BYTES",
    "COMMUNICATOR",
    "COMPUTE_NS",
    "KIND",
    "NUMBER",
    "PEER",
    "REMEDY",
    "TAG",
    "Communicator",
    "MarkCode",
    "RankFile",
    "Rows",
    "read_rank",
]

REMEDY = "name the folder that the recorder wrote: --set folder=recording"
_HEAD = re.compile(rb"# linkwright recording ([12]), rank (\d+) of (\d+)\n(?:# run (\d+)\n)?")
_LEFT_OUT = re.compile(rb"^! (.*)$", re.MULTILINE)
_COMMUNICATOR = re.compile(
    rb"^# communicator (\d+) of (-?\d+) by (-?\d+):([ \d-]*)(?:/([ \d-]*))?$", re.MULTILINE
)
_REGION = re.compile(rb"^# region (\d+): (.*)$", re.MULTILINE)

KIND, PEER, BYTES, TAG, NUMBER, COMPUTE_NS, COMMUNICATOR = range(7)
_CANCELLED = 99
"""Kind of a row that takes an operation back: the one last started under its number."""
_STARTS = (StepKind.START_SEND, StepKind.START_RECEIVE, StepKind.START_SYNC_SEND)

Rows = NDArray[np.int64]
"""shape (n, 7): the columns of a rank's file."""


class MarkCode(IntEnum):
    """Meaning of a mark, in the column of the other end."""

    LOOK = 0
    """A call of MPI_Wtime; the number counts them."""
    BEGIN = 1
    """The region of this number begins."""
    END = 2
    """The region of this number ends."""


@dataclass(frozen=True)
class Communicator:
    """A communicator as one of its ranks sees it, in the order of their creation."""

    number: int
    origin: int
    """The communicator that it was made from, -1 if unknown."""
    tag: int
    """Tag with which it was made, plus 1; 0 for calls without tag."""
    sides: tuple[tuple[int, ...], ...]
    """Its ranks, and those of the other side if it has one; the smaller side first."""


@dataclass(frozen=True, eq=False)
class RankFile:
    """The recording of one rank."""

    n_ranks: int
    run: bytes
    """Name of the run, the same in all its files."""
    rows: Rows
    """Rows without those that were taken back, and with the tags that receives of any tag took."""
    found_tags: NDArray[np.int64]
    """shape (n,): of a receive with any tag, the tag of its message; -1 where it is unknown."""
    communicators: tuple[Communicator, ...]
    regions: dict[int, str]
    """Names of regions by number."""


def read_rank(folder: Path, rank: int) -> RankFile:
    """Return the recording of one rank.

    Raises
    ------
    UsageError
        If there is none, it is not complete, or the program calls what is not recorded.
    """
    file = folder / f"rank-{rank}.txt"
    if rank > 0 and not file.exists():
        raise UsageError(
            f"recording '{folder}' is incomplete: rank {rank} has no file", "record it again"
        )
    text = read_bytes(file, "", most_bytes=MOST_BYTES, hint=REMEDY)
    head = _HEAD.match(text)
    if head is None or int(head[2]) != rank:
        raise UsageError(f"'{file}' is not a recording of rank {rank}", REMEDY)
    _refuse_omissions(file, rank, text)
    rows = _rows(file, text, n_columns=6 if head[1] == b"1" else 7)
    found_tags = _found_tags(rows)
    _take_back(rows)
    return RankFile(
        n_ranks=int(head[3]),
        run=head[4] or b"",
        rows=rows,
        found_tags=found_tags,
        communicators=tuple(_communicator(*found) for found in _COMMUNICATOR.findall(text)),
        regions={int(number): name.decode() for number, name in _REGION.findall(text)},
    )


def _refuse_omissions(file: Path, rank: int, text: bytes) -> None:
    if left_out := _LEFT_OUT.findall(text):
        calls = b"; ".join(left_out).decode()
        raise UsageError(
            f"'{file}': rank {rank} of the program calls {calls}, which is not recorded",
            "write its messages as GOAL text by hand, or change the program",
        )
    if not text.endswith(b"# end\n"):
        raise UsageError(
            f"'{file}' has no end: rank {rank} of the program did not reach MPI_Finalize, or its "
            "disk was full",
            "let it finish, and record it again",
        )


def _rows(file: Path, text: bytes, n_columns: int) -> Rows:
    lines = [line for line in text.decode().splitlines() if not line.startswith("#")]
    if not lines:
        return np.zeros((0, 7), dtype=np.int64)
    try:
        rows = np.loadtxt(lines, dtype=np.int64, ndmin=2).reshape(-1, n_columns)
    except ValueError as error:
        raise UsageError(f"'{file}' is damaged: {error}", "record it again") from None
    return np.hstack([rows, np.zeros((len(rows), 7 - n_columns), dtype=np.int64)])


def _communicator(
    number: bytes, origin: bytes, tag: bytes, own: bytes, others: bytes
) -> Communicator:
    sides = [tuple(map(int, side.split())) for side in (own, others)]
    return Communicator(int(number), int(origin), int(tag), tuple(sorted(filter(None, sides))))


def _found_tags(rows: Rows) -> NDArray[np.int64]:
    """Return the tags that receives of any tag took: in their row, or in that of their wait.

    The rows lose them again.
    """
    found = np.full(len(rows), -1)
    is_receive = rows[:, KIND] == StepKind.RECEIVE
    is_wait = rows[:, KIND] == StepKind.WAIT
    found[is_receive] = rows[is_receive, NUMBER] - 1
    waits = np.flatnonzero(is_wait & (rows[:, TAG] > 0))
    starts = np.flatnonzero((rows[:, KIND] == StepKind.START_RECEIVE) & (rows[:, TAG] == -1))
    for wait in waits:
        same = starts[: np.searchsorted(starts, wait)]
        same = same[rows[same, NUMBER] == rows[wait, NUMBER]]
        found[same[-1:]] = rows[wait, TAG] - 1
    rows[is_receive, NUMBER] = 0
    rows[is_wait, TAG] = 0
    return found


def _take_back(rows: Rows) -> None:
    """Leave only the computation of operations that never took place."""
    kind, number = rows[:, KIND], rows[:, NUMBER]
    is_end = (kind == StepKind.WAIT) | (kind == _CANCELLED)
    for row in np.flatnonzero(kind == _CANCELLED):
        same = np.flatnonzero(number[:row] == number[row])
        ends = same[is_end[same]]
        begun = same[np.isin(kind[same], _STARTS) & (same > (ends[-1] if len(ends) else -1))]
        kind[begun] = StepKind.COMPUTE
    kind[kind == _CANCELLED] = StepKind.COMPUTE
