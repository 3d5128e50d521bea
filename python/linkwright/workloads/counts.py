"""The number of messages and collectives in a table of steps, phase by phase, without a run.

The count is of calls: a collective counts once per rank, with the bytes of its argument (all blocks
together if every rank has one), whatever messages an algorithm makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.records.read_only import ReadOnly
from linkwright.workloads.steps import EVERY_RANK, StepKind, Steps

__all__ = ["CallCount", "count_calls"]

_UNCOUNTED = (
    StepKind.COMPUTE,
    StepKind.MARK,
    StepKind.REPEAT,
    StepKind.END_REPEAT,
    StepKind.DISK_READ,
    StepKind.DISK_WRITE,
    StepKind.DISK_FLUSH,
    StepKind.REST,
    StepKind.MEMBER,
)

_BLOCK_PER_RANK = (StepKind.ALL_TO_ALL, StepKind.SCATTER, StepKind.REDUCE_SCATTER)


@dataclass(frozen=True)
class CallCount(ReadOnly):
    """Calls of ranks in one phase, the part of a program between marks that all ranks pass."""

    phase: int
    """Number of such marks before the phase; each position of a mark counts once."""
    call: StepKind
    calls: NDArray[np.int64]
    """shape (n_ranks,): number of calls by each rank."""
    size_bytes: NDArray[np.int64]
    """shape (n_ranks,): bytes passed by each rank in total; 0 for receives and waits."""


def count_calls(steps: Steps, n_ranks: int) -> list[CallCount]:
    """Return the calls of every rank by phase and kind.

    Examples
    --------
    >>> from linkwright.workloads import AllToAll
    >>> counts = count_calls(AllToAll(size_bytes=10, repeats=3, warm_up=0).steps(4), 4)
    >>> [(one.phase, one.call.name, int(one.calls[0])) for one in counts]
    [(0, 'BARRIER', 1), (1, 'ALL_TO_ALL', 3)]
    """
    times = _passes(steps, n_ranks)
    is_everybodys_mark = (steps.kind == StepKind.MARK) & (steps.rank == EVERY_RANK)
    phase = np.cumsum(is_everybodys_mark)
    found = []
    for number in range(int(phase[-1]) + 1):
        for kind in StepKind:
            chosen = (phase == number) & (steps.kind == kind)
            if kind not in _UNCOUNTED and chosen.any():
                found.append(_counted(steps, times, np.flatnonzero(chosen), number, n_ranks))
    return found


def _counted(
    steps: Steps, times: NDArray[np.int64], rows: NDArray[np.intp], phase: int, n_ranks: int
) -> CallCount:
    kind, scope = StepKind(steps.kind[rows[0]]), steps.rank[rows]
    totals = np.zeros((2, n_ranks), dtype=np.int64)
    amounts = np.stack([times[rows], steps.size_bytes[rows].astype(np.int64) * times[rows]])
    for total, amount in zip(totals, amounts, strict=True):
        np.add.at(total, scope[scope >= 0], amount[scope >= 0])
    for shared in np.unique(scope[scope < 0]).tolist():
        ranks = _ranks_of(steps, shared, n_ranks)
        n_blocks = len(ranks) if kind in _BLOCK_PER_RANK else 1
        totals[:, ranks] += amounts[:, scope == shared].sum(axis=1)[:, None] * [[1], [n_blocks]]
    return CallCount(phase, kind, *totals)


def _ranks_of(steps: Steps, scope: int, n_ranks: int) -> NDArray[np.int32]:
    """Return the ranks that steps of all ranks or of a group are for."""
    if scope == EVERY_RANK:
        return np.arange(n_ranks, dtype=np.int32)
    is_member = (steps.kind == StepKind.MEMBER) & (steps.number == EVERY_RANK - scope)
    members: NDArray[np.int32] = steps.rank[is_member]
    return members


def _passes(steps: Steps, n_ranks: int) -> NDArray[np.int64]:
    """Return the number of executions of each row: the product of the loops around it."""
    times = np.ones(len(steps), dtype=np.int64)
    for begin, end in _loops(steps):
        rank = int(steps.rank[begin])
        inside = np.arange(begin, end)
        if rank >= 0:
            inside = inside[steps.rank[begin:end] == rank]
        elif rank != EVERY_RANK:
            inside = inside[_is_within(steps, steps.rank[begin:end], rank, n_ranks)]
        times[inside] *= int(steps.number[begin])
    return times


def _is_within(
    steps: Steps, scopes: NDArray[np.int32], group: int, n_ranks: int
) -> NDArray[np.bool_]:
    """Return for each scope whether all of its ranks are those of a group."""
    members = _ranks_of(steps, group, n_ranks)
    shared = [
        scope
        for scope in np.unique(scopes[scopes < 0]).tolist()
        if np.isin(_ranks_of(steps, scope, n_ranks), members).all()
    ]
    return np.isin(scopes, members) | np.isin(scopes, shared)


def _loops(steps: Steps) -> Iterator[tuple[int, int]]:
    """Return the first and last row of every loop."""
    open_loops: dict[int, list[int]] = {}
    edges = np.flatnonzero(np.isin(steps.kind, (StepKind.REPEAT, StepKind.END_REPEAT)))
    for row in edges.tolist():
        opened = open_loops.setdefault(int(steps.rank[row]), [])
        if steps.kind[row] == StepKind.REPEAT:
            opened.append(row)
        else:
            yield opened.pop(), row
