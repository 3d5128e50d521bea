"""The reference workloads W1 to W5: networks and patterns of messages, and one that sends none.

All are 100 Mb/s full duplex, 1 us per wire, MTU 1500, drop-tail queues of 100 full frames, switches
that store and forward without a latency of their own, and every flow starts at once; W4 is half
duplex, one collision domain. The designs are as users write them; nothing here measures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from linkwright.workloads import Marks, Measurement, Permutation, Shift, Workload
from linkwright.workloads.steps import (
    Steps,
    broadcast,
    join,
    mark,
    repeat,
    start_receive,
    start_send,
    wait_all,
)

MEGABYTE = 1_000_000

IDEAL = "ideal-reno"
"""Hosts that cost nothing, as most other simulators have them."""
FULL = "pentium-pro-200-linux-2.0"
"""Hosts with a processor and a message library."""
CALIBRATIONS = {"ideal": IDEAL, "full": FULL}

CABLE = "cable: {delay_us: 1}"
SWITCH = (
    "switch: {mode: store-and-forward, latency_us: 0, queue_bytes: 151800,"
    " backplane_mbps: null, ports: [16, 24, 32, 64]}"
)
HUB = "hub: {domain_delay_us: 2}"
"""Two wires lie between any two stations."""


class Idle(Workload):
    """Nothing: what a run takes before the first connection opens."""

    name: ClassVar[str] = "idle"

    def steps(self, n_ranks: int) -> Steps:
        """Return one mark per rank."""
        return mark(0)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return no figure of its own."""
        return []


class RotatedAllToAll(Workload):
    """Every rank sends a block to every other, all started at once, its next neighbour's first."""

    name: ClassVar[str] = "rotated-all-to-all"

    size_bytes: int = 65_536

    def steps(self, n_ranks: int) -> Steps:
        """Return one exchange between marks 0 and 1."""
        distance, rank = np.divmod(np.arange(n_ranks, n_ranks * n_ranks), n_ranks)
        return join(
            mark(0),
            start_receive(rank, (rank - distance) % n_ranks),
            start_send(rank, (rank + distance) % n_ranks, self.size_bytes),
            wait_all(),
            mark(1),
        )

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time until every rank is done."""
        return [self._measurement("time", marks.span_s(0, 1), "s")]


class Permutations(Workload):
    """Several seeded permutations of a block, all started at once."""

    name: ClassVar[str] = "permutations"

    n_permutations: int = 10
    size_bytes: int = 65_536

    def steps(self, n_ranks: int) -> Steps:
        """Return one exchange between marks 0 and 1."""
        random = np.random.default_rng(1)
        rank = np.arange(n_ranks)
        targets = [random.permutation(n_ranks) for _ in range(self.n_permutations)]
        receives = [start_receive(rank, np.argsort(target)) for target in targets]
        sends = [start_send(rank, target, self.size_bytes) for target in targets]
        return join(mark(0), *receives, *sends, wait_all(), mark(1))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time until every rank is done."""
        return [self._measurement("time", marks.span_s(0, 1), "s")]


class BroadcastBarrier(Workload):
    """Binomial broadcasts, each followed by a dissemination barrier."""

    name: ClassVar[str] = "broadcast-barrier"

    size_bytes: int = 8192
    repeats: int = 1000

    def steps(self, n_ranks: int) -> Steps:
        """Return the rounds between marks 0 and 1."""
        rounds = [dissemination(n_ranks, 1 << i) for i in range((n_ranks - 1).bit_length())]
        return join(mark(0), repeat(self.repeats, broadcast(self.size_bytes), *rounds), mark(1))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time of all rounds together."""
        return [self._measurement("time", marks.span_s(0, 1), "s")]


def dissemination(n_ranks: int, distance: int) -> Steps:
    """Return one round of a barrier: every rank tells the one `distance` ahead that it is there.

    The message has one byte, because a byte stream carries no empty one.
    """
    rank = np.arange(n_ranks)
    return join(
        start_receive(rank, (rank - distance) % n_ranks),
        start_send(rank, (rank + distance) % n_ranks, 1),
        wait_all(),
    )


@dataclass(frozen=True)
class Case:
    """One network and one pattern of messages."""

    title: str
    topology: str
    """As in a design file."""
    parts: str
    """As in a design file: what differs from the parts of the catalogue."""
    workload: Workload
    n_nodes: int

    @property
    def design(self) -> str:
        """The design file."""
        parts = f"{{catalogue: whitney-1998, {CABLE}, {self.parts}}}"
        return f"{{name: bench, topology: {self.topology}, parts: {parts}}}"


CASES = {
    "w1": Case(
        title="W1: 16 nodes on a switch, 1 MB to the next",
        topology="{kind: switch, nodes: 16}",
        parts=SWITCH,
        workload=Shift(k=1, size_bytes=MEGABYTE),
        n_nodes=16,
    ),
    "w2": Case(
        title="W2: 64 nodes on a switch, all to all, 64 KiB a pair",
        topology="{kind: switch, nodes: 64}",
        parts=SWITCH,
        workload=RotatedAllToAll(),
        n_nodes=64,
    ),
    "w3": Case(
        title="W3: 24x24 P-Mesh, seeded permutation of 1 MB",
        topology="{kind: p-mesh, shape: [24, 24]}",
        parts=SWITCH,
        workload=Permutation(size_bytes=MEGABYTE),
        n_nodes=576,
    ),
    "w4": Case(
        title="W4: 16 nodes on a hub, 1 MB to the next",
        topology="{kind: hub, nodes: 16}",
        parts=HUB,
        workload=Shift(k=1, size_bytes=MEGABYTE),
        n_nodes=16,
    ),
    "w5-switch": Case(
        title="W5: 16 nodes on a switch, broadcast of 8 KiB and barrier, 1000 times",
        topology="{kind: switch, nodes: 16}",
        parts=SWITCH,
        workload=BroadcastBarrier(),
        n_nodes=16,
    ),
    "w5-torus": Case(
        title="W5: 4x4 torus, broadcast of 8 KiB and barrier, 1000 times",
        topology="{kind: torus, shape: [4, 4]}",
        parts="nic: fast-ethernet-nic",
        workload=BroadcastBarrier(),
        n_nodes=16,
    ),
}
