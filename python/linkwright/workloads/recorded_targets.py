"""The library of a target of one-sided operations: it takes the messages of the rank that calls,
and sends back the data and acknowledgements that this rank waits for.

A target makes no call, so its file has no rows of this. They are the rows of each caller the other
way round, in their order: one stream of the target for each caller, which its process serves while
it is in a call.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwright.workloads.recorded_locks import (
    REQUEST_TAG,
    TAGS_OF_REQUESTS,
    locks_of_targets,
    requests,
)
from linkwright.workloads.recorded_rank import (
    BYTES,
    COMMUNICATOR,
    COMPUTE_NS,
    KIND,
    NUMBER,
    PEER,
    TAG,
    RankFile,
    Rows,
)
from linkwright.workloads.steps import PROCESS, StepKind

__all__ = ["streams_of_targets"]

_REPLY_TAG = (1 << 30) - 4
"""Tag of the recorder's messages back from the library of a target."""
_NO_ROWS: Rows = np.zeros((0, COMMUNICATOR + 1), dtype=np.int64)


def streams_of_targets(files: list[RankFile]) -> list[Rows]:
    """Return the rows of the streams of each rank by which it serves others.

    The replies that callers wait for lose their size, which receives do not have. All requests get
    one tag, and lose the name of their window.
    """
    locks, windows = locks_of_targets(files)
    last = [_last_stream(file.rows) for file in files]
    found: list[list[Rows]] = [[] for _ in files]
    for target, own in enumerate(locks):
        if len(free := own.made_free()):
            last[target] += 1
            found[target] += [_turn_to(last[target]), free]
    for caller, file in enumerate(files):
        for target, served in _served(caller, file.rows):
            last[target] += 1
            with_locks = locks[target].with_locks(served, windows[caller])
            found[target] += [_turn_to(last[target]), _of_one_tag(with_locks)]
        rows = _of_one_tag(file.rows)
        is_reply = (rows[:, KIND] == StepKind.START_RECEIVE) & (rows[:, TAG] == _REPLY_TAG)
        rows[is_reply, BYTES] = 0
    return [np.concatenate([*turns, _turn_to(0)]) if turns else _NO_ROWS for turns in found]


def _of_one_tag(rows: Rows) -> Rows:
    """Return rows whose requests, locks among them, differ no more; they are changed in place."""
    is_request = np.isin(rows[:, TAG], TAGS_OF_REQUESTS)
    rows[is_request, TAG] = REQUEST_TAG
    rows[is_request, COMMUNICATOR] = 0
    return rows


def _last_stream(rows: Rows) -> int:
    """Return the largest number of a stream in a file; each begins with stream 0."""
    return int(rows[rows[:, KIND] == StepKind.STREAM, NUMBER].max(initial=0))


def _turn_to(stream: int) -> Rows:
    """Return the row by which the following ones are of another stream of the process."""
    row = np.zeros((1, _NO_ROWS.shape[1]), dtype=np.int64)
    row[0, KIND], row[0, PEER], row[0, NUMBER] = StepKind.STREAM, PROCESS, stream
    return row


def _served(caller: int, rows: Rows) -> Iterator[tuple[int, Rows]]:
    """Return each target of a rank, with what its library does for that rank."""
    is_reply = (rows[:, KIND] == StepKind.START_RECEIVE) & (rows[:, TAG] == _REPLY_TAG)
    called = rows[requests(rows) | is_reply].copy()
    called[:, COMPUTE_NS] = called[:, NUMBER] = 0
    sends_back = called[:, KIND] == StepKind.START_RECEIVE
    called[:, KIND] = np.where(sends_back, StepKind.SEND, StepKind.RECEIVE)
    called[~sends_back, BYTES] = 0
    for target in np.unique(called[:, PEER]).tolist():
        served = called[called[:, PEER] == target]
        served[:, PEER] = caller
        yield target, served
