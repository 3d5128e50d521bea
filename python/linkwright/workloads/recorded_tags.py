"""Messages of different communicators never match: a tag that two of them use gets a number of its
own in all but MPI_COMM_WORLD. Messages of errors have the tags and communicators of the program.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.recorded_rank import COMMUNICATOR, KIND, TAG, Communicator, RankFile
from linkwright.workloads.steps import StepKind

__all__ = ["names_of_communicators", "separate_communicators"]

_MESSAGES = (
    StepKind.SEND,
    StepKind.RECEIVE,
    StepKind.START_SEND,
    StepKind.START_RECEIVE,
    StepKind.SYNC_SEND,
    StepKind.START_SYNC_SEND,
)
_ANY_TAG = -1
_FIRST_TAG = 1 << 29
"""First of the tags that programs are unlikely to use."""

_TAG_BITS = 32

_MOST_RANKS = 8
"""Ranks of a communicator that a message names."""

_Key = tuple[object, ...]
_Known = dict[_Key, Communicator]
"""Communicators by their names; the number of one is its place, from 1 on."""


def separate_communicators(files: list[RankFile]) -> dict[int, str]:
    """Make tags that several communicators use different.

    Receives of any tag get the tag of the message that they took when recorded, as any tag would
    match messages of all communicators. A program of one communicator keeps all its tags.

    Returns
    -------
    dict
        By their numbers, the tags of communicators other than MPI_COMM_WORLD in words.
    """
    known: _Known = {}
    spaces = [_space(file, rank, known) for rank, file in enumerate(files)]
    if not any(space.any() for space in spaces):
        return {}
    for file in files:
        is_wild = (file.rows[:, TAG] == _ANY_TAG) & np.isin(file.rows[:, KIND], _MESSAGES)
        file.rows[is_wild, TAG] = file.found_tags[is_wild]
    pairs = [
        (space << _TAG_BITS) + file.rows[:, TAG] for file, space in zip(files, spaces, strict=True)
    ]
    is_message = [np.isin(file.rows[:, KIND], _MESSAGES) for file in files]
    used = np.unique(
        np.concatenate([found[chosen] for found, chosen in zip(pairs, is_message, strict=True)])
    )
    tags = _different_tags(used)
    for file, found, chosen in zip(files, pairs, is_message, strict=True):
        is_known = chosen & (file.rows[:, TAG] != _ANY_TAG)
        file.rows[is_known, TAG] = tags[np.searchsorted(used, found[is_known])]
    texts = [_text(one) for one in known.values()]
    return {
        int(tag): f"tag {pair & ((1 << _TAG_BITS) - 1)} of {texts[(pair >> _TAG_BITS) - 1]}"
        for tag, pair in zip(tags, used.tolist(), strict=True)
        if pair >> _TAG_BITS > 0
    }


def _text(one: Communicator) -> str:
    """Return a communicator in words: its number in the file of its first rank, and its ranks."""
    sides = [
        ", ".join(map(str, side[:_MOST_RANKS])) + (", ..." if len(side) > _MOST_RANKS else "")
        for side in one.sides
    ]
    return f"communicator {one.number} (ranks {' and '.join(sides)})"


def _different_tags(used: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a tag for each pair of communicator and tag; a tag of one communicator stays."""
    tags = used & ((1 << _TAG_BITS) - 1)
    _, place, n_users = np.unique(tags, return_inverse=True, return_counts=True)
    is_shared = (n_users[place] > 1) & (used >> _TAG_BITS > 0)
    free = np.arange(_FIRST_TAG, _FIRST_TAG + 2 * len(tags))
    free = free[~np.isin(free, tags)]
    tags[is_shared] = free[: is_shared.sum()]
    return tags


def _space(file: RankFile, rank: int, known: _Known) -> NDArray[np.int64]:
    """Return the communicator of each message, by a number that all files share.

    It is 0 for MPI_COMM_WORLD, for rows that are no messages, and for receives of any tag that took
    none.
    """
    keys = names_of_communicators(file, rank)
    number = np.zeros(max(keys, default=0) + 1, dtype=np.int64)
    numbers = {key: place for place, key in enumerate(known, start=1)}
    for one in file.communicators:
        key = keys[one.number]
        if one.number > 0 and key not in known:
            known[key] = one
            numbers[key] = len(known)
        number[one.number] = numbers[key] if one.number > 0 else 0
    is_message = np.isin(file.rows[:, KIND], _MESSAGES)
    is_unknown = (file.rows[:, TAG] == _ANY_TAG) & (file.found_tags == _ANY_TAG)
    return np.where(is_message & ~is_unknown, number[file.rows[:, COMMUNICATOR]], 0)


def names_of_communicators(file: RankFile, rank: int) -> dict[int, _Key]:
    """Return by number a name of each communicator, the same in the files of all its ranks.

    All of them make communicators of the same origin and ranks in the same order.
    """
    keys: dict[int, _Key] = {}
    n_same: Counter[_Key] = Counter()
    for one in file.communicators:
        origin = keys.get(one.origin)
        key = (origin, one.tag, one.sides, rank if one.number == 1 else None)
        keys[one.number] = (*key, n_same[key])
        n_same[key] += 1
    return keys
