"""Workloads run by real processes: rows of the one result schema, at the speed of the wires.

The machine decides how fast its kernels are, so times have bounds here, and no expected values.
"""

from __future__ import annotations

from typing import Any

import pytest

import linkwright
from linkwright import workloads
from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError, LinkwrightError, RunError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.results import Result

RATE_BPS = 100e6
RING = "name: t\ntopology: {kind: ring, shape: [4]}\nrouting: {fallback: true}\n"
HUB = "name: t\ntopology: {kind: hub, nodes: 4}\n"


def network(text: str) -> Network:
    return compile_network(Cluster.parse(text))


def emulated(text: str, workload: workloads.Workload, **options: Any) -> Result:
    return linkwright.run(network(text), workload, engine="emulation", **options)


def value(result: Result, metric: str) -> float:
    return float(result.filter(metric=metric).values()[0])


@pytest.mark.parametrize("text", [RING, HUB])
@pytest.mark.parametrize(
    "workload",
    [
        workloads.PingPong(size_bytes=1, repeats=5),
        workloads.Barrier(),
        workloads.Broadcast(size_bytes=20_000),
        workloads.AllToAll(size_bytes=2000),
    ],
    ids=lambda workload: workload.name,
)
def test_a_workload_gives_measured_rows(text: str, workload: workloads.Workload) -> None:
    result = emulated(text, workload)
    predicted = linkwright.run(network(text), workload, engine="packet")
    assert set(result.column("origin")) == {"measured"}
    assert set(result.column("engine")) == {"emulation"}
    own = ("latency", "time", "throughput", "aggregate_throughput")
    metrics = [metric for metric in predicted.column("metric") if metric in own]
    assert metrics
    for metric in metrics:
        assert value(result, metric) > 0


@pytest.mark.parametrize("dilation", [1.0, 4.0])
def test_ranks_of_one_node_talk_inside_it(dilation: float) -> None:
    """A message between them crosses no cable, and one from node to node does."""
    alone = workloads.PingPong(size_bytes=100_000, src=0, dst=1, repeats=3)
    apart = workloads.PingPong(size_bytes=100_000, src=0, dst=2, repeats=3)
    line_s = 100_000 * 8 / RATE_BPS
    for workload, is_local in ((alone, True), (apart, False)):
        result = emulated(HUB, workload, placement="row:2", dilation=dilation)
        assert (value(result, "latency") < line_s) is is_local
        assert (value(result, "frame_hops") == 0) is is_local
        remarks = [text for text in result.remarks if "loopback of its kernel" in text]
        assert len(remarks) == (dilation > 1)


def test_collectives_go_through_nodes_with_several_ranks() -> None:
    """More ranks than nodes, in an order that puts neighbours on other nodes."""
    placement = "0:1,1:2,2:1,3:1,0:1"
    result = emulated(RING, workloads.AllToAll(size_bytes=2000), placement=placement)
    assert value(result, "time") > 0


def test_no_stream_is_faster_than_its_cable() -> None:
    result = emulated(RING, workloads.PingPong(size_bytes=500_000, repeats=3), dilation=1.0)
    assert 0 < value(result, "throughput") * 8 < RATE_BPS
    # Line rate without headers needs 40 ms for half a megabyte.
    assert value(result, "latency") > 500_000 * 8 / RATE_BPS


def test_time_counts_in_seconds_of_the_network() -> None:
    """A message of many frames takes the time of its bits at any dilation."""
    for dilation in (1.0, 8.0):
        result = emulated(
            RING, workloads.PingPong(size_bytes=200_000, repeats=2), dilation=dilation
        )
        assert value(result, "latency") > 200_000 * 8 / RATE_BPS
        assert value(result, "latency") < 40 * 200_000 * 8 / RATE_BPS


def test_a_run_goes_on_by_the_fallback_route_after_a_cut() -> None:
    cut_s = 0.01
    cut = f"nic:n0:eth0 down at {cut_s}s"
    exchange = workloads.PingPong(size_bytes=100_000, repeats=10)
    result = emulated(RING, exchange, faults=[cut], dilation=1.0)
    assert value(result, "simulated_s") > cut_s
    assert value(result, "latency") > 0
    assert set(result.column("origin")) == {"measured"}


def test_a_fault_after_the_end_is_a_remark_with_its_real_time() -> None:
    result = emulated(RING, workloads.Barrier(), faults=["cable:0 down at 2min"], dilation=3.0)
    (late,) = [text for text in result.remarks if "never came" in text]
    assert "and it was due at 360 s of real time; choose" in late


@pytest.mark.parametrize("at_s", [0.0, 0.02])
def test_a_rank_that_dies_with_its_node_ends_the_run(at_s: float) -> None:
    exchange = workloads.PingPong(size_bytes=100_000, repeats=100)
    with pytest.raises(RunError, match=f"rank 1 died with its node at {at_s * 1e3:.3f} ms"):
        emulated(RING, exchange, faults=[f"node:n1 down at {at_s}s"], dilation=1.0)


def test_a_node_without_a_rank_may_fail() -> None:
    exchange = workloads.PingPong(size_bytes=1000, repeats=2)
    result = emulated(RING, exchange, faults=["node:n3 down at 0s"], dilation=1.0)
    assert value(result, "latency") > 0


def test_the_manifest_has_the_verdict() -> None:
    result = emulated(RING, workloads.Barrier(), dilation=4.0)
    (manifest,) = result.manifests
    verdicts = [text for text in manifest.remarks if "full frames of the fastest link" in text]
    assert len(verdicts) == 1
    assert "dilation 4" in verdicts[0]
    assert verdicts[0].split(":")[0] in {"faithful", "stretched", "invalid"}


def test_other_engines_have_no_dilation() -> None:
    with pytest.raises(CapabilityError, match="no dilation"):
        linkwright.run(network(RING), workloads.Barrier(), engine="packet", dilation=2.0)


def test_datagrams_are_refused() -> None:
    with pytest.raises(LinkwrightError, match="emulation"):
        emulated(RING, workloads.parse("datagrams", {}))
