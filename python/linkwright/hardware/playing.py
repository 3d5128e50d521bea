"""A program played by processes on machines: connected, started at one time, and its marks in the
time of one clock.

The protocol has one version (`agent_program.VERSION`), and its commands come in this order: `ranks`
starts the processes and `connect` joins them; `clock` and `align` compare the clocks; `counters`;
`play` from a time on; `counters`, `align`, `release`.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from linkwright.errors import RunError
from linkwright.hardware.answers import Counters, Lead, Played, Ports, checked, expect_answer
from linkwright.hardware.clocks import Alignment, Clock
from linkwright.hardware.fleet import Fleet
from linkwright.hardware.operations import marks_of, peers_of

__all__ = ["Performance", "perform", "verdict_of"]

LEAD_NS = 300_000_000
"""Time from the order to start to the start, in which all machines hear it."""
PLAYED: TypeAdapter[list[Played]] = TypeAdapter(list[Played])
RULE = (("faithful", 0.05), ("stretched", 0.5))
"""Words with the largest share of the run for which ranks wait for a processor of their machine."""
MOST_ASTRAY = 0.01
"""Share of the bytes on other interfaces from which on a plane is wrong."""
LEAST_ASTRAY_BYTES = 100_000
NS = 1e-9


@dataclass(frozen=True, eq=False)
class Performance:
    """A program that was played.

    Attributes
    ----------
    mark, rank : ndarray of uint32
    time_s : ndarray of float64
        Seconds since the start, by the reference's clock.
    span_s : float
        Seconds from the start to the end of the last rank.
    clock_error_s : float
        Largest error between two clocks.
    late_s : float
        Time after the start at which the last rank heard of it.
    waited : float
        Mean share of the run for which a rank waited for a processor.
    counters : mapping of str to Counters
        What was added to the counters of each machine.
    nics : mapping of str to tuple of str
        Interfaces of the fabric by node.
    """

    mark: NDArray[np.uint32]
    rank: NDArray[np.uint32]
    time_s: NDArray[np.float64]
    span_s: float
    clock_error_s: float
    late_s: float
    waited: float
    counters: Mapping[str, Counters]
    nics: Mapping[str, tuple[str, ...]]

    @property
    def word(self) -> str:
        """The judgement: "faithful", "stretched" or "invalid"."""
        return verdict_of(self.waited)

    @property
    def verdict(self) -> str:
        """The verdict with its rule, in a sentence."""
        return (
            f"{self.word}: ranks waited for a processor {self.waited:.1%} of the time (up to "
            f"{RULE[0][1]:.0%} is faithful, up to {RULE[1][1]:.0%} stretched), and clocks agree to "
            f"{self.clock_error_s * 1e6:.0f} us"
        )

    @property
    def remarks(self) -> list[str]:
        """The verdict, and whatever makes the figures doubtful."""
        found = [self.verdict]
        if self.late_s > 0:
            found.append(f"a rank started {self.late_s * 1e3:.0f} ms late: its machine heard late")
        return found + [
            f"wrong plane: {nic} of {node} carried {n / 1e6:.1f} MB during the run, and is not of "
            "the fabric"
            for node, nic, n in self.astray
        ]

    @property
    def astray(self) -> list[tuple[str, str, int]]:
        """Node, interface and bytes of the traffic on interfaces outside the fabric."""
        found = []
        for node, one in self.counters.items():
            sums = {nic: sum(own.get(f"{way}_bytes", 0) for way in ("rx", "tx"))
                    for nic, own in one.nics.items()}  # fmt: skip
            least = max(LEAST_ASTRAY_BYTES, MOST_ASTRAY * sum(sums.values()))
            found += [
                (node, nic, n)
                for nic, n in sums.items()
                if nic not in self.nics[node] and n > least
            ]
        return found

    @property
    def n_retransmitted(self) -> int:
        """TCP segments that the machines sent again."""
        return sum(one.tcp.get("RetransSegs", 0) for one in self.counters.values())


def verdict_of(waited_share: float) -> str:
    """Return the word for a share of a run: "faithful", "stretched" or "invalid"."""
    return next((word for word, most in RULE if waited_share <= most), "invalid")


def perform(
    fleet: Fleet,
    nodes: Sequence[str],
    operations: Sequence[Sequence[Any]],
    *,
    rendezvous_from: int,
) -> Performance:
    """Play a program.

    Parameters
    ----------
    fleet : Fleet
    nodes : sequence of str
        Node of each rank.
    operations : sequence of sequence
        Operations of each rank; those without any have no process.
    rendezvous_from : int
        Smallest message, in bytes, that is sent by rendezvous.

    Raises
    ------
    RunError
        If a machine does not answer, or a connection fails or would leave the fabric.
    """
    stage = _Stage(fleet, nodes, operations, rendezvous_from)
    try:
        return stage.played()
    finally:
        stage.release()


class _Stage:
    """The ranks of a program on their machines."""

    def __init__(
        self,
        fleet: Fleet,
        nodes: Sequence[str],
        operations: Sequence[Sequence[Any]],
        rendezvous_from: int,
    ) -> None:
        self.fleet, self.nodes, self.operations = fleet, nodes, operations
        self.rendezvous_from = rendezvous_from
        self.peers = peers_of(operations)
        self.ranks: dict[str, list[int]] = {}
        for rank, own in enumerate(operations):
            if own:
                self.ranks.setdefault(fleet.place(nodes[rank]).name, []).append(rank)
        self.reference = next(iter(self.ranks))

    def played(self) -> Performance:
        """Return the program as it was played."""
        self.fleet.expect_fabric(
            [
                (self.nodes[rank], self.nodes[peer])
                for rank, own in enumerate(self.peers)
                for peer in own
            ]
        )
        self._connect()
        clock = self.fleet.places[self.reference].address
        port = self._ask("clock", {self.reference: clock}, Ports)[self.reference][0]
        before = self._aligned(clock, port)
        counters = self.fleet.counters()
        start_ns = self._now_ns() + LEAD_NS
        answers = self.fleet.work(
            "play", {node: start_ns - before[node].lead_ns for node in self.ranks}
        )
        found = {node: self._played(one, node) for node, one in answers.items()}
        after = self._aligned(clock, port)
        clocks = {node: Clock(before[node], after[node]) for node in self.ranks}
        grown = {node: one.since(counters[node]) for node, one in self.fleet.counters().items()}
        return self._performance(found, clocks, start_ns, grown)

    def release(self) -> None:
        """End the processes of ranks; machines that do not answer have ended them."""
        for node in self.ranks:
            try:
                self.fleet.ask("release", {node: None})
            except RunError:
                continue

    def _connect(self) -> None:
        jobs = {node: [self._job(rank) for rank in own] for node, own in self.ranks.items()}
        answers = self.fleet.work("ranks", jobs)
        places: dict[str, list[Any]] = {}
        for node, answer in answers.items():
            ports = checked(answer, Ports, node)
            expect_answer(len(ports) == len(self.ranks[node]), node)
            for rank, port in zip(self.ranks[node], ports, strict=True):
                places[str(rank)] = [self.fleet.places[node].address, port]
        for node, answer in self.fleet.work("connect", dict.fromkeys(self.ranks, places)).items():
            checked(answer, TypeAdapter(list[str]), node)

    def _played(self, answer: Any, node: str) -> list[Played]:
        """Return the answers of the ranks of a node, with all their marks in order."""
        found = checked(answer, PLAYED, node)
        expect_answer([one.rank for one in found] == self.ranks[node], node)
        for one in found:
            numbers = {number for number, _ in one.marks}
            expect_answer(numbers == marks_of(self.operations[one.rank]), node)
            times = [at_ns for _, at_ns in one.marks]
            expect_answer(times == sorted(times), node)
        return found

    def _job(self, rank: int) -> dict[str, Any]:
        text = json.dumps(self.operations[rank], separators=(",", ":"))
        return {
            "rank": rank,
            "address": self.fleet.places[self.nodes[rank]].address,
            "peers": self.peers[rank],
            "rendezvous_from": self.rendezvous_from,
            "operations": base64.b64encode(zlib.compress(text.encode(), 1)).decode(),
        }

    def _aligned(self, clock: str, port: int) -> dict[str, Alignment]:
        others = {
            node: {"source": self.fleet.places[node].address, "address": clock, "port": port}
            for node in self.ranks
            if node != self.reference
        }
        found = self._ask("align", others, Lead)
        now = Alignment(self._now_ns(), 0, 0)
        return {self.reference: now, **{node: Alignment(*one) for node, one in found.items()}}

    def _now_ns(self) -> int:
        now: int = self._ask("now", {self.reference: None}, TypeAdapter(int))[self.reference]
        return now

    def _ask(self, name: str, arguments: Mapping[str, Any], kind: Any) -> dict[str, Any]:
        return {
            node: checked(answer, kind, node)
            for node, answer in self.fleet.ask(name, arguments).items()
        }

    def _performance(
        self,
        found: Mapping[str, list[Played]],
        clocks: Mapping[str, Clock],
        start_ns: int,
        counters: Mapping[str, Counters],
    ) -> Performance:
        rows, ends, ranks = [], [], []
        for node, own in found.items():
            for one in own:
                ranks.append(one)
                ends.append((clocks[node].reference_ns(one.ended_ns) - start_ns) * NS)
                last_s = -math.inf
                for number, at_ns in one.marks:
                    # A coarse clock gives two marks one time.
                    at_s = (clocks[node].reference_ns(at_ns) - start_ns) * NS
                    last_s = max(at_s, math.nextafter(last_s + NS, math.inf))
                    rows.append((last_s, one.rank, number))
        rows.sort()
        span_s = max([*ends, NS])
        return Performance(
            mark=np.array([number for _, _, number in rows], dtype=np.uint32),
            rank=np.array([rank for _, rank, _ in rows], dtype=np.uint32),
            time_s=np.array([time_s for time_s, _, _ in rows], dtype=np.float64),
            span_s=span_s,
            clock_error_s=max(one.error_s for one in clocks.values()),
            late_s=max(one.late_ns for one in ranks) * NS,
            waited=sum(one.waited_ns for one in ranks) * NS / len(ranks) / span_s,
            counters=counters,
            nics={node: self.fleet.places[node].nics for node in counters},
        )
