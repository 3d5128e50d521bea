"""Locks of one-sided operations, which the library of a target grants: exclusive ones exclude all
others, shared ones the exclusive ones. They are granted in the order in which they are asked for.

Each window has two events at a target. One is the turn, which an exclusive lock keeps and a shared
one passes on. Of the other there is a signal for each rank that takes shared locks: a shared lock
uses up one, an exclusive lock all. Windows whose locks never wait for each other have no events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.recorded_rank import COMMUNICATOR, KIND, NUMBER, PEER, TAG, RankFile, Rows
from linkwright.workloads.recorded_tags import names_of_communicators
from linkwright.workloads.steps import StepKind

__all__ = ["REQUEST_TAG", "TAGS_OF_REQUESTS", "LocksOfTarget", "locks_of_targets", "requests"]

REQUEST_TAG = (1 << 30) - 3
"""Tag of the recorder's messages to the library of a target."""
_EXCLUSIVE_TAG, _SHARED_TAG, _UNLOCK_TAG = (1 << 30) - 7, (1 << 30) - 8, (1 << 30) - 9
TAGS_OF_REQUESTS = (REQUEST_TAG, _EXCLUSIVE_TAG, _SHARED_TAG, _UNLOCK_TAG)
"""Tags of all of these messages, those of locks among them."""

_Window = tuple[object, ...]
"""The name of a window in all files."""


def requests(rows: Rows) -> NDArray[np.bool_]:
    """Return whether each row is a message to the library of a target."""
    is_sent: NDArray[np.bool_] = rows[:, KIND] == StepKind.START_SEND
    return is_sent & np.isin(rows[:, TAG], TAGS_OF_REQUESTS)


@dataclass(frozen=True)
class _Lock:
    """The locks of one window at one target: its callers by kind, and the events."""

    exclusive: frozenset[int]
    shared: frozenset[int]
    turn: int
    free: int

    def may_wait(self) -> bool:
        """Return whether a lock may have to wait for another rank's."""
        return bool(self.exclusive) and len(self.exclusive | self.shared) > 1

    def granted(self, *, is_exclusive: bool) -> Rows:
        """Return the steps after which the lock is held."""
        if is_exclusive:
            return _events(StepKind.WAIT_FOR, [self.turn] + len(self.shared) * [self.free])
        turn = _events(StepKind.WAIT_FOR, [self.turn]), _events(StepKind.SIGNAL, [self.turn])
        return np.concatenate([*turn, _events(StepKind.WAIT_FOR, [self.free])])

    def given_back(self, *, is_exclusive: bool) -> Rows:
        """Return the steps that end the lock; without any held, the steps that make it free."""
        n_free = len(self.shared) if is_exclusive else 1
        return _events(StepKind.SIGNAL, n_free * [self.free] + is_exclusive * [self.turn])


@dataclass(frozen=True)
class LocksOfTarget:
    """The locks at one target whose holders may wait for each other, by window."""

    locks: dict[_Window, _Lock]

    def made_free(self) -> Rows:
        """Return the steps that come before all others."""
        return np.concatenate(
            [_events(StepKind.SIGNAL, [])]
            + [lock.given_back(is_exclusive=True) for lock in self.locks.values()]
        )

    def with_locks(self, served: Rows, windows: dict[int, _Window]) -> Rows:
        """Return the rows that serve one caller with the steps of its locks, each behind its
        request; `windows` names the caller's windows.
        """
        is_exclusive: dict[_Window, bool] = {}
        places, steps = [], []
        for place in np.flatnonzero(np.isin(served[:, TAG], TAGS_OF_REQUESTS[1:])).tolist():
            tag, window = int(served[place, TAG]), windows.get(int(served[place, COMMUNICATOR]), ())
            lock = self.locks.get(window)
            if lock is None:
                continue
            if tag == _UNLOCK_TAG:
                steps.append(lock.given_back(is_exclusive=is_exclusive.pop(window, False)))
            else:
                is_exclusive[window] = tag == _EXCLUSIVE_TAG
                steps.append(lock.granted(is_exclusive=tag == _EXCLUSIVE_TAG))
            places.append(place + 1)
        counts = [len(rows) for rows in steps]
        if not places:
            return served
        return np.insert(served, np.repeat(places, counts), np.concatenate(steps), axis=0)


def locks_of_targets(
    files: list[RankFile],
) -> tuple[list[LocksOfTarget], list[dict[int, _Window]]]:
    """Return the locks at each target, and by rank the names of its windows."""
    windows = [names_of_communicators(file, rank) for rank, file in enumerate(files)]
    callers: list[dict[_Window, tuple[set[int], set[int]]]] = [{} for _ in files]
    for caller, target, number, is_exclusive in _taken(files):
        exclusive, shared = callers[target].setdefault(
            windows[caller].get(number, ()), (set(), set())
        )
        (exclusive if is_exclusive else shared).add(caller)
    found = []
    for file, of_target in zip(files, callers, strict=True):
        first = _last_event(file.rows) + 1
        locks = {
            window: _Lock(frozenset(kinds[0]), frozenset(kinds[1]), event, event + 1)
            for (window, kinds), event in zip(
                of_target.items(), range(first, first + 2 * len(of_target), 2), strict=True
            )
        }
        waiting = {window: lock for window, lock in locks.items() if lock.may_wait()}
        found.append(LocksOfTarget(waiting))
    return found, windows


def _taken(files: Iterable[RankFile]) -> Iterator[tuple[int, int, int, bool]]:
    """Return caller, target, number of the window, and whether it is exclusive, of each kind of
    lock that a rank takes.
    """
    for caller, file in enumerate(files):
        is_lock = requests(file.rows) & np.isin(file.rows[:, TAG], (_EXCLUSIVE_TAG, _SHARED_TAG))
        kinds = np.unique(file.rows[is_lock][:, (PEER, COMMUNICATOR, TAG)], axis=0)
        for target, number, tag in kinds.tolist():
            yield caller, target, number, tag == _EXCLUSIVE_TAG


def _last_event(rows: Rows) -> int:
    is_event = np.isin(rows[:, KIND], (StepKind.SIGNAL, StepKind.WAIT_FOR))
    return int(rows[is_event, NUMBER].max(initial=-1))


def _events(kind: StepKind, numbers: list[int]) -> Rows:
    """Return the steps that signal events or wait for them."""
    rows = np.zeros((len(numbers), COMMUNICATOR + 1), dtype=np.int64)
    rows[:, KIND], rows[:, NUMBER] = kind, numbers
    return rows
