"""The packet engine through the package: frames and errors, and what must not change a run.

The laws of frames and bytes are tested in the crate (crates/packet/tests), latencies and
throughputs against printed figures in tests/calibrations.
"""

from __future__ import annotations

import pytest
from tests.kinds import KINDS, compiled, figure, network

import linkwright
from linkwright import calibrations, engines, workloads
from linkwright.engines import packet
from linkwright.engines.inputs import Run
from linkwright.engines.rows import result_of_run
from linkwright.errors import RunError, UsageError
from linkwright.results import Result


@pytest.mark.parametrize("kind", ["torus", "p-mesh", "switch"])
def test_ipv6_costs_its_longer_header_and_nothing_else(kind: str) -> None:
    ping = workloads.PingPong(size_bytes=1)
    v4 = figure(engines.run(network(kind), ping), "latency")
    v6_network = compiled(KINDS[kind], addressing={"ipv6": "fd00:6c77::/48", "ipv4": None})
    v6 = figure(engines.run(v6_network, ping), "latency")
    # 20 bytes more of header on 100 Mb/s, once per wire; forwarding copies them too.
    assert 1e-6 < v6 - v4 < 6e-6


def test_an_idle_hub_is_a_direct_link() -> None:
    sizes = (1, 1024, 8000)
    on_hub = engines.run(network("hub"), workloads.PingPong(size_bytes=sizes))
    direct = engines.run(network("direct"), workloads.PingPong(size_bytes=sizes))
    for size_bytes in sizes:
        hub_s, direct_s = (
            result.filter({"size_bytes": size_bytes}, metric="latency").values()[0]
            for result in (on_hub, direct)
        )
        # The hub's delay, and at 8 KB the wait for acknowledgements that share the medium.
        assert direct_s < hub_s < 1.08 * direct_s, size_bytes


def test_a_hub_switch_is_a_switch_at_density_one_and_a_hub_within_its_hubs() -> None:
    sizes = (1, 1024, 8192)

    def latencies_s(kind: str, dst: int) -> list[float]:
        ping = workloads.PingPong(size_bytes=sizes, dst=dst)
        found = engines.run(network(kind), ping)
        return [float(found.filter({"size_bytes": s}, metric="latency").values()[0]) for s in sizes]

    for dst in (1, 4):
        assert latencies_s("hub-switch nodes=5,density=1", dst) == latencies_s("switch", dst)
    assert latencies_s("hub-switch", 1) == latencies_s("hub", 1)
    # Between hubs: each of the two adds what one adds, and the switch stores what it cannot know
    # to be whole before its last bit, 58 bytes of headers and at least one of message.
    direct_s, hub_s, switch_s = (latencies_s(kind, 1)[0] for kind in ("direct", "hub", "switch"))
    least_s = switch_s + 2 * (hub_s - direct_s)
    assert least_s + 59 * 8e-8 < latencies_s("hub-switch", 4)[0] < least_s + 120 * 8e-8


def test_repeats_on_all_cores_are_the_single_runs() -> None:
    hub, storm = network("hub"), workloads.Shift(size_bytes=20_000)
    together = engines.run(hub, storm, seed=3, repeats=4).reproducible()
    hosts = calibrations.load(hub.calibration)
    runs = [Run(network=hub, workload=storm, hosts=hosts, seed=3 + i, repeat=i) for i in range(4)]
    ended = [packet.PACKET.simulate(run) for run in runs]
    alone = Result.concatenate(
        result_of_run(one.run, one.measurements, one.figures) for one in ended
    ).reproducible()
    assert together.to_json() == alone.to_json()
    assert len({together.filter(metric="time", repeat=i).values()[0] for i in range(4)}) > 1


def test_frames_are_accounted_for() -> None:
    storm = workloads.Shift(size_bytes=20_000)
    hosts = calibrations.load("ideal-reno")
    counted = packet.counts(Run(network=network("hub"), workload=storm, hosts=hosts, seed=3))
    reasons = ("at_queues", "at_receivers", "by_collisions", "without_route")
    assert counted["frames_dropped"] == sum(counted[f"dropped_{reason}"] for reason in reasons)
    accounted = ("frames_consumed", "frames_dropped", "frames_in_flight")
    assert counted["frames_created"] == sum(counted[name] for name in accounted) > 0
    assert counted["connections"] == 5
    assert counted["connection_bytes"] > 0
    assert counted["node_bytes"] > 0


def test_watching_a_run_does_not_change_it() -> None:
    workload = workloads.Broadcast(size_bytes=4096, repeats=2)
    torus = network("torus")
    result, watched = engines.watch(torus, workload, seed=5)
    plain = engines.run(torus, workload, seed=5)
    assert result.reproducible().to_json() == plain.reproducible().to_json()
    assert watched.capture[:4] == b"\x0a\x0d\x0d\x0a"


def test_unknown_engine_and_calibration_are_named() -> None:
    with pytest.raises(UsageError, match="packets"):
        engines.run(network("direct"), workloads.Barrier(), engine="packets")
    with pytest.raises(linkwright.DesignError, match="pentium"):
        engines.run(network("direct"), workloads.Barrier(), calibration="pentium")


def test_a_workload_that_does_not_fit_is_refused() -> None:
    with pytest.raises(UsageError, match="dst is 7"):
        engines.run(network("direct"), workloads.PingPong(dst=7))


def test_a_lost_connection_is_an_error_that_names_its_ends() -> None:
    with pytest.raises(RunError, match="rank 0 to rank 1 gave up after 15"):
        engines.run(network("direct"), workloads.PingPong(size_bytes=1), faults=["cable:c0 loss 1"])


def test_flows_of_a_permutation_collide_in_a_fat_tree_and_not_on_a_switch() -> None:
    """Its cables carry any permutation at full rate, but a hash chooses among them."""

    def time_s(topology: str) -> float:
        design = f"{{topology: {topology}, parts: {{catalogue: whitney-1998}}}}"
        built = linkwright.compile(linkwright.Cluster.parse(design))
        storm = workloads.Permutation(size_bytes=1_000_000, seed=1)
        return figure(engines.run(built, storm, calibration="ideal-reno"), "simulated_s")

    # Two or three flows of 1 MB share a link of 100 Mb/s, where one alone takes 0.08 s.
    assert time_s("{kind: fat-tree, k: 4}") > 1.5 * time_s("{kind: switch, nodes: 16}")
