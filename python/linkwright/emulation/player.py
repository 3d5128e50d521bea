"""The players of a program: one process per rank, each inside its node, under a first process that
starts them together and collects their marks.

It runs inside the sandbox as `python -m linkwright.emulation.player`. A job comes by
standard input, `ready` goes to standard output when all are connected; the start, in seconds of the
machine's monotonic clock, comes next, and then the marks go.
"""

from __future__ import annotations

import os
import pickle
import select
import struct
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from linkwright._core import Player, machine_time_s
from linkwright.emulation.init import FOLDER
from linkwright.emulation.priority import PLAYERS, hurry
from linkwright.errors import RunError
from linkwright.program import compile_program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linkwright.calibrations import Calibration
    from linkwright.emulation.deaths import Death
    from linkwright.program import Program
    from linkwright.workloads import Background, Workload

__all__ = ["START", "Job"]

PORT = 7077
"""TCP port at which ranks listen, each in a network of its own."""
GO = b"g"
"""Word to a player: all others listen."""
START = struct.Struct("=d")
GRACE_S = 0.5
"""Real time that a rank has to say that it ended before its node failed."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A program and the places of its ranks.

    Attributes
    ----------
    workload : Workload
        The workload at the speed of its hosts.
    background : Background or None
        Traffic of the front end.
    hosts : Calibration
        Hosts, for their message library.
    n_compute : int
        Compute nodes of the cluster.
    nodes : sequence of str
        Name of the node of each rank.
    addresses : sequence of str
        Address of each rank.
    constants : mapping
        Constants of the hosts, as the compiled core takes them.
    dilation : float
        Real seconds for one second of the program.
    deaths : sequence of Death
        Failures of nodes with ranks that are awaited, the first one first.
    """

    workload: Workload
    background: Background | None
    hosts: Calibration
    n_compute: int
    nodes: Sequence[str]
    addresses: Sequence[str]
    constants: Mapping[str, object]
    dilation: float
    deaths: Sequence[Death] = ()


def main() -> None:
    """Start a player for every rank, let them play together, and return their answers."""
    given, returned = sys.stdin.buffer, sys.stdout.buffer
    try:
        answers = _played(given, returned)
    except Exception as error:
        answers = error
    _say(returned, answers)


def _played(given: BinaryIO, returned: BinaryIO) -> Any:
    job: Job = pickle.load(given)
    program = compile_program(
        job.workload, job.n_compute, hosts=job.hosts, background=job.background
    )
    hurry(PLAYERS)
    players = [_Child.start(job, program, rank) for rank in range(program.n_ranks)]
    for player in players:
        player.answer()
    for player in players:
        player.tell(GO)
    for player in players:
        player.answer()
    _say(returned, "ready")
    start = given.read(START.size)
    for player in players:
        player.tell(start)
    awaited = players[: program.n_awaited]
    _expect_lives(awaited, job, *START.unpack(start))
    return [player.answer() for player in awaited]


def _expect_lives(players: Sequence[_Child], job: Job, start_s: float) -> None:
    """Wait until no rank can die any more.

    Raises
    ------
    RunError
        If one dies before it has ended.
    """
    waiting = list(players)
    for death in job.deaths:
        end_s = start_s + death.at_s * job.dilation + GRACE_S
        while waiting and (left_s := end_s - machine_time_s()) > 0:
            ended = select.select(waiting, [], [], left_s)[0]
            waiting = [player for player in waiting if player not in ended]
        if players[death.rank] in waiting:
            raise RunError(death.text, "let the node fail after the workload")


class _Child:
    """A player, as the first process sees it."""

    def __init__(self, reads: BinaryIO, writes: BinaryIO) -> None:
        self._reads, self._writes = reads, writes

    @classmethod
    def start(cls, job: Job, program: Program, rank: int) -> _Child:
        """Fork a player."""
        told, tells = os.pipe(), os.pipe()
        if not os.fork():
            os.close(told[1])
            os.close(tells[0])
            _play(job, program, rank, os.fdopen(told[0], "rb"), os.fdopen(tells[1], "wb"))
        os.close(told[0])
        os.close(tells[1])
        return cls(os.fdopen(tells[0], "rb"), os.fdopen(told[1], "wb"))

    def fileno(self) -> int:
        """Return the descriptor by which it answers."""
        return self._reads.fileno()

    def tell(self, word: bytes) -> None:
        """Send a word."""
        self._writes.write(word)
        self._writes.flush()

    def answer(self) -> Any:
        """Return the next answer of the player, or raise its error."""
        found = pickle.load(self._reads)
        if isinstance(found, Exception):
            raise found
        return found


def _play(job: Job, program: Program, rank: int, told: BinaryIO, tells: BinaryIO) -> NoReturn:
    """Play the part of a rank in its node; never returns."""
    try:
        node = job.nodes[rank]
        namespaces = [str(FOLDER / kind / node) for kind in ("net", "uts")]
        player = Player(rank, namespaces, job.addresses[rank], PORT)
        _say(tells, "listening")
        told.read(len(GO))
        player.connect(program.core, list(job.addresses), PORT)
        _say(tells, "connected")
        (start_s,) = START.unpack(told.read(START.size))
        _say(tells, player.play(program.core, job.constants, start_s, job.dilation))
    except Exception as error:
        _say(tells, error)
    # The connections stay until all others are done.
    told.read()
    os._exit(0)


def _say(tells: BinaryIO, answer: object) -> None:
    pickle.dump(answer, tells)
    tells.flush()


if __name__ == "__main__":
    main()
