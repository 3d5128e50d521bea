"""Small messages of the flow engine, which pass the resources on their way one after the other.

That a message alone takes what it takes frame by frame is in test_idle_path.py and test_flow.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pytest
from tests.conformance import by_hand
from tests.kinds import figure, network

import linkwright
from linkwright import calibrations, engines, workloads
from linkwright.calibrations import Calibration, Cost
from linkwright.workloads import Marks, Measurement, Workload
from linkwright.workloads.steps import Steps, compute, join, mark, receive, repeat, send

LAN = "parts: {catalogue: whitney-1998, cable: {delay_us: 1}, "
SWITCH = (
    LAN + "switch: {mode: store-and-forward, latency_us: 0, ports: [64], backplane_mbps: null}}"
)
SIZES = (1, 64, 1000, 4096, 20_000, 65_536)
MEGABYTE = 1_000_000


class Scripted(Workload):
    """Steps that a test writes; the figure is the time from mark 0 to mark 1."""

    name: ClassVar[str] = "scripted-bursts"
    script: ClassVar[Callable[[int], Steps]]

    def steps(self, n_ranks: int) -> Steps:
        """Return the steps that the test wrote."""
        return type(self).script(n_ranks)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time between the marks."""
        return [self._measurement("time", marks.span_s(0, 1), "s")]


def time_s(
    net: linkwright.Network,
    steps: Callable[[int], Steps],
    calibration: str | Calibration = "ideal-reno",
    engine: str = "flow",
) -> float:
    script = type("OneScript", (Scripted,), {"script": staticmethod(steps)})()
    return figure(engines.run(net, script, engine=engine, calibration=calibration), "time")


def built(topology: str, parts: str = SWITCH) -> linkwright.Network:
    return linkwright.compile(
        linkwright.Cluster.parse(f"{{name: test, topology: {topology}, {parts}}}")
    )


def service_s(size_bytes: int) -> float:
    return by_hand.served(by_hand.wire_bytes(size_bytes, with_acks=False), 100e6)


@pytest.mark.parametrize("size_bytes", SIZES[:4])
@pytest.mark.parametrize("n", [2, 7, 20])
def test_senders_to_one_take_a_service_of_its_wire_each(n: int, size_bytes: int) -> None:
    def steps(n_ranks: int) -> Steps:
        sends = (send(rank, 0, size_bytes) for rank in range(1, n_ranks))
        receives = (receive(0, rank) for rank in range(1, n_ranks))
        return join(mark(0), *sends, *receives, mark(1))

    found = time_s(built(f"{{kind: switch, nodes: {n + 1}}}"), steps)
    last = by_hand.stored(size_bytes, 2)
    assert found == pytest.approx(last + (n - 1) * service_s(size_bytes), rel=1e-3)


@pytest.mark.parametrize("size_bytes", SIZES[:4])
@pytest.mark.parametrize("n_hops", [1, 2, 5])
def test_messages_behind_each_other_fill_a_line(n_hops: int, size_bytes: int) -> None:
    """A wire carries the next message while the one before crosses the wires behind it."""
    n = 30

    def steps(_: int) -> Steps:
        return join(
            mark(0),
            repeat(n, send(0, n_hops, size_bytes), rank=0),
            repeat(n, receive(n_hops, 0), rank=n_hops),
            mark(1, rank=n_hops),
        )

    found = time_s(built(f"{{kind: mesh, shape: [{n_hops + 1}]}}", LAN[:-2] + "}"), steps)
    last = by_hand.stored(size_bytes, n_hops)
    assert found == pytest.approx(last + (n - 1) * service_s(size_bytes), rel=0.01)


@pytest.mark.parametrize("size_bytes", SIZES)
def test_small_and_large_messages_fill_a_wire_together(size_bytes: int) -> None:
    """Neither gets a byte of the wire that the other has."""
    n_small = 4 * MEGABYTE // max(size_bytes, 1000)

    def steps(_: int) -> Steps:
        return join(
            mark(0),
            send(1, 0, 4 * MEGABYTE),
            repeat(n_small, send(2, 0, size_bytes), rank=2),
            repeat(n_small, receive(0, 2), rank=0),
            receive(0, 1),
            mark(1),
        )

    found = time_s(built("{kind: switch, nodes: 3}"), steps)
    both = service_s(4 * MEGABYTE) + n_small * service_s(size_bytes)
    assert found == pytest.approx(both, rel=0.03)


def test_small_messages_that_a_kernel_relays_slow_the_computation_on_its_node() -> None:
    n, cost_us = 100, 40.0
    ideal = calibrations.load("ideal-reno")
    slow = {"forward": Cost(us=cost_us, origin="definition")}
    hosts = ideal.model_copy(update={"host": ideal.host.model_copy(update=slow)})

    def steps(_: int) -> Steps:
        relayed = join(repeat(n, send(0, 2, 1000), rank=0), repeat(n, receive(2, 0), rank=2))
        return join(relayed, mark(0, rank=1), compute(0.02, rank=1), mark(1, rank=1))

    found = time_s(built("{kind: mesh, shape: [3]}", LAN[:-2] + "}"), steps, hosts)
    assert found == pytest.approx(0.02 + n * cost_us * 1e-6, rel=1e-3)


@pytest.mark.parametrize("kind", ["switch", "hub", "torus", "tree", "ring"])
@pytest.mark.parametrize("calibration", ["ideal-reno", "pentium-pro-200-linux-2.0"])
def test_an_exchange_costs_fewer_events_than_its_frames(kind: str, calibration: str) -> None:
    """A message of a single frame has one event per resource here and less than that there."""
    for size_bytes, most in ((64, 1.5), (4096, 1.0), (65_536, 1.0)):
        exchange = workloads.AllToAll(size_bytes=size_bytes, repeats=2, warm_up=1)
        flow, packet = (
            figure(
                engines.run(
                    network(kind), exchange, engine=engine, calibration=calibration, repeats=1
                ),
                "events",
            )
            for engine in ("flow", "packet")
        )
        assert flow < most * packet, size_bytes
