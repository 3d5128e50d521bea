"""Watching connections: each rank pays for those that it has besides that of the message."""

from __future__ import annotations

import pytest

import linkwright
from linkwright import workloads

HOSTS = linkwright.calibrations.load("pentium-pro-200-linux-2.0")
WATCHING = HOSTS.changed({"messages.watch.us": 100.0})
ELSEWHERE = HOSTS.changed({"messages.watch.us": 0.0})


def time_s(workload: workloads.Workload, hosts: linkwright.Calibration, engine: str) -> float:
    """Return the mean of the first measure of a run on four nodes of a switch."""
    cluster = linkwright.Cluster(
        name="four",
        topology={"kind": "switch", "nodes": 4},
        parts={"catalogue": "whitney-1997"},
    )
    network = linkwright.compile(cluster)
    run = linkwright.run(network, workload, engine=engine, calibration=hosts, seed=1)
    return float(run.filter(metric=run.rows()[0].metric).values().mean())


@pytest.mark.parametrize("engine", ["analytic", "flow", "packet"])
def test_two_ranks_alone_pay_nothing_also_not_for_a_rendezvous(engine: str) -> None:
    both = [
        time_s(workloads.PingPong(size_bytes=[1, 300_000], repeats=2), hosts, engine)
        for hosts in (WATCHING, ELSEWHERE)
    ]
    assert both[0] == both[1]


def test_a_round_of_a_barrier_costs_the_connection_of_the_other_round() -> None:
    watched, free = (
        time_s(workloads.Barrier(repeats=10), hosts, "analytic") for hosts in (WATCHING, ELSEWHERE)
    )
    assert watched - free == pytest.approx(200e-6, rel=0.01)
