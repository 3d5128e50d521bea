"""Settings of libraries for jobs: each machine has its own ports, and RDMA where it works.

UCX is run in `test_mpi.py`, by Open MPI.
"""

from __future__ import annotations

import pytest
from tests.plan.networks import network

from linkwright.design.cluster import Cluster
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import export
from linkwright.plan.exporters.network_plan import NetworkPlan


def lines(whole: Network, file: str, target: str) -> list[str]:
    text = export(whole, [target]).files[file]
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_every_machine_has_its_own_ports() -> None:
    nics = {"eth0": {"name": "enp1s0"}, "eth1": {"name": "enp2s0"}}
    ring = network("ring", shape=[4], sections={"nodes": {"n1": {"nics": nics}}})
    found = [lines(ring, f"nodes/{node}/ucx/environment", "ucx")[0] for node in ("n0", "n1")]
    assert found == ["UCX_NET_DEVICES=eth0,eth1", "UCX_NET_DEVICES=enp1s0,enp2s0"]
    hub = network("switch", nodes=3, sections={"nodes": {"n1": {"nics": {"eth0": nics["eth0"]}}}})
    for target, file, first in (
        ("gloo", "environment", "GLOO_SOCKET_IFNAME=enp1s0"),
        ("nccl", "nccl.conf", "NCCL_SOCKET_IFNAME==enp1s0"),
    ):
        assert lines(hub, f"nodes/n1/{target}/{file}", target)[0] == first
        assert lines(ring, f"nodes/n1/{target}/{file}", target)[0].endswith("=id0")


@pytest.mark.parametrize(
    ("whole", "links_all"),
    [
        (network("ring", shape=[3]), True),
        (network("ring", shape=[4]), False),
        (network("full-mesh", nodes=5), True),
        (network("hub", nodes=5), True),
        (network("p-mesh", shape=[2, 2]), False),
        (network("torus", shape=[2, 2]), False),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_rdma_is_left_on_where_every_pair_of_nodes_has_a_link(
    whole: Network, links_all: bool
) -> None:
    assert NetworkPlan(whole).links_all_pairs == links_all
    assert ("NCCL_IB_DISABLE=1" in lines(whole, "nodes/n0/nccl/nccl.conf", "nccl")) != links_all


def test_a_failed_cable_of_a_triangle_takes_rdma_away() -> None:
    cluster = Cluster.from_fields({"topology": {"kind": "ring", "shape": [3]}})
    left = compile_network(cluster, without=["c0"])
    assert not NetworkPlan(compile_network(cluster), left).links_all_pairs


def test_advice_that_contradicts_itself_is_named_and_not_set() -> None:
    text = export(network("ring", shape=[3]), ["nccl"]).files["nodes/n0/nccl/nccl.conf"]
    assert "# NCCL_IB_MERGE_NICS: 1 (tonyd2wild/" in text
    assert "\nNCCL_IB_MERGE_NICS" not in text
    assert (
        "MERGE_NICS"
        not in export(network("hub", nodes=3), ["nccl"]).files["nodes/n0/nccl/nccl.conf"]
    )
