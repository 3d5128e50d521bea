"""Background traffic of the front end: its effects, the absence of others, and refusals.

What it costs a cable or a hub is known by hand in tests/conformance/beside.py, how ranks of the
background end and what they may do in crates/program/tests and crates/packet/tests.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kinds import KINDS, compiled, figure, network

import linkwright
from linkwright import calibrations, engines, workloads
from linkwright.engines import packet
from linkwright.engines.inputs import Run
from linkwright.errors import CapabilityError, RunError, UsageError
from linkwright.program import compile_program, goal_text
from linkwright.workloads import Background, FileServer, KeepAlive, Workload

FRONT_END = ", front_end: true"
WITH_DISKS = [name for name in calibrations.names() if calibrations.load(name).disk]
BUSY = FileServer(cached=True, spacing_s=0.001)


@cache
def served(kind: str) -> linkwright.Network:
    """Return a network with a front end."""
    return compiled(KINDS[kind], front_end=True)


def moved(
    built: linkwright.Network, workload: Workload, hosts: str, background: Background | None
) -> list[tuple[int, int, int]]:
    """Return the bytes that each rank of the workload wrote to each."""
    found = packet.connections(
        Run(
            network=built,
            workload=workload,
            hosts=calibrations.load(hosts),
            seed=1,
            background=background,
        )
    )
    n_ranks = workload.n_ranks(built.n_compute)
    columns = (found[name].tolist() for name in ("source", "destination", "size_bytes"))
    rows = zip(*columns, strict=True)
    return sorted(row for row in rows if row[0] < n_ranks)


@st.composite
def beside(draw: st.DrawFn) -> tuple[str, Workload, Background]:
    """Return a kind of network, a workload on all nodes or two of them, and its background."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    size_bytes = draw(st.sampled_from([1, 3000, 20_000]))
    is_small = served(kind).n_compute > 2 and draw(st.booleans())
    ranks = 2 if is_small else None
    collective = draw(st.sampled_from([workloads.AllToAll, workloads.AllReduce]))
    workload = collective(size_bytes=size_bytes, ranks=ranks, repeats=2, warm_up=1)
    protocol = draw(st.sampled_from(["udp", "tcp"])) if is_small else "udp"
    spacing_s = draw(st.sampled_from([0.0, 0.01]))
    background = draw(
        st.sampled_from(
            [
                KeepAlive(protocol=protocol, spacing_s=0.05 + spacing_s),
                FileServer(protocol=protocol, spacing_s=spacing_s, cached=True),
                FileServer(protocol=protocol, spacing_s=spacing_s),
            ]
        )
    )
    return kind, workload, background


@given(beside(), st.sampled_from(WITH_DISKS))
def test_the_messages_of_a_workload_are_the_same_whatever_goes_on_beside_it(
    case: tuple[str, Workload, Background], hosts: str
) -> None:
    kind, workload, background = case
    alone = moved(served(kind), workload, hosts, None)
    assert moved(served(kind), workload, hosts, background) == alone
    assert alone


@pytest.mark.parametrize("engine", ["packet", "flow"])
def test_every_row_names_it_and_a_run_repeats(engine: str) -> None:
    background = FileServer(protocol="tcp", cached=True)
    barrier = workloads.Broadcast(ranks=2, size_bytes=100_000)

    def run(**settings: Any) -> linkwright.Result:
        return engines.run(served("hub"), barrier, engine=engine, seed=3, **settings).reproducible()

    result = run(background=background)
    assert result.to_json() == run(background=background).to_json()
    condition = {
        "workload": "file-server",
        "protocol": "tcp",
        "spacing_s": 0.0,
        "block_bytes": 8192,
        "request_bytes": 120,
        "cached": True,
    }
    assert all(row.parameters["background"] == condition for row in result)
    alone = run()
    assert not any("background" in row.parameters for row in alone)
    assert set(result.column("run")).isdisjoint(alone.column("run"))
    assert figure(result, "time") > figure(alone, "time")


def test_who_is_served_answers_and_the_front_end_is_busy() -> None:
    hosts = calibrations.load("ideal-reno")
    ping = workloads.PingPong(size_bytes=1, repeats=1000)

    def counted(background: Background | None) -> dict[str, float]:
        return packet.counts(
            Run(network=served("switch"), workload=ping, hosts=hosts, seed=1, background=background)
        )

    asked = KeepAlive(spacing_s=0.001)
    alone, beside = counted(None), counted(asked)
    # A question crosses two wires, as its answer does.
    rounds = beside["simulated_s"] / asked.spacing_s
    per_round = (beside["frame_hops"] - alone["frame_hops"]) / rounds
    assert per_round == pytest.approx(4 * 5, rel=0.05)


def test_datagrams_of_a_workload_are_counted_without_those_beside_it() -> None:
    stream = workloads.DatagramStream(count=50, rate_bps=1e6)
    found = engines.run(served("switch"), stream, background=BUSY)
    assert figure(found, "offered") == 5 * 50
    assert figure(found, "delivered") == 1


def test_a_capture_shows_it() -> None:
    ping = workloads.PingPong(size_bytes=1, repeats=50)
    captures = [
        engines.watch(served("hub"), ping, background=one)[1].capture for one in (None, BUSY)
    ]
    assert len(captures[1]) > len(captures[0])


def test_it_runs_among_faults() -> None:
    ping = workloads.PingPong(size_bytes=1)
    found = engines.run(served("hub"), ping, background=BUSY, faults=["cable:0 loss 0.01"])
    assert {"background", "faults"} <= set(next(iter(found)).parameters)


def test_who_waits_for_ever_is_named() -> None:
    class Lost(workloads.PingPong):
        def steps(self, n_ranks: int) -> Any:
            return workloads.steps.receive(0, 1)

    with pytest.raises(RunError, match="1 ranks wait forever: rank 0") as lost:
        engines.run(served("hub"), Lost(), background=KeepAlive())
    # So do ranks whose processors have nothing else to do than to answer.
    assert "that background keep-alive leaves the nodes time: give it a larger spacing_s" in (
        lost.value.hint
    )


def test_a_message_that_takes_longer_than_an_hour_is_waited_for() -> None:
    wire = "{rate_mbps: 10}"
    text = f"{{topology: {{kind: hub, nodes: 4}}, parts: {{nic: {wire}, hub: {wire}}}{FRONT_END}}}"
    hub = linkwright.compile(linkwright.Cluster.parse(text))
    workload = workloads.Broadcast(size_bytes=8 * 10**9, ranks=2, repeats=1, warm_up=0)
    asked = KeepAlive(protocol="tcp")
    found = engines.run(hub, workload, engine="flow", calibration="ideal-reno", background=asked)
    assert 6_400 < figure(found, "time") < 10_000


def test_where_no_route_is_the_error_asks_for_no_larger_spacing() -> None:
    hosts = calibrations.load("ideal-reno").changed({"links.ttl": 1})
    with pytest.raises(RunError, match="a TTL of 1 allows 0 forwards") as lost:
        engines.run(
            served("torus"), workloads.AllToAll(), calibration=hosts, background=KeepAlive()
        )
    assert "spacing_s" not in lost.value.hint


@pytest.mark.parametrize(
    ("settings", "error", "message", "hint"),
    [
        (
            {"network": network("hub")},
            UsageError,
            "design 'test' has no front end",
            "front_end: true",
        ),
        (
            {"background": workloads.PingPong()},
            UsageError,
            "workload ping-pong cannot run in the background",
            "keep-alive or file-server",
        ),
        (
            {"background": KeepAlive(protocol="tcp")},
            UsageError,
            "keep-alive over TCP serves nodes without a rank of the workload",
            "choose protocol=udp",
        ),
        (
            {"engine": "flow"},
            CapabilityError,
            "workload file-server sends datagrams, which engine flow does not model",
            "choose --engine packet, or protocol=tcp",
        ),
        (
            {"engine": "analytic"},
            CapabilityError,
            "ranks share nothing in the analytic engine",
            "use the packet engine, or flow",
        ),
        (
            {"background": KeepAlive(count=5)},
            UsageError,
            "background keep-alive runs until the workload ends, whatever its count",
            "leave out count",
        ),
        (
            {"background": FileServer(), "calibration": "ideal-reno"},
            UsageError,
            "workload file-server uses disks",
            "[disk]",
        ),
    ],
)
def test_what_cannot_run_beside_is_refused(
    settings: dict[str, Any], error: type[Exception], message: str, hint: str
) -> None:
    asked = {"network": served("hub"), "background": BUSY, **settings}
    with pytest.raises(error) as refused:
        engines.run(asked.pop("network"), workloads.Barrier(), **asked)
    assert message in refused.value.message
    assert hint in refused.value.hint


def test_goal_has_no_word_for_it() -> None:
    program = compile_program(workloads.Barrier(), 4, background=BUSY)
    assert (program.n_ranks, program.n_awaited) == (5, 4)
    with pytest.raises(UsageError, match="runs in the background, which GOAL does not have"):
        goal_text(program)
