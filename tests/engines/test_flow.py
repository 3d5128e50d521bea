"""The flow engine through the package: idle paths, and shares by hand.

The laws of the solver are tested in the crate (crates/flow/tests), more cases that are known by
hand in tests/conformance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
import pytest
from tests.conformance import by_hand
from tests.kinds import KINDS, figure, has_hubs, network

import linkwright
from linkwright import calibrations, engines, workloads
from linkwright.calibrations import Calibration, Cost
from linkwright.errors import CapabilityError, RunError, UsageError
from linkwright.workloads import Marks, Measurement, Workload
from linkwright.workloads.steps import (
    ANY_RANK,
    Steps,
    compute,
    join,
    mark,
    receive,
    repeat,
    send,
    start_receive,
    start_send,
    wait_all,
)

MEGABYTE = 1_000_000
LAN = "parts: {catalogue: whitney-1998, cable: {delay_us: 1}, "
SWITCH = (
    LAN + "switch: {mode: store-and-forward, latency_us: 0, ports: [64], backplane_mbps: null}}"
)

# Without cost, data and acknowledgements of one stream collide on a hub, which is not modelled.
WITHOUT_HUBS = [kind for kind in KINDS if not has_hubs(network(kind))]


class Scripted(Workload):
    """Steps that a test writes; the figure is the time from mark 0 to mark 1."""

    name: ClassVar[str] = "scripted"
    script: ClassVar[Callable[[int], Steps]]

    def steps(self, n_ranks: int) -> Steps:
        """Return the steps that the test wrote."""
        return type(self).script(n_ranks)

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time between the marks."""
        return [self._measurement("time", marks.span_s(0, 1), "s")]


def scripted(steps: Callable[[int], Steps]) -> Scripted:
    return type("OneScript", (Scripted,), {"script": staticmethod(steps)})()


def built(topology: str, parts: str = SWITCH) -> linkwright.Network:
    return linkwright.compile(
        linkwright.Cluster.parse(f"{{name: test, topology: {topology}, {parts}}}")
    )


def time_s(
    network: linkwright.Network,
    workload: Workload,
    calibration: str | Calibration = "ideal-reno",
    metric: str = "time",
) -> float:
    return figure(engines.run(network, workload, engine="flow", calibration=calibration), metric)


@pytest.mark.parametrize("kind", WITHOUT_HUBS)
@pytest.mark.parametrize("calibration", ["ideal-reno", "pentium-pro-200-linux-2.0"])
def test_a_message_on_an_idle_path_takes_what_it_takes_frame_by_frame(
    kind: str, calibration: str
) -> None:
    lan = network(kind)
    ping = workloads.PingPong(size_bytes=(1024, 8000, 65_536, MEGABYTE), dst=lan.n_compute - 1)
    found, expected = (
        engines.run(lan, ping, engine=engine, calibration=calibration).filter(metric="latency")
        for engine in ("flow", "packet")
    )
    # Acknowledgements that are still under way, and data that come back, share the wires.
    within = 0.02 if lan.closed.forwards_worst < 3 else 0.03
    # A tail of a message longer than the window is held until a tick of the other clock: for no
    # time or 20 ms frame by frame, for the mean in flow, and the clocks' phase makes 2 ms of it. A
    # long message has it more than once.
    holds = np.array([0, 0, 1, 2]) if calibration != "ideal-reno" else 0
    margins = within * expected.values() + 0.012 * holds
    assert (np.abs(found.values() - expected.values()) <= margins).all()


def test_senders_to_one_share_its_wire() -> None:
    n = 8

    def steps(n_ranks: int) -> Steps:
        senders = range(1, n_ranks)
        sends = (send(rank, 0, MEGABYTE) for rank in senders)
        receives = (receive(0, rank) for rank in senders)
        return join(mark(0), *sends, *receives, mark(1))

    alone = by_hand.served(by_hand.wire_bytes(MEGABYTE, with_acks=False), 100e6)
    found = time_s(built(f"{{kind: switch, nodes: {n + 1}}}"), scripted(steps))
    assert found == pytest.approx(n * alone, rel=2e-3)


def test_a_hub_carries_less_the_more_stations_send() -> None:
    """The capacity of the CSMA/CD device, frame bits per bit time: docs/design/csma-cd.md."""
    hub = LAN + "hub: {domain_delay_us: 0.6}}"
    bytes_each = by_hand.wire_bytes(MEGABYTE, with_acks=True)
    for n, share in ((2, 0.983), (8, 0.966), (16, 0.954)):
        shift = workloads.Shift(k=1, size_bytes=MEGABYTE)
        found = time_s(built(f"{{kind: hub, nodes: {n}}}", hub), shift)
        contended = n * by_hand.served(bytes_each, 100e6) * (1518 / 1538) / share
        assert found == pytest.approx(contended, rel=0.01), n


def test_two_buses_carry_twice_as_much() -> None:
    shift = workloads.Shift(k=1, size_bytes=MEGABYTE)
    one = time_s(network("single-net"), shift)
    assert time_s(network("bonded-dual-net"), shift) == pytest.approx(one / 2, rel=0.01)


def with_forwarding(cost_us: float) -> Calibration:
    ideal = calibrations.load("ideal-reno")
    slow = {"forward": Cost(us=cost_us, origin="definition")}
    return ideal.model_copy(update={"host": ideal.host.model_copy(update=slow)})


def test_what_a_kernel_relays_slows_the_computation_on_its_node() -> None:
    """Relaying for 40 us in each 123.04 us of a segment, and half as often for ACKs."""

    def steps(n_ranks: int) -> Steps:
        work = join(mark(0, rank=1), compute(0.02, rank=1), mark(1, rank=1))
        return join(send(0, 2, MEGABYTE), receive(2, 0), work)

    line = built("{kind: mesh, shape: [3]}", LAN[:-2] + "}")
    left = 1 - 1.5 * 40e-6 / 123.04e-6
    found = time_s(line, scripted(steps), with_forwarding(40.0))
    assert found == pytest.approx(0.02 / left, rel=0.01)


@pytest.mark.parametrize("size_bytes", [1000, 10 * MEGABYTE])
def test_what_nobody_reads_holds_up_its_sender(size_bytes: int) -> None:
    """A message that fits the send buffer and the window leaves; a longer one waits forever."""
    lonely = scripted(lambda _: join(mark(0), send(0, 1, size_bytes), mark(1)))
    pair = network("direct")
    if size_bytes < MEGABYTE:
        assert time_s(pair, lonely) >= 0
        return
    with pytest.raises(RunError, match="rank 0 in operation"):
        time_s(pair, lonely)


def test_a_receiver_that_computes_first_takes_its_message_late() -> None:
    late = scripted(
        lambda _: join(mark(0), send(0, 1, MEGABYTE), compute(0.5, rank=1), receive(1, 0), mark(1))
    )
    alone = by_hand.served(by_hand.wire_bytes(MEGABYTE, with_acks=False), 100e6)
    window_s = by_hand.served(131_072, 100e6)
    # A window was there already when it began to read.
    assert time_s(network("direct"), late) == pytest.approx(0.5 + alone - window_s, rel=0.005)


def test_nothing_in_it_is_random() -> None:
    storm = workloads.Permutation(size_bytes=20_000)
    first, second = (
        engines.run(network("torus"), storm, engine="flow", seed=seed).reproducible()
        for seed in (1, 2)
    )
    assert first.values().tolist() == second.values().tolist()


def all_shifts() -> Scripted:
    """Ten messages of every rank, to ranks at odd distances, started at once."""

    def steps(n_ranks: int) -> Steps:
        rank, distances = np.arange(n_ranks), range(3, 33, 3)
        starts = [start_receive(rank, (rank - k) % n_ranks) for k in distances]
        starts += [start_send(rank, (rank + k) % n_ranks, 100_000) for k in distances]
        return join(mark(0), *starts, wait_all(), mark(1))

    return scripted(steps)


def test_a_bound_stands_in_the_rows_and_moves_the_answer_by_less() -> None:
    net = built("{kind: p-mesh, shape: [8, 8], lines_per_switch: 1}")
    played = {
        precision: engines.run(
            net, all_shifts(), engine="flow", calibration="ideal-reno", precision=precision
        )
        for precision in (None, 0, 0.02, 0.1)
    }
    exact = figure(played[0], "simulated_s")
    assert "precision" not in played[0].column("parameters")[0]
    assert "precision" in played[0.1].column("parameters")[0]
    # More than a few drain at the same time here.
    assert "precision" in played[None].column("parameters")[0]
    assert figure(played[None], "simulated_s") == pytest.approx(exact, rel=0.05)
    for bound in (0.02, 0.1):
        assert figure(played[bound], "simulated_s") == pytest.approx(exact, rel=bound)
    assert figure(played[0.1], "events") < figure(played[0], "events")


def test_the_shares_of_a_few_are_exact_by_default() -> None:
    net, few = network("torus"), workloads.Permutation(size_bytes=MEGABYTE)
    assert net.n_compute <= 32
    default, exact = (
        engines.run(net, few, engine="flow", precision=precision) for precision in (None, 0)
    )
    assert figure(default, "simulated_s") == figure(exact, "simulated_s")
    assert "precision" not in default.column("parameters")[0]


@pytest.mark.parametrize("pause_s", [0.0, 0.004, 0.02])
def test_what_small_messages_leave_does_not_stand_idle_for_long(pause_s: float) -> None:
    """A large message has the wire to itself while the others pause."""
    n = 20

    def steps(n_ranks: int) -> Steps:
        small = repeat(n, compute(pause_s, rank=0), send(0, 1, 20_000), rank=0)
        receives = repeat(n + 1, receive(1, ANY_RANK), rank=1)
        return join(mark(0), send(2, 1, 5 * MEGABYTE), small, receives, mark(1, rank=1))

    net = built("{kind: switch, nodes: 3}")
    exact, late = (
        figure(engines.run(net, scripted(steps), engine="flow", precision=precision), "time")
        for precision in (0, 0.1)
    )
    # Waits for a tick of a clock may become shorter by less than they are late.
    assert 0.999 * exact <= late <= 1.1 * exact


@pytest.mark.parametrize("precision", [-0.1, 0.5])
def test_a_precision_out_of_range_is_refused(precision: float) -> None:
    net = built("{kind: switch, nodes: 4}")
    with pytest.raises(UsageError, match="precision"):
        engines.run(net, all_shifts(), engine="flow", precision=precision)


def test_more_exact_flows_are_the_exact_result_at_the_cost_of_time() -> None:
    net = built("{kind: p-mesh, shape: [8, 8]}")
    exact, deferred, many = (
        engines.run(net, all_shifts(), engine="flow", calibration="ideal-reno", **options)
        for options in ({"precision": 0}, {}, {"exact_flows": 64 * 63})
    )
    assert figure(deferred, "time") != figure(exact, "time") == figure(many, "time")
    # All are deferred with a precision alone, and none while so few drain.
    few = {"precision": 0.05, "exact_flows": 64 * 63}
    both = engines.run(net, all_shifts(), engine="flow", calibration="ideal-reno", **few)
    assert figure(both, "time") == figure(exact, "time")
    assert both.column("parameters")[0].items() >= few.items()
    assert many.column("parameters")[0]["exact_flows"] == 64 * 63


@pytest.mark.parametrize("exact_flows", [-1, 0.5, 2**32])
def test_exact_flows_out_of_range_are_refused(exact_flows: float) -> None:
    net = built("{kind: switch, nodes: 4}")
    with pytest.raises(UsageError, match="exact flows are not a whole number"):
        engines.run(net, all_shifts(), engine="flow", exact_flows=exact_flows)


def test_an_input_of_no_engine_is_refused() -> None:
    net = built("{kind: switch, nodes: 4}")
    with pytest.raises(UsageError, match="a run has no input 'precison'") as refused:
        engines.run(net, all_shifts(), engine="flow", precison=0.1)
    assert "'precision'" in refused.value.hint


def test_other_engines_have_no_precision() -> None:
    net = built("{kind: switch, nodes: 4}")
    with pytest.raises(CapabilityError, match="precision"):
        engines.run(net, all_shifts(), engine="packet", precision=0.0)


@pytest.mark.parametrize("engine", ["analytic", "flow"])
@pytest.mark.parametrize(("option", "value"), [("arp", "cold"), ("flow_control", "pause")])
def test_what_only_frames_show_is_refused(engine: str, option: str, value: str) -> None:
    pair = linkwright.compile(linkwright.Cluster.parse("topology: {kind: direct}"))
    hosts = calibrations.load("ideal-reno").changed({f"links.{option}": value})
    with pytest.raises(CapabilityError, match=f"links.{option} is {value}"):
        engines.run(pair, workloads.PingPong(size_bytes=1), engine=engine, calibration=hosts)
