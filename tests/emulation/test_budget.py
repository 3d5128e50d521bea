"""The dilation that an emulation chooses, the settings that its kernels get, and the verdict on
whether this machine kept up.
"""

from __future__ import annotations

import pytest

import linkwright
from linkwright import calibrations, workloads
from linkwright.design.cluster import Cluster
from linkwright.engines.emulation.budget import capacity, demand, dilation_for, frame_budget
from linkwright.engines.emulation.cluster import unwired
from linkwright.engines.emulation.verdict import Verdict
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.results import Run

HOSTS = calibrations.load("pentium-pro-200-linux-2.0")
FRAME_BITS = 1538 * 8


def network(topology: str) -> Network:
    return compile_network(Cluster.parse(f"name: t\ntopology: {topology}\n"))


@pytest.mark.parametrize(
    ("frames_per_s", "dilation"),
    [(1, 1), (1000, 1), (1001, 2), (2001, 5), (5001, 10), (10_001, 20), (4_900_000, 5000)],
)
def test_the_dilation_is_the_least_step_that_suffices(frames_per_s: float, dilation: float) -> None:
    assert dilation_for(frames_per_s, 1000) == dilation


def test_cables_carry_frames_both_ways_and_a_hub_one_at_a_time() -> None:
    frames_per_s = 100e6 / FRAME_BITS
    assert capacity(network("{kind: direct}")) == pytest.approx(2 * frames_per_s)
    assert capacity(network("{kind: hub, nodes: 12}")) == pytest.approx(frames_per_s)
    assert capacity(network("{kind: ring, shape: [5]}")) == pytest.approx(10 * frames_per_s)


def test_the_demand_is_that_of_the_network_and_not_of_its_hosts() -> None:
    ring = network("{kind: ring, shape: [4]}")
    fast, slow = (calibrations.load(name) for name in ("ideal-reno", "486dx4-100-linux-1.2"))
    for workload, most in ((workloads.Barrier(), 8 * 148_810), (workloads.AllToAll(), 8 * 148_810)):
        demands = [demand(Run(network=ring, workload=workload, hosts=one)) for one in (fast, slow)]
        assert min(demands) > 1000
        # The smallest frames follow each other at this rate, on all cables both ways.
        assert max(demands) < most


def test_this_machine_moves_frames() -> None:
    assert frame_budget() > 1000


def test_a_faster_network_gets_a_larger_dilation_and_every_row_has_it() -> None:
    def chosen(parts: str) -> float:
        text = f"name: t\ntopology: {{kind: direct}}\nparts: {parts}\n"
        workload = workloads.PingPong(size_bytes=100_000, repeats=1)
        result = linkwright.run(compile_network(Cluster.parse(text)), workload, engine="emulation")
        (dilation,) = {row["dilation"] for row in result.column("parameters")}
        return float(dilation)

    usb4 = "{catalogue: ethernet-2026, node: mini-pc, nic: usb4, cable: usb4-cable}"
    assert chosen("{catalogue: whitney-1997}") < chosen(usb4)


@pytest.mark.parametrize(("dilation", "floor_us"), [(1.0, 200_000), (50.0, 10_000_000)])
def test_kernels_have_the_calibrations_tcp(dilation: float, floor_us: int) -> None:
    ask = "cd /proc/sys/net/ipv4; cat tcp_congestion_control tcp_sack tcp_rmem; cat tcp_rto_min_us"
    with unwired(network("{kind: ring, shape: [3]}"), HOSTS, dilation=dilation) as up:
        done = up.sandbox.run("n1", ["sh", "-c", ask], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    # 16384 bytes of receive buffer, half of which is window in whole segments, or all of it.
    assert lines[:2] == ["reno", "0"]
    assert lines[2].split() in (["4096", "16384", "16384"], ["4096", "32768", "32768"])
    # Kernels before 6.11 have no setting for the floor.
    assert lines[3:] in ([], [str(floor_us)])


@pytest.mark.parametrize(
    ("frames", "waited", "word"),
    [
        (0.5, None, "faithful"),
        (0.5, 0.04, "faithful"),
        (0.5, 0.06, "stretched"),
        (1.1, 0.0, "stretched"),
        (9.0, 0.6, "invalid"),
        (11.0, None, "invalid"),
    ],
)
def test_the_worse_of_wires_and_ranks_decides(
    frames: float, waited: float | None, word: str
) -> None:
    found = Verdict(1e-4, frames, waited, 1.0)
    assert found.word == word
    assert found.text.startswith(word)


def test_a_run_without_frames_is_idle() -> None:
    assert Verdict(float("nan"), float("nan"), None, 1.0).word == "idle"
