"""The traffic of ports over time: equal to the counters of the run and to its capture, between
engines and after a cut.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np
import pytest

from linkwright import engines, workloads
from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError, UsageError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.observations.traffic import Traffic

RING = "name: t\ntopology: {kind: ring, shape: [4]}\nrouting: {fallback: true}\n"
HUB = "name: t\ntopology: {kind: hub, nodes: 3}\n"


def network(text: str) -> Network:
    return compile_network(Cluster.parse(text))


def traffic_of(text: str, workload: workloads.Workload, faults: Sequence[str] = ()) -> Traffic:
    _, watched = engines.watch(network(text), workload, has_capture=False, faults=faults)
    return watched.traffic


def test_every_frame_is_counted_where_it_is_sent() -> None:
    workload = workloads.AllToAll(size_bytes=5000)
    result, watched = engines.watch(network(RING), workload)
    (hops,) = result.filter(metric="frame_hops").values()
    assert watched.traffic.frames_sent.sum() == hops
    assert watched.traffic.frames_received.sum() == hops
    assert watched.traffic.bytes_sent.sum() == watched.traffic.bytes_received.sum()


def test_on_a_hub_a_frame_counts_at_its_two_nodes() -> None:
    traffic = traffic_of(HUB, workloads.PingPong(size_bytes=1000, repeats=2))
    sent = dict(zip(traffic.ports, traffic.bytes_sent.sum(axis=0).tolist(), strict=True))
    received = dict(zip(traffic.ports, traffic.bytes_received.sum(axis=0).tolist(), strict=True))
    assert sent["n0:eth0"] == received["n1:eth0"] > 2 * 1000
    assert sent["n1:eth0"] == received["n0:eth0"] > 2 * 1000
    assert {port for port, n_bytes in received.items() if n_bytes} == {"n0:eth0", "n1:eth0"}


def test_a_long_run_has_longer_spans() -> None:
    traffic = traffic_of(RING, workloads.PingPong(size_bytes=1_000_000, repeats=20))
    assert traffic.span_s > 1e-3
    assert len(traffic.bytes_sent) <= 2048
    time_s, rate = traffic.received_by("n1")
    assert len(time_s) == len(rate)
    assert np.sum(rate) * traffic.span_s >= 20 * 1_000_000


def test_a_cut_moves_the_stream_to_the_other_way() -> None:
    workload = workloads.PingPong(size_bytes=4_000_000, repeats=1)
    traffic = traffic_of(RING, workload, faults=["nic:n0:eth0 down at 0.1s"])
    sent = {port: traffic.bytes_sent[:, index] for index, port in enumerate(traffic.ports)}
    cut = int(0.1 / traffic.span_s)
    first, other = sent["n0:eth0"], sent["n0:eth1"]
    used_before = first if first[:cut].sum() > other[:cut].sum() else other
    used_after = other if used_before is first else first
    assert used_before is first, "the stream takes the port that is cut"
    assert used_before[cut + 1 :].sum() == 0
    assert used_after[cut + 1 :].sum() > 0


def test_the_table_has_a_row_for_each_span_and_port_with_traffic() -> None:
    traffic = traffic_of(HUB, workloads.Barrier())
    rows = list(csv.DictReader(io.StringIO(traffic.csv)))
    assert sum(int(row["bytes_sent"]) for row in rows) == traffic.bytes_sent.sum()
    assert {(row["device"], row["port"]) for row in rows} >= {("n0", "eth0"), ("n2", "eth0")}


def test_an_unknown_device_is_named() -> None:
    traffic = traffic_of(HUB, workloads.Barrier())
    with pytest.raises(UsageError, match="no device 'n9'"):
        traffic.received_by("n9")


def test_an_engine_without_frames_has_no_traffic() -> None:
    with pytest.raises(CapabilityError, match="no frames"):
        engines.watch(network(HUB), workloads.Barrier(), engine="flow")
