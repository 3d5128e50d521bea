"""The table of steps of a workload: the work of each rank, in order, as columns of numbers.

Each function returns the steps of one kind, for every rank, for one, or for an array of ranks at
once; `join` concatenates them. Collectives and loops are steps of the table: the messages of a
broadcast are decided when ranks enter it (see program.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwright.records.read_only import ArrayRecord

__all__ = [
    "ANY_RANK",
    "ANY_TAG",
    "COLLECTIVES",
    "EVERY_RANK",
    "PROCESS",
    "StepKind",
    "Steps",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "barrier",
    "broadcast",
    "compute",
    "datagram",
    "disk_flush",
    "disk_read",
    "disk_write",
    "gather",
    "group",
    "in_group",
    "in_turn",
    "join",
    "mark",
    "receive",
    "reduce",
    "reduce_scatter",
    "repeat",
    "rest",
    "scatter",
    "send",
    "signal",
    "start_receive",
    "start_send",
    "start_sync_send",
    "stream",
    "sync_send",
    "wait",
    "wait_all",
    "wait_for",
]

EVERY_RANK = -1
"""Rank of a step that every rank executes."""

ANY_RANK = -1
"""Source of a receive that accepts a message from any rank."""

PROCESS = -1
"""Processor of a stream that shares that of its rank's process."""

ANY_TAG = 2**32 - 1
"""Tag of a receive that accepts a message of any tag, except those of collectives."""


class StepKind(IntEnum):
    """Kind of a step; the codes are those of the compiled core."""

    SEND = 0
    RECEIVE = 1
    START_SEND = 2
    START_RECEIVE = 3
    WAIT_ALL = 4
    COMPUTE = 5
    MARK = 6
    REPEAT = 7
    END_REPEAT = 8
    BROADCAST = 9
    REDUCE = 10
    ALL_REDUCE = 11
    BARRIER = 12
    ALL_GATHER = 13
    ALL_TO_ALL = 14
    GATHER = 15
    SCATTER = 16
    DATAGRAM = 17
    RAW_DATAGRAM = 18
    DISK_READ = 19
    DISK_WRITE = 20
    DISK_FLUSH = 21
    WAIT = 22
    REST = 23
    STREAM = 24
    SIGNAL = 25
    WAIT_FOR = 26
    SYNC_SEND = 27
    START_SYNC_SEND = 28
    MEMBER = 29
    REDUCE_SCATTER = 30


COLLECTIVES = (*range(StepKind.BROADCAST, StepKind.SCATTER + 1), StepKind.REDUCE_SCATTER)
"""Kinds of collectives, which all ranks enter."""


class Steps(ArrayRecord):
    """A table of `s` steps by column; the order of the rows is the order of each rank's work."""

    kind: NDArray[np.uint8]
    """shape (s,): a StepKind."""
    rank: NDArray[np.int32]
    """shape (s,): executing rank, EVERY_RANK for all, or -1 - n for those of group n."""
    peer: NDArray[np.int32]
    """shape (s,): other end of a message, ANY_RANK for any source; root of a collective; or
    processor of a stream, PROCESS for that of the process."""
    size_bytes: NDArray[np.uint64]
    """shape (s,): user data of a message, of one rank or block of a collective, or of a file."""
    tag: NDArray[np.uint32]
    """shape (s,): tag of a message; a receive takes the first message of its source with its tag;
    below 2^31, or ANY_TAG."""
    compute_s: NDArray[np.float64]
    """shape (s,): seconds of processor time of a computation; for a datagram or a sleep, seconds
    since the last one of its rank began or ended."""
    number: NDArray[np.uint32]
    """shape (s,): repetitions of a block, bytes of the reply to a datagram, number of a mark, a
    stream, an event or a group, or number under which an operation is started and awaited."""

    def __len__(self) -> int:
        return len(self.kind)


def join(*parts: Steps) -> Steps:
    """Return the steps of all parts, one part after the other."""
    return Steps(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in _TYPES}
    )


def in_turn(*parts: Steps) -> Steps:
    """Return the steps of parts of one length, interleaved: the first of each, then the second,
    ...
    """
    order = np.arange(len(parts) * len(parts[0])).reshape(len(parts), -1).T.ravel()
    joined = join(*parts)
    return Steps(**{column.name: getattr(joined, column.name)[order] for column in fields(Steps)})


def repeat(count: int, *parts: Steps, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return a loop: `count` repetitions of the parts by `rank`.

    A loop of one rank holds steps of that rank only; a collective needs a loop of all its ranks.
    """
    begin = _steps(StepKind.REPEAT, rank, number=count)
    return join(begin, *parts, _steps(StepKind.END_REPEAT, rank))


def send(rank: ArrayLike, to: ArrayLike, size_bytes: ArrayLike, tag: ArrayLike = 0) -> Steps:
    """Return blocking sends; each returns when its buffer may be reused."""
    return _steps(StepKind.SEND, rank, to, size_bytes=size_bytes, tag=tag)


def sync_send(rank: ArrayLike, to: ArrayLike, size_bytes: ArrayLike, tag: ArrayLike = 0) -> Steps:
    """Return sends that return when their receive has begun and their buffer may be reused."""
    return _steps(StepKind.SYNC_SEND, rank, to, size_bytes=size_bytes, tag=tag)


def receive(rank: ArrayLike, source: ArrayLike, tag: ArrayLike = 0) -> Steps:
    """Return blocking receives, from ANY_RANK or a given one."""
    return _steps(StepKind.RECEIVE, rank, source, tag=tag)


def start_send(
    rank: ArrayLike,
    to: ArrayLike,
    size_bytes: ArrayLike,
    tag: ArrayLike = 0,
    *,
    number: ArrayLike = 0,
) -> Steps:
    """Return sends that their rank completes with the next `wait` for `number` or `wait_all`."""
    return _steps(StepKind.START_SEND, rank, to, size_bytes=size_bytes, tag=tag, number=number)


def start_sync_send(
    rank: ArrayLike,
    to: ArrayLike,
    size_bytes: ArrayLike,
    tag: ArrayLike = 0,
    *,
    number: ArrayLike = 0,
) -> Steps:
    """Return sends as of `sync_send` that their rank completes with a later wait."""
    kind = StepKind.START_SYNC_SEND
    return _steps(kind, rank, to, size_bytes=size_bytes, tag=tag, number=number)


def start_receive(
    rank: ArrayLike, source: ArrayLike, tag: ArrayLike = 0, *, number: ArrayLike = 0
) -> Steps:
    """Return receives that their rank completes with the next `wait` for `number` or `wait_all`."""
    return _steps(StepKind.START_RECEIVE, rank, source, tag=tag, number=number)


def wait(number: ArrayLike, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return waits for the operations that a rank has started under `number`; below 2^32 - 1."""
    return _steps(StepKind.WAIT, rank, number=number)


def wait_all(rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return waits for all operations that a rank has started."""
    return _steps(StepKind.WAIT_ALL, rank)


def compute(duration_s: ArrayLike, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return computations of `duration_s` seconds on an otherwise idle processor."""
    return _steps(StepKind.COMPUTE, rank, compute_s=duration_s)


def datagram(
    rank: ArrayLike,
    to: ArrayLike,
    size_bytes: ArrayLike,
    *,
    spacing_s: ArrayLike = 0.0,
    answer_bytes: ArrayLike = 0,
    is_raw: bool = False,
) -> Steps:
    """Return datagrams, by UDP or by IP alone; no step receives them.

    Each begins no sooner than `spacing_s` after its rank's last one began. A receiver that has read
    one sends `answer_bytes` back, if that is not 0.
    """
    kind = StepKind.RAW_DATAGRAM if is_raw else StepKind.DATAGRAM
    return _steps(kind, rank, to, size_bytes=size_bytes, compute_s=spacing_s, number=answer_bytes)


def rest(spacing_s: ArrayLike, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return sleeps: each ends no sooner than `spacing_s` after its rank's last one did."""
    return _steps(StepKind.REST, rank, compute_s=spacing_s)


def disk_read(size_bytes: ArrayLike, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return reads of uncached data from the disk of each rank's node."""
    return _steps(StepKind.DISK_READ, rank, size_bytes=size_bytes)


def disk_write(size_bytes: ArrayLike, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return writes to a cache, which is written to the disk in the background."""
    return _steps(StepKind.DISK_WRITE, rank, size_bytes=size_bytes)


def disk_flush(rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return waits until all data that a rank wrote are on the disk."""
    return _steps(StepKind.DISK_FLUSH, rank)


def stream(number: ArrayLike, rank: ArrayLike = EVERY_RANK, *, cpu: ArrayLike = PROCESS) -> Steps:
    """Return turns to another stream of a rank, that of its steps from here on.

    Each rank begins with stream 0. Streams run side by side: whichever can continue does. With
    `cpu` a stream computes on a processor of that number beside the process, and its messages leave
    the process at once; without, the process serves it while others wait.
    """
    return _steps(StepKind.STREAM, rank, cpu, number=number)


def signal(event: ArrayLike, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return signals of an event between streams of a rank."""
    return _steps(StepKind.SIGNAL, rank, number=event)


def wait_for(event: ArrayLike, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return waits for an event that another stream signals; each uses one signal up."""
    return _steps(StepKind.WAIT_FOR, rank, number=event)


def mark(number: ArrayLike, rank: ArrayLike = EVERY_RANK) -> Steps:
    """Return marks: the engine notes the time at which a rank passes one, under `number`."""
    return _steps(StepKind.MARK, rank, number=number)


def group(number: int, ranks: ArrayLike) -> Steps:
    """Return the definition of a group of ranks, in this order.

    It comes before the first step of the group. Numbers are from 1 on; group 0 is that of all
    ranks.
    """
    return _steps(StepKind.MEMBER, ranks, number=number)


def in_group(number: ArrayLike) -> int | NDArray[np.int64]:
    """Return the rank of steps of every rank of a group.

    Examples
    --------
    >>> pair = join(group(1, [3, 5]), compute(1e-3, in_group(1)), all_reduce(8, group=1))
    >>> pair.rank.tolist()
    [3, 5, -2, -2]
    """
    if isinstance(number, int):
        return EVERY_RANK - number
    return EVERY_RANK - np.asarray(number, dtype=np.int64)


def broadcast(size_bytes: int, root: int = 0, *, group: int = 0) -> Steps:
    """Return a broadcast of the root's `size_bytes` to every rank of a group; default: all."""
    return _steps(StepKind.BROADCAST, in_group(group), root, size_bytes=size_bytes)


def reduce(size_bytes: int, root: int = 0, *, group: int = 0) -> Steps:
    """Return a reduction of `size_bytes` of every rank of a group at the root; default: all."""
    return _steps(StepKind.REDUCE, in_group(group), root, size_bytes=size_bytes)


def all_reduce(size_bytes: int, *, group: int = 0) -> Steps:
    """Return a reduction of `size_bytes` of every rank of a group at each; default: all."""
    return _steps(StepKind.ALL_REDUCE, in_group(group), size_bytes=size_bytes)


def barrier(*, group: int = 0) -> Steps:
    """Return a barrier: no rank of a group leaves it before each has entered; default: all."""
    return _steps(StepKind.BARRIER, in_group(group))


def all_gather(size_bytes: int, *, group: int = 0) -> Steps:
    """Return the collection of `size_bytes` of every rank of a group, in order, at each."""
    return _steps(StepKind.ALL_GATHER, in_group(group), size_bytes=size_bytes)


def all_to_all(size_bytes: int, *, group: int = 0) -> Steps:
    """Return an exchange in which every rank of a group sends a block of `size_bytes` to each."""
    return _steps(StepKind.ALL_TO_ALL, in_group(group), size_bytes=size_bytes)


def gather(size_bytes: int, root: int = 0, *, group: int = 0) -> Steps:
    """Return the collection of `size_bytes` of every rank of a group, in order, at the root."""
    return _steps(StepKind.GATHER, in_group(group), root, size_bytes=size_bytes)


def scatter(size_bytes: int, root: int = 0, *, group: int = 0) -> Steps:
    """Return the distribution of one block of `size_bytes` to each rank of a group by the root."""
    return _steps(StepKind.SCATTER, in_group(group), root, size_bytes=size_bytes)


def reduce_scatter(size_bytes: int, *, group: int = 0) -> Steps:
    """Return a reduction of a block of `size_bytes` for each rank of a group, at that rank."""
    return _steps(StepKind.REDUCE_SCATTER, in_group(group), size_bytes=size_bytes)


def _steps(
    kind: StepKind,
    rank: ArrayLike,
    peer: ArrayLike = 0,
    *,
    size_bytes: ArrayLike = 0,
    tag: ArrayLike = 0,
    compute_s: ArrayLike = 0.0,
    number: ArrayLike = 0,
) -> Steps:
    """Return steps of one kind; scalars hold for all of them."""
    given: tuple[ArrayLike, ...] = (kind, rank, peer, size_bytes, tag, compute_s, number)
    # Most calls make one step, for which the general way takes ten times as long.
    if all(isinstance(column, (int, float)) for column in given):
        columns: Iterable[Any] = zip(given)
    else:
        shape = np.broadcast_shapes((1,), *(np.shape(column) for column in given))
        columns = (np.broadcast_to(column, shape) for column in given)
    typed = zip(_TYPES.items(), columns, strict=True)
    return Steps(**{name: np.array(column, dtype) for (name, dtype), column in typed})


_TYPES: dict[str, type[np.number]] = {
    "kind": np.uint8,
    "rank": np.int32,
    "peer": np.int32,
    "size_bytes": np.uint64,
    "tag": np.uint32,
    "compute_s": np.float64,
    "number": np.uint32,
}
"""Types of the columns of `Steps`."""
