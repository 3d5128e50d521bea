"""The collectives of a recording: the groups of ranks that enter them, and one order of all of them
that is that of each rank's file.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import UsageError
from linkwright.workloads.recorded_rank import BYTES, COMMUNICATOR, KIND, RankFile, Rows
from linkwright.workloads.steps import COLLECTIVES

__all__ = ["RecordedCollectives", "collectives_of"]

_REMEDY = "record the program again; all files must be of one run"

Ints = NDArray[np.int64]
_Ranks = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class RecordedCollectives:
    """The collectives of all ranks, in an order that every rank keeps."""

    groups: tuple[_Ranks, ...]
    """The ranks of each group; first those of all ranks."""
    group: Ints
    """shape (n,): the group of each collective."""
    rows: Rows
    """shape (n, 7): their rows, each with the largest size of any rank."""
    is_collective: list[NDArray[np.bool_]]
    """Per rank: whether a row is a collective."""
    places: list[Ints]
    """Per rank: the places of its collectives in the order of all."""


def collectives_of(files: list[RankFile], source: str) -> RecordedCollectives:
    """Return the collectives of a recording; `source` names it in messages.

    Raises
    ------
    UsageError
        If ranks of a group do not enter the same collectives, or not in one order.
    """
    groups: dict[_Ranks, int] = {tuple(range(len(files))): 0}
    is_collective = [np.isin(file.rows[:, KIND], COLLECTIVES) for file in files]
    entered = [file.rows[chosen] for file, chosen in zip(files, is_collective, strict=True)]
    of_group = [
        _group_of_each(file, rows, groups) for file, rows in zip(files, entered, strict=True)
    ]
    ranks = tuple(groups)
    rows, first = _rows_of_groups(ranks, entered, of_group, source)
    ids = [first[group] + _count_so_far(group) for group in of_group]
    order = np.arange(len(rows)) if len(ranks) == 1 else _order(ids, len(rows), source)
    place = np.argsort(order)
    group_of_row = np.repeat(np.arange(len(ranks)), np.diff(np.append(first, len(rows))))
    return RecordedCollectives(
        ranks, group_of_row[order], rows[order], is_collective, [place[own] for own in ids]
    )


def _group_of_each(file: RankFile, rows: Rows, groups: dict[_Ranks, int]) -> Ints:
    """Return the group of each collective of a rank, and number new groups.

    Communicators with the same ranks in the same order are one group: a program enters collectives
    of both in the same order on all of them.
    """
    numbers = rows[:, COMMUNICATOR]
    found = np.zeros(len(rows), dtype=np.int64)
    sides = {one.number: one.sides for one in file.communicators}
    for number in np.unique(numbers).tolist():
        if number in sides and number > 0:
            found[numbers == number] = groups.setdefault(sides[number][0], len(groups))
    return found


def _rows_of_groups(
    groups: tuple[_Ranks, ...], entered: list[Rows], of_group: list[Ints], source: str
) -> tuple[Rows, Ints]:
    """Return the collectives group by group, and the place of the first of each group."""
    parts = []
    for group, ranks in enumerate(groups):
        members = [entered[rank][of_group[rank] == group] for rank in ranks]
        common = members[0].copy()
        for rank, other in zip(ranks, members, strict=True):
            same = len(other) == len(common) and np.array_equal(other[:, :BYTES], common[:, :BYTES])
            if not same:
                raise UsageError(
                    f"{source}: ranks {ranks[0]} and {rank} do not enter the same "
                    f"collectives{_named(ranks, len(entered))}",
                    _REMEDY,
                )
            common[:, BYTES] = np.maximum(common[:, BYTES], other[:, BYTES])
        parts.append(common)
    first = np.cumsum([0, *map(len, parts[:-1])])
    return np.concatenate(parts), first


def _named(ranks: _Ranks, n_ranks: int) -> str:
    """Return the ranks of a group for a message; nothing for all ranks."""
    if len(ranks) == n_ranks:
        return ""
    return f" of the communicator of ranks {', '.join(map(str, ranks[:8]))}" + (
        ", ..." if len(ranks) > 8 else ""
    )


def _count_so_far(values: Ints) -> Ints:
    """Return how many equal values each has before it.

    Examples
    --------
    >>> _count_so_far(np.array([5, 5, 7, 5])).tolist()
    [0, 1, 0, 2]
    """
    order = np.argsort(values, kind="stable")
    begins = np.flatnonzero(np.append(True, np.diff(values[order]) != 0)[: len(values)])
    lengths = np.diff(np.append(begins, len(values)))
    found = np.empty(len(values), dtype=np.int64)
    found[order] = np.arange(len(values)) - np.repeat(begins, lengths)
    return found


def _order(ids: list[Ints], n: int, source: str) -> Ints:
    """Return the collectives in an order that is that of each rank: those that all of their ranks
    have reached, the earliest first.
    """
    n_missing = np.bincount(np.concatenate(ids), minlength=n)
    sequences, reached = [own.tolist() for own in ids], [0] * len(ids)
    of_rank: list[list[int]] = [[] for _ in range(n)]
    for rank, own in enumerate(sequences):
        for collective in own:
            of_rank[collective].append(rank)
    order: list[int] = []
    moving = deque(range(len(ids)))
    while moving:
        rank = moving.popleft()
        if reached[rank] == len(sequences[rank]):
            continue
        collective = sequences[rank][reached[rank]]
        n_missing[collective] -= 1
        if n_missing[collective] == 0:
            order.append(collective)
            for member in of_rank[collective]:
                reached[member] += 1
                moving.append(member)
    if len(order) < n:
        raise UsageError(f"{source}: ranks wait for each other in collectives", _REMEDY)
    return np.array(order, dtype=np.int64)
