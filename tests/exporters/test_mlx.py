"""Host files of MLX: the order of the ranks, and a ring of MLX on emulated nodes.

The latter needs the package `mlx`, whose ring works on Linux without a GPU.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from tests.kinds import KINDS
from tests.kinds import network as kind
from tests.namespaces import why_missing
from tests.plan.networks import network

from linkwright import calibrations
from linkwright.emulation.cluster import cabled
from linkwright.errors import CapabilityError
from linkwright.network import Network
from linkwright.plan import export
from linkwright.plan.exporters.network_plan import NetworkPlan

MISSING = "" if importlib.util.find_spec("mlx") else "mlx: pip install mlx mlx-cpu"
REASON = why_missing("tests/exporters") or MISSING
SUM = """
import mlx.core as mx
group = mx.distributed.init(strict=True, backend="ring")
print(group.rank(), int(mx.distributed.all_sum(mx.ones(1))[0]))
"""
PORT = 5000


def files(whole: Network) -> dict[str, str]:
    place = "nodes/all/mlx/"
    found = export(whole, ["mlx"]).files
    return {name.removeprefix(place): text for name, text in found.items() if place in name}


@pytest.mark.parametrize("name", KINDS)
def test_every_node_is_a_rank_and_steps_without_a_link_are_named(name: str) -> None:
    whole = kind(name)
    plan, found = NetworkPlan(whole), files(whole)
    hosts = [one["ssh"] for one in json.loads(found["hostfile.json"])["hosts"]]
    names = [host.name for host in plan.hosts]
    assert sorted(hosts) == sorted(names[: whole.n_compute])
    for one, other in pairwise([*hosts, hosts[0]]):
        a, b = (plan.segments[names.index(host)] for host in (one, other))
        assert (f"#   {one} to {other}\n" in found["reasons.txt"]) == (not a & b)


@pytest.mark.parametrize("shape", [(4, 4), (3, 4), (2, 3, 4), (6,)])
def test_ranks_walk_a_torus_over_its_cables(shape: tuple[int, ...]) -> None:
    if len(shape) == 1:
        assert "packets are relayed" not in files(network("ring", shape=[*shape]))["reasons.txt"]
        return
    whole = network("torus", shape=[*shape])
    plan = NetworkPlan(whole)
    hosts = [one["ssh"] for one in json.loads(files(whole)["hostfile.json"])["hosts"]]
    numbers = [whole.device_names.index(host) for host in hosts]
    assert all(plan.segments[a] & plan.segments[b] for a, b in pairwise(numbers))


def test_a_full_mesh_has_rdma_devices_towards_every_rank() -> None:
    nics = {"eth0": {"name": "en2"}, "eth1": {"name": "en3"}}
    whole = network("ring", shape=[3], sections={"nodes": {"n0": {"name": "mac", "nics": nics}}})
    rdma = [one["rdma"] for one in json.loads(files(whole)["jaccl.json"])["hosts"]]
    assert rdma[0] == [None, "rdma_en2", "rdma_en3"]
    assert [row[rank] for rank, row in enumerate(rdma)] == [None] * 3
    assert "jaccl.json" not in files(network("ring", shape=[4]))


def test_macs_are_met_at_addresses_that_they_have() -> None:
    nodes = {f"n{node}": {"management": f"192.168.1.1{node}"} for node in range(4)}
    parts = {"catalogue": "ethernet-2026", "node": "mac-six-ports"}
    parts |= {"nic": "thunderbolt-5", "cable": "thunderbolt-5-cable"}
    whole = network("full-mesh", nodes=4, sections={"parts": parts, "nodes": nodes})
    found, plan = files(whole), {node.number: node for node in NetworkPlan(whole).nodes()}
    meet = [one["ips"] for one in json.loads(found["jaccl.json"])["hosts"]]
    assert meet == [[f"192.168.1.1{node}"] for node in range(4)]
    for rank, host in enumerate(json.loads(found["hostfile.json"])["hosts"]):
        before = plan[(rank - 1) % 4].host.name
        towards = [port for port in plan[rank].ports if port.peers[0].startswith(f"{before}:")]
        assert f"{host['ips'][0]}/31" in towards[0].addresses
    assert "no target writes settings of macOS" in found["reasons.txt"].replace("\n# ", " ")


def test_ipv6_alone_is_refused() -> None:
    with pytest.raises(CapabilityError, match="IPv6 alone"):
        files(network("ring", shape=[3], sections={"addressing": {"ipv6": True, "ipv4": False}}))


@pytest.mark.slow
@pytest.mark.skipif(bool(REASON), reason=REASON)
def test_a_ring_of_mlx_adds_over_the_identities(tmp_path: Path) -> None:
    whole = network("torus", shape=[2, 3], sections={"parts": {"catalogue": "ethernet-2026"}})
    hosts = json.loads(files(whole)["hostfile.json"])["hosts"]
    # In the form in which mlx.launch gives them to the processes.
    (tmp_path / "hosts.json").write_text(json.dumps([[f"{one['ips'][0]}:{PORT}"] for one in hosts]))
    words = [f"MLX_HOSTFILE={tmp_path}/hosts.json", "timeout", "30", sys.executable, "-c", SUM]
    with cabled(whole, calibrations.load(whole.calibration)) as cluster:
        running = [
            cluster.sandbox.machine(one["ssh"]).start(
                ["env", f"MLX_RANK={rank}", *words], stdout=subprocess.PIPE, text=True
            )
            for rank, one in enumerate(hosts)
        ]
        printed = sorted(one.communicate()[0] for one in running)
    assert printed == [f"{rank} 6\n" for rank in range(6)]
