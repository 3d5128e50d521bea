"""A workload as a file that every tool plays: who sends what to whom, and waits for what.

The file says "ranks N", "rounds N", and one line "rank send|receive peer bytes" per step; each rank
does its steps in order, as often as there are rounds. A receive waits for that many bytes from that
rank. The lines come from the workload's own steps, so no tool has a definition of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads import Workload
from linkwright.workloads.steps import StepKind, Steps, join, receive, send

__all__ = ["Traffic", "traffic_of"]

_SENDS = (StepKind.SEND, StepKind.START_SEND)
_MOVES = (*_SENDS, StepKind.RECEIVE, StepKind.START_RECEIVE)
_OTHERS = (StepKind.BROADCAST, StepKind.WAIT_ALL)
_SILENT = (StepKind.MARK, StepKind.REPEAT, StepKind.END_REPEAT)


@dataclass(frozen=True, eq=False, kw_only=True)
class Traffic:
    """The steps of every rank in a round: columns of one entry per step, by rank and in order."""

    n_ranks: int
    rounds: int
    rank: NDArray[np.int64]
    is_send: NDArray[np.bool_]
    peer: NDArray[np.int64]
    size_bytes: NDArray[np.int64]

    def text(self) -> str:
        """Return the file."""
        words = np.where(self.is_send, "send", "receive")
        rows = zip(self.rank, words, self.peer, self.size_bytes, strict=True)
        steps = [f"{rank} {word} {peer} {size_bytes}" for rank, word, peer, size_bytes in rows]
        return "\n".join([f"ranks {self.n_ranks}", f"rounds {self.rounds}", *steps, ""])


def traffic_of(workload: Workload, n_nodes: int) -> Traffic:
    """Return the traffic of a workload.

    Parameters
    ----------
    workload : Workload
        Of messages and broadcasts, with at most one loop, which is around all of them.
    n_nodes : int
        Compute nodes of the cluster.

    Raises
    ------
    ValueError
        When it does anything else.
    """
    n_ranks = workload.n_ranks(n_nodes)
    steps = workload.steps(n_ranks)
    rounds = steps.number[steps.kind == StepKind.REPEAT]
    if rounds.size > 1 or not np.isin(steps.kind, [*_MOVES, *_OTHERS, *_SILENT]).all():
        raise ValueError(f"{workload.name} is no loop of messages and broadcasts")
    moves = with_broadcasts_as_messages(steps, n_ranks)
    order = order_of_steps(moves)
    return Traffic(
        n_ranks=n_ranks,
        rounds=int(rounds[0]) if rounds.size else 1,
        rank=moves.rank[order].astype(np.int64),
        is_send=np.isin(moves.kind[order], _SENDS),
        peer=moves.peer[order].astype(np.int64),
        size_bytes=sizes(moves)[order],
    )


def with_broadcasts_as_messages(steps: Steps, n_ranks: int) -> Steps:
    """Return the steps with each broadcast replaced by its messages."""
    parts, begin = [], 0
    for index in np.flatnonzero(steps.kind == StepKind.BROADCAST).tolist():
        root, size_bytes = int(steps.peer[index]), int(steps.size_bytes[index])
        parts += [rows(steps, begin, index), binomial_broadcast(n_ranks, root, size_bytes)]
        begin = index + 1
    return join(*parts, rows(steps, begin, len(steps)))


def rows(steps: Steps, begin: int, end: int) -> Steps:
    """Return a part of a table of steps."""
    return Steps(
        **{column.name: getattr(steps, column.name)[begin:end] for column in fields(Steps)}
    )


def binomial_broadcast(n_ranks: int, root: int, size_bytes: int) -> Steps:
    """Return the messages of a broadcast over a power of two of ranks, longest strides first."""
    if n_ranks & (n_ranks - 1):
        raise ValueError(f"a broadcast over {n_ranks} ranks is not binomial")
    parts = []
    for bit in reversed(range(n_ranks.bit_length() - 1)):
        sender = np.arange(0, n_ranks, 2 << bit)
        source, destination = (sender + root) % n_ranks, (sender + (1 << bit) + root) % n_ranks
        parts += [send(source, destination, size_bytes), receive(destination, source)]
    return join(*parts)


def order_of_steps(steps: Steps) -> NDArray[np.intp]:
    """Return the messages by rank and then in order; who started to receive does so at its wait."""
    row = np.arange(len(steps))
    waits = np.append(np.flatnonzero(steps.kind == StepKind.WAIT_ALL), len(steps))
    when = np.where(steps.kind == StepKind.START_RECEIVE, waits[np.searchsorted(waits, row)], row)
    order = np.lexsort((row, when, steps.rank))
    return order[np.isin(steps.kind[order], _MOVES)]


def sizes(steps: Steps) -> NDArray[np.int64]:
    """Return the size of each message sent or received: the k-th receive of a pair takes the k-th
    send.
    """
    is_send, is_move = np.isin(steps.kind, _SENDS), np.isin(steps.kind, _MOVES)
    is_receive = is_move & ~is_send
    size_bytes = steps.size_bytes.astype(np.int64)
    sent = np.lexsort((np.flatnonzero(is_send), steps.peer[is_send], steps.rank[is_send]))
    received = np.lexsort(
        (np.flatnonzero(is_receive), steps.rank[is_receive], steps.peer[is_receive])
    )
    size_bytes[np.flatnonzero(is_receive)[received]] = size_bytes[is_send][sent]
    return size_bytes
