"""The processes of a program: one per rank, each inside its node, under a first process that starts
them together and collects their marks. Ranks of one node talk through the loopback of its kernel.

It runs inside the sandbox as `python -m linkwright.emulation.rank_processes`, and speaks
`protocol.py` on standard input and output.
"""

from __future__ import annotations

import os
import select
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING, Any, NoReturn, Self

from linkwright._core import Player, machine_time_s, unpacked_program
from linkwright.emulation.deaths import Death
from linkwright.emulation.init import FOLDER
from linkwright.emulation.priority import RANKS, hurry
from linkwright.emulation.protocol import expected, say
from linkwright.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linkwright._core import Program

__all__ = ["Job"]

PORT = 7077
"""TCP port at which the first rank of each node listens; the next ones have the ports above."""
GRACE_S = 0.5
"""Real time that a rank has to say that it ended before its node failed."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A program and the places of its ranks.

    Attributes
    ----------
    packed : bytes
        A packed run, whose first program is executed.
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

    packed: bytes
    nodes: Sequence[str]
    addresses: Sequence[str]
    constants: Mapping[str, object]
    dilation: float
    deaths: Sequence[Death] = ()

    @property
    def ports(self) -> list[int]:
        """TCP port of each rank."""
        n_before: Counter[str] = Counter()
        found = []
        for node in self.nodes:
            found.append(PORT + n_before[node])
            n_before[node] += 1
        return found

    def say(self, stream: IO[bytes]) -> None:
        """Write the job."""
        fields = asdict(self)
        packed = fields.pop("packed")
        say(stream, "job", fields, packed)

    @classmethod
    def heard(cls, stream: IO[bytes]) -> Self:
        """Return the job that another program has written."""
        fields, packed = expected(stream, "job")
        deaths = [Death(**one) for one in fields.pop("deaths")]
        constants = _with_tuples(fields.pop("constants"))
        return cls(packed=packed, deaths=deaths, constants=constants, **fields)


def _with_tuples(value: Any) -> Any:
    """Return a JSON value with tuples in place of lists, as the compiled core takes constants."""
    if isinstance(value, dict):
        return {name: _with_tuples(one) for name, one in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


def main() -> None:
    """Start a process for every rank, let them begin together, and return their answers."""
    given, returned = sys.stdin.buffer, sys.stdout.buffer
    try:
        answers: object = _executed(given, returned)
    except Exception as error:
        answers = error
    say(returned, "said", answers)


def _executed(given: IO[bytes], returned: IO[bytes]) -> list[Any]:
    job = Job.heard(given)
    program = unpacked_program(job.packed)
    hurry(RANKS)
    ranks = [_RankProcess.start(job, program, rank) for rank in range(program.n_ranks)]
    for one in ranks:
        one.answer()
    for one in ranks:
        one.tell("go", True)
    for one in ranks:
        one.answer()
    say(returned, "said", "ready")
    start_s = float(expected(given, "start_s")[0])
    for one in ranks:
        one.tell("start_s", start_s)
    awaited = ranks[: program.n_awaited]
    _expect_lives(awaited, job, start_s)
    return [one.answer() for one in awaited]


def _expect_lives(ranks: Sequence[_RankProcess], job: Job, start_s: float) -> None:
    """Wait until no rank can die any more.

    Raises
    ------
    RunError
        If one dies before it has ended.
    """
    waiting = list(ranks)
    for death in job.deaths:
        end_s = start_s + death.at_s * job.dilation + GRACE_S
        while waiting and (left_s := end_s - machine_time_s()) > 0:
            ended = select.select(waiting, [], [], left_s)[0]
            waiting = [one for one in waiting if one not in ended]
        if ranks[death.rank] in waiting:
            raise RunError(death.text, "let the node fail after the workload")


class _RankProcess:
    """The process of a rank, as the first process sees it."""

    def __init__(self, reads: IO[bytes], writes: IO[bytes]) -> None:
        self._reads, self._writes = reads, writes

    @classmethod
    def start(cls, job: Job, program: Program, rank: int) -> _RankProcess:
        """Fork a process."""
        told, tells = os.pipe(), os.pipe()
        if not os.fork():
            os.close(told[1])
            os.close(tells[0])
            _be_rank(job, program, rank, os.fdopen(told[0], "rb"), os.fdopen(tells[1], "wb"))
        os.close(told[0])
        os.close(tells[1])
        return cls(os.fdopen(tells[0], "rb"), os.fdopen(told[1], "wb"))

    def fileno(self) -> int:
        """Return the descriptor by which it answers."""
        return self._reads.fileno()

    def tell(self, word: str, value: object) -> None:
        """Send a word."""
        say(self._writes, word, value)

    def answer(self) -> Any:
        """Return the next answer of the process, or raise its error."""
        return expected(self._reads, "said")[0]


def _be_rank(job: Job, program: Program, rank: int, told: IO[bytes], tells: IO[bytes]) -> NoReturn:
    """Carry out the part of a rank in its node; never returns."""
    try:
        node = job.nodes[rank]
        namespaces = [str(FOLDER / kind / node) for kind in ("net", "uts")]
        own = Player(rank, namespaces, job.addresses[rank], job.ports[rank])
        say(tells, "said", "listening")
        expected(told, "go")
        own.connect(program, list(job.addresses), job.ports)
        say(tells, "said", "connected")
        start_s, _ = expected(told, "start_s")
        say(tells, "said", own.play(program, job.constants, start_s, job.dilation))
    except Exception as error:
        say(tells, "said", error)
    # The connections stay until all others are done.
    told.read()
    os._exit(0)


if __name__ == "__main__":
    main()
