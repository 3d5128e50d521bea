"""Processes that read their connections in turn, as libraries with non-blocking sockets do.

The conformance cases of `received` have several long messages at once.
"""

from __future__ import annotations

from typing import ClassVar

import pytest

import linkwright
from linkwright import calibrations, engines
from linkwright.workloads import AllReduce, Marks, Measurement, Workload
from linkwright.workloads.steps import (
    Steps,
    compute,
    join,
    mark,
    receive,
    send,
    start_receive,
    wait_all,
)

ENGINES = ["packet", "flow"]
LONG_BYTES = 4_000_000
LATE_S = 0.05
MANY_NICS = "{name: test, topology: {kind: full-mesh, nodes: 3}}"
FAST_RING = """
name: ring-of-4
topology: {kind: ring, shape: [4]}
parts: {catalogue: ethernet-2026, node: server, nic: nic-25g-dual, cable: dac-25g}
mtu: 9000
"""


class ShortBehindLong(Workload):
    """A long message from one rank, and a short one from another that comes meanwhile."""

    name: ClassVar[str] = "short behind long"

    def steps(self, n_ranks: int) -> Steps:
        """Return the messages to the first rank."""
        sends = join(send(1, 0, LONG_BYTES), compute(LATE_S, 2), send(2, 0, 8))
        takes = join(start_receive(0, 1, number=1), receive(0, 2), mark(1, rank=0))
        return join(mark(0), sends, takes, wait_all(0), mark(2, rank=0))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return when the short message is there, and when both are."""
        spans = {"short": marks.span_s(0, 1), "both": marks.span_s(0, 2)}
        return [self._measurement(name, span, "s") for name, span in spans.items()]


def times_s(engine: str, *, in_turn: bool) -> tuple[float, float]:
    network = linkwright.compile(linkwright.Cluster.parse(MANY_NICS))
    hosts = calibrations.load("ideal-reno").changed({"messages.both_drain": in_turn})
    found = engines.run(network, ShortBehindLong(), engine=engine, calibration=hosts)
    short, both = (float(found.filter(metric=name).values()[0]) for name in ("short", "both"))
    return short, both


@pytest.mark.parametrize("engine", ENGINES)
def test_a_short_message_is_read_while_a_long_one_comes(engine: str) -> None:
    short, both = times_s(engine, in_turn=True)
    assert LATE_S < short < LATE_S + 0.001 < both


@pytest.mark.parametrize("engine", ENGINES)
def test_p4_reads_a_long_message_to_its_end_first(engine: str) -> None:
    short, both = times_s(engine, in_turn=False)
    assert short == pytest.approx(both)


def test_a_ring_out_of_step_takes_as_long_as_its_wires() -> None:
    """Ranks of a ring read from their neighbour while their own data wait for room."""
    network = linkwright.compile(linkwright.Cluster.parse(FAST_RING))
    workload = AllReduce(size_bytes=64 << 20, algorithm="ring")
    hosts = calibrations.load("linux-6-desktop")
    results = [
        engines.run(network, workload, engine=engine, calibration=hosts) for engine in ENGINES
    ]
    packet, flow = (float(result.filter(metric="time").values()[0]) for result in results)
    assert packet == pytest.approx(flow, rel=0.05)
