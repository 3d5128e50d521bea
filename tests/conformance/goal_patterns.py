"""Patterns of communication as GOAL text: those that LogGOPSim's generator has by name
[LOGGOPSIM], written from their descriptions.

Each function writes the tasks of one rank; a message of `size` bytes is one task at each end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import ceil, log

__all__ = ["PATTERNS", "SEGMENT_BYTES", "text_of"]

SEGMENT_BYTES = 1460
"""User data of a full TCP segment; patterns with several sizes use multiples of it."""

SHORT_BYTES = 1024


@dataclass
class Rank:
    """The tasks of one rank of `n`, as text."""

    me: int
    n: int
    lines: list[str] = field(default_factory=list)
    n_tasks: int = 0

    def task(self, what: str, *required: str, cpu: int = 0) -> str:
        self.n_tasks += 1
        label = f"t{self.n_tasks}"
        self.lines.append(f"{label}: {what}" + (f" cpu {cpu}" if cpu else ""))
        self.lines += [f"{label} requires {other}" for other in required if other]
        return label

    def send(
        self, to: int, *required: str, size: int = SHORT_BYTES, tag: int = 0, cpu: int = 0
    ) -> str:
        return self.task(f"send {size}b to {to % self.n} tag {tag}", *required, cpu=cpu)

    def receive(
        self, source: int, *required: str, size: int = SHORT_BYTES, tag: int = 0, cpu: int = 0
    ) -> str:
        return self.task(f"recv {size}b from {source % self.n} tag {tag}", *required, cpu=cpu)


def bits(n: int) -> Iterator[int]:
    """Return the powers of two below `n`."""
    bit = 1
    while bit < n:
        yield bit
        bit *= 2


def broadcast_by_halves(rank: Rank, cpu: int = 0) -> None:
    """Rank r gets the data from the rank without its highest bit, and gives them to later ones."""
    received = ""
    for bit in bits(rank.n):
        if bit <= rank.me < 2 * bit:
            received = rank.receive(rank.me - bit, cpu=cpu)
        elif rank.me < bit and rank.me + bit < rank.n:
            rank.send(rank.me + bit, received, cpu=cpu)


def reduce_by_halves(rank: Rank) -> None:
    """Rank r sends to the rank without its lowest bit what the ranks above it have sent."""
    received: list[str] = []
    for bit in bits(rank.n):
        if rank.me & bit:
            rank.send(rank.me - bit, *received)
            return
        if rank.me + bit < rank.n:
            received.append(rank.receive(rank.me + bit))


def broadcast_in_a_tree(rank: Rank) -> None:
    """Rank r gives the data to the ranks 2r + 1 and 2r + 2."""
    received = rank.receive((rank.me - 1) // 2) if rank.me else ""
    for child in (2 * rank.me + 1, 2 * rank.me + 2):
        if child < rank.n:
            rank.send(child, received)


def spread(rank: Rank, ways: int = 1, cpu: int = 0) -> None:
    """In round i each rank tells `ways` ranks, at multiples of (ways + 1)^i, what it knows."""
    received: list[str] = []
    for step in range(ceil(log(rank.n, ways + 1) - 1e-9)):
        distances = [way * (ways + 1) ** step for way in range(1, ways + 1)]
        for distance in distances:
            rank.send(rank.me + distance, *received, cpu=cpu)
        received = [rank.receive(rank.me - distance, cpu=cpu) for distance in distances]


def beside_computation(rank: Rank) -> None:
    """Spread, while processor 0 computes for longer."""
    rank.task("calc 60000")
    spread(rank, cpu=1)


def chained(rank: Rank) -> None:
    """Five rounds of spreading, each behind the one before at every rank."""
    ended: list[str] = []
    for tag in range(5):
        marker, received = rank.task("calc 0", *ended), ""
        ended = []
        for bit in bits(rank.n):
            sent = rank.send(rank.me + bit, received or marker, tag=tag)
            received = rank.receive(rank.me - bit, marker, tag=tag)
            ended += [sent, received]


def one_partner(rank: Rank) -> None:
    """The first half sends to the second half, in an order that looks random."""
    half = rank.n // 2
    if rank.me < half:
        rank.send(half + (5 * rank.me + 3) % half)
    else:
        rank.receive(next(i for i in range(half) if half + (5 * i + 3) % half == rank.me))


def partners(rank: Rank) -> None:
    """The same in both directions."""
    half = rank.n // 2
    if rank.me < half:
        other = half + (5 * rank.me + 3) % half
    else:
        other = next(i for i in range(half) if half + (5 * i + 3) % half == rank.me)
    rank.send(other)
    rank.receive(other)


def gather(rank: Rank) -> None:
    """Rank 0 receives from all."""
    if rank.me:
        rank.send(0)
    else:
        for other in range(1, rank.n):
            rank.receive(other)


def scatter(rank: Rank) -> None:
    """Rank 0 sends to all."""
    if rank.me:
        rank.receive(0)
    else:
        for other in range(1, rank.n):
            rank.send(other)


def central_barrier(rank: Rank) -> None:
    """Rank 0 hears from all, then tells all."""
    if rank.me:
        rank.receive(0, rank.send(0))
    else:
        all_here = rank.task("calc 0", *[rank.receive(other) for other in range(1, rank.n)])
        for other in range(1, rank.n):
            rank.send(other, all_here)


def exchange(rank: Rank, size_of: Callable[[int, int, int], int]) -> None:
    """Every rank sends to each, the next first."""
    for step in range(1, rank.n):
        to, source = (rank.me + step) % rank.n, (rank.me - step) % rank.n
        rank.send(to, size=size_of(rank.n, rank.me, to))
        rank.receive(source, size=size_of(rank.n, source, rank.me))


def alike(n: int, source: int, to: int) -> int:
    del n, source, to
    return SHORT_BYTES


def unlike(n: int, source: int, to: int) -> int:
    del n
    return SEGMENT_BYTES * (1 + (7 * source + 3 * to) % 2)


def skewed(n: int, source: int, to: int) -> int:
    """All send rank 0 twice as much as the others."""
    del n, source
    return SEGMENT_BYTES * (2 if to == 0 else 1)


def down_the_line(rank: Rank, n_pieces: int, size: int) -> None:
    """Pieces pass all ranks, one after the other."""
    for tag in range(n_pieces):
        received = rank.receive(rank.me - 1, size=size, tag=tag) if rank.me else ""
        if rank.me + 1 < rank.n:
            rank.send(rank.me + 1, received, size=size, tag=tag)


def down_the_line_in_turn(rank: Rank) -> None:
    """The same, each piece received when the one before has been sent."""
    sent = ""
    for _ in range(8):
        received = rank.receive(rank.me - 1, sent) if rank.me else ""
        if rank.me + 1 < rank.n:
            sent = rank.send(rank.me + 1, received)


def both_ways_round(rank: Rank) -> None:
    """One message round the ring in each direction."""
    for way in (1, -1):
        received = rank.receive(rank.me - way) if rank.me else ""
        rank.send(rank.me + way, received)
        if not rank.me:
            rank.receive(rank.me - way)


def by_doubling(rank: Rank) -> None:
    """Pairs at doubling distances exchange halves of halves, then the sums in reverse."""
    received = ""
    distances = list(bits(rank.n))
    for tag, distance in enumerate([*distances, *reversed(distances)]):
        rank.send(rank.me ^ distance, received, tag=tag)
        received = rank.receive(rank.me ^ distance, tag=tag)


def by_ring(rank: Rank) -> None:
    """Two rounds of the ring, a piece at a time."""
    received = ""
    for tag in range(2 * (rank.n - 1)):
        rank.send(rank.me + 1, received, tag=tag)
        received = rank.receive(rank.me - 1, tag=tag)


PATTERNS: dict[str, Callable[[Rank], None]] = {
    "binomialtreebcast": broadcast_by_halves,
    "nb_bcast": lambda rank: broadcast_by_halves(rank, cpu=1),
    "binomialtreereduce": reduce_by_halves,
    "binarytreebcast": broadcast_in_a_tree,
    "dissemination": spread,
    "nwaydissemination": lambda rank: spread(rank, ways=2),
    "nway3": lambda rank: spread(rank, ways=3),
    "nb_dissem": beside_computation,
    "chained_dissem": chained,
    "random_bisect": one_partner,
    "random_bisect_fd_sym": partners,
    "gather": gather,
    "scatter": scatter,
    "linbarrier": central_barrier,
    "linear_alltoall": lambda rank: exchange(rank, alike),
    "linear_alltoallv": lambda rank: exchange(rank, unlike),
    "a2av_skew": lambda rank: exchange(rank, skewed),
    "pipelinedring": lambda rank: down_the_line(rank, 20, SHORT_BYTES),
    "pipering_seg": lambda rank: down_the_line(rank, 8, 5 * SEGMENT_BYTES),
    "pipelinedringdep": down_the_line_in_turn,
    "doublering": both_ways_round,
    "allreduce_recdoub": by_doubling,
    "allreduce_ring": by_ring,
}


def text_of(pattern: str, n_ranks: int) -> str:
    """Return a pattern of `n_ranks` ranks as GOAL text."""
    ranks = [Rank(me, n_ranks) for me in range(n_ranks)]
    for rank in ranks:
        PATTERNS[pattern](rank)
    bodies = (f"rank {rank.me} {{\n" + "\n".join([*rank.lines, "}"]) for rank in ranks)
    return "\n".join([f"num_ranks {n_ranks}", *bodies, ""])
