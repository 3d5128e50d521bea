"""The operations of each rank in the form in which they are sent to machines.

Loops stay loops. The messages of a collective are those that the compiled program writes: GOAL text
of the collective alone, read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from linkwright.errors import CapabilityError
from linkwright.hardware.rank_program import CODES, COLLECTIVE_TAGS
from linkwright.program import Program, written_out
from linkwright.workloads.steps import ANY_TAG, COLLECTIVES, EVERY_RANK, StepKind, Steps

__all__ = ["marks_of", "operations_of", "peers_of"]

Operation = list[Any]
CODE = {name: code for code, name in enumerate(CODES)}
TAGS = 1 << 12
"""Tags of one collective."""
REQUESTS = 1 << 33
"""First number of the requests of collectives."""
SENDS = (StepKind.SEND, StepKind.SYNC_SEND)
STARTED_SENDS = (StepKind.START_SEND, StepKind.START_SYNC_SEND)
NAMES = {
    StepKind.SEND: "send",
    StepKind.SYNC_SEND: "sync_send",
    StepKind.START_SEND: "start_send",
    StepKind.START_SYNC_SEND: "start_sync_send",
}
NEEDED = {
    StepKind.DATAGRAM: "datagrams", StepKind.RAW_DATAGRAM: "datagrams",
    StepKind.DISK_READ: "disks", StepKind.DISK_WRITE: "disks", StepKind.DISK_FLUSH: "disks",
    StepKind.STREAM: "streams", StepKind.SIGNAL: "streams", StepKind.WAIT_FOR: "streams",
}  # fmt: skip
"""Features that the programs on machines lack, by the steps that need them."""


def operations_of(program: Program) -> list[list[Operation]]:
    """Return the operations of each rank.

    Raises
    ------
    CapabilityError
        If a step has no counterpart on machines.
    """
    given = program.recipe.ingredients()
    if given.n_background:
        raise CapabilityError(
            "there is no background in the hardware engine", "leave it out, or use --engine packet"
        )
    return _Table(given.steps, given.n_ranks, given.algorithms, program.workload.name).written()


def peers_of(operations: Sequence[Sequence[Operation]]) -> list[list[int]]:
    """Return the other ranks that each rank exchanges messages with."""
    found: list[set[int]] = [set() for _ in operations]
    sending = {CODE[name] for name in NAMES.values()}
    for rank, own in enumerate(operations):
        for one in _flat(own):
            if one[0] in sending and one[1] != rank:
                found[rank].add(one[1])
                found[one[1]].add(rank)
    return [sorted(one) for one in found]


def marks_of(operations: Iterable[Operation]) -> set[int]:
    """Return the numbers of the marks that a rank passes."""
    return {one[1] for one in _flat(operations) if one[0] == CODE["mark"]}


def _flat(operations: Iterable[Operation]) -> Iterator[Operation]:
    for one in operations:
        if one[0] == CODE["repeat"]:
            yield from _flat(one[2] if one[1] else [])
        else:
            yield one


class _Table:
    """A table of steps, and the operations that are written of it."""

    def __init__(self, steps: Steps, n_ranks: int, algorithms: str, workload: str) -> None:
        self.steps, self.n_ranks, self.algorithms = steps, n_ranks, algorithms
        self.workload = workload
        members = steps.kind == StepKind.MEMBER
        self.groups = {
            number: steps.rank[members & (steps.number == number)].tolist()
            for number in set(steps.number[members].tolist())
        }
        self.collectives: dict[tuple[int, ...], list[list[Operation]]] = {}

    def written(self) -> list[list[Operation]]:
        """Return the operations of each rank."""
        stacks: list[list[list[Operation]]] = [[[]] for _ in range(self.n_ranks)]
        counts: list[list[int]] = [[] for _ in range(self.n_ranks)]
        columns = [getattr(self.steps, one.name).tolist() for one in fields(Steps)]
        for row, (kind, rank, *values) in enumerate(zip(*columns, strict=True)):
            for one in self._ranks(rank):
                if kind == StepKind.REPEAT:
                    counts[one].append(values[-1])
                    stacks[one].append([])
                elif kind == StepKind.END_REPEAT:
                    body = stacks[one].pop()
                    stacks[one][-1].append([CODE["repeat"], counts[one].pop(), body])
                elif kind in COLLECTIVES:
                    stacks[one][-1] += self._collective(row)[one]
                elif kind != StepKind.MEMBER:
                    stacks[one][-1].append(self._operation(StepKind(kind), *values))
        return [stack[0] for stack in stacks]

    def _ranks(self, rank: int) -> Sequence[int]:
        if rank == EVERY_RANK:
            return range(self.n_ranks)
        return (rank,) if rank >= 0 else self.groups[EVERY_RANK - rank]

    def _operation(
        self, kind: StepKind, peer: int, size_bytes: int, tag: int, compute_s: float, number: int
    ) -> Operation:
        tag = -1 if tag == ANY_TAG else tag
        match kind:
            case _ if kind in SENDS:
                return [CODE[NAMES[kind]], peer, size_bytes, tag]
            case _ if kind in STARTED_SENDS:
                return [CODE[NAMES[kind]], peer, size_bytes, tag, number]
            case StepKind.RECEIVE:
                return [CODE["receive"], peer, tag]
            case StepKind.START_RECEIVE:
                return [CODE["start_receive"], peer, tag, number]
            case StepKind.WAIT:
                return [CODE["wait"], number]
            case StepKind.WAIT_ALL:
                return [CODE["wait_all"]]
            case StepKind.COMPUTE | StepKind.REST:
                return [CODE["compute" if kind == StepKind.COMPUTE else "rest"], compute_s]
            case StepKind.MARK:
                return [CODE["mark"], number]
        raise CapabilityError(
            f"workload {self.workload} needs {NEEDED[kind]}, which the hardware engine has not",
            "choose another workload, or --engine packet",
        )

    def _collective(self, row: int) -> list[list[Operation]]:
        """Return the operations of each rank in the collective of a row."""
        steps = self.steps
        key = tuple(
            int(getattr(steps, name)[row])
            for name in ("kind", "rank", "peer", "size_bytes", "tag", "number")
        )
        if key not in self.collectives:
            number = len(self.collectives)
            self.collectives[key] = self._written_out(row, COLLECTIVE_TAGS + number * TAGS)
        return self.collectives[key]

    def _written_out(self, row: int, first_tag: int) -> list[list[Operation]]:
        rows = np.append(np.flatnonzero(self.steps.kind == StepKind.MEMBER), row)
        alone = Steps(**{one.name: getattr(self.steps, one.name)[rows] for one in fields(Steps)})
        written = written_out(alone, self.n_ranks, self.algorithms)
        found: list[list[Operation]] = [[] for _ in range(self.n_ranks)]
        open_numbers: list[set[int]] = [set() for _ in range(self.n_ranks)]
        columns = (getattr(written, one.name).tolist() for one in fields(Steps))
        for kind, rank, peer, size, tag, compute_s, number in zip(*columns, strict=True):
            # The user's own requests are not those that the collective waits for.
            if kind == StepKind.WAIT_ALL:
                found[rank] += [[CODE["wait"], one] for one in sorted(open_numbers[rank])]
                open_numbers[rank].clear()
                continue
            own = REQUESTS + number
            if kind in (*STARTED_SENDS, StepKind.START_RECEIVE):
                open_numbers[rank].add(own)
            elif kind == StepKind.WAIT:
                open_numbers[rank].discard(own)
            values = (peer, size, first_tag + tag, compute_s, own)
            found[rank].append(self._operation(StepKind(kind), *values))
        return found
