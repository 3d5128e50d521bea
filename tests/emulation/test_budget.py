"""The dilation that an emulation chooses, the settings that its kernels get, and the verdict on
whether this machine kept up.
"""

from __future__ import annotations

import pytest

import linkwright
from linkwright import calibrations, workloads
from linkwright.design.cluster import Cluster
from linkwright.emulation import budget
from linkwright.emulation.budget import capacity, dilation_for, frame_budget
from linkwright.emulation.cluster import unwired
from linkwright.emulation.settings import dilated, tcp_settings
from linkwright.emulation.verdict import Judgement
from linkwright.engines.emulation import demand
from linkwright.engines.inputs import Run
from linkwright.errors import RunError
from linkwright.network import Network
from linkwright.network import compile as compile_network

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
    asked, free = (
        Run(network=ring, workload=workloads.Barrier(), hosts=hosts)
        for hosts in (HOSTS, HOSTS.without_costs())
    )
    assert demand(asked) == demand(free)
    predicted = linkwright.run(ring, asked.workload, calibration=HOSTS)
    (hops,) = predicted.filter(metric="frame_hops").values()
    (simulated_s,) = predicted.filter(metric="simulated_s").values()
    assert demand(asked) > 2 * hops / simulated_s, "hosts of 1997 take most of the time"


def test_hosts_are_as_much_faster_as_their_network_is_slower() -> None:
    found = dilated(HOSTS, 20.0)
    assert found["host.forward.us"] == HOSTS.host.forward.us / 20
    assert found["host.send.us_per_byte"] == HOSTS.host.send.us_per_byte / 20
    assert found["tcp.first_timeout_us"] == round(HOSTS.tcp.first_timeout_us.value / 20)
    # The kernel is set to wait longer before it sends again.
    assert "tcp.shortest_timeout_us" not in found


def test_this_machine_moves_frames() -> None:
    assert frame_budget() > 1000


def test_a_machine_too_busy_to_move_frames_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "TRIAL_S", 0.0)
    monkeypatch.setattr(budget, "MOST_TRIALS", 2)
    with pytest.raises(RunError, match="too few to choose a dilation"):
        frame_budget()


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
        done = up.sandbox.machine("n1").run(["sh", "-c", ask])
    lines = done.output.splitlines()
    # Half of 16384 bytes is window, and a kernel counts twice the data.
    assert lines[:3] == ["reno", "0", "4096\t16384\t16384"]
    # Kernels before 6.11 have no setting for the floor.
    assert lines[3:] in ([], [str(floor_us)])


@pytest.mark.parametrize(
    ("hosts", "received", "sent"),
    [
        ("ideal-linux-6", "4096 131072 6291456", "4096 4096 4194304"),
        ("ideal-reno", "4096 262144 262144", "4096 262144 262144"),
    ],
)
def test_buffers_of_kernels_grow_where_those_of_the_calibration_do(
    hosts: str, received: str, sent: str
) -> None:
    settings = dict(tcp_settings(calibrations.load(hosts), 1.0))
    assert (settings["ipv4/tcp_rmem"], settings["ipv4/tcp_wmem"]) == (received, sent)


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
    found = Judgement(1e-4, frames, waited, 1.0)
    assert found.word == word
    assert found.text.startswith(word)


@pytest.mark.parametrize(
    ("behind", "starved", "said"),
    [
        (0.2, 0.0, "up to 25% too long"),
        (0.0, 0.2, "up to 25% too long"),
        (0.1, 0.4, "up to 100% too long"),
        (0.5, 0.49, "more than 10 times too long"),
        (0.9, 0.2, "more than 10 times too long"),
    ],
)
def test_a_stretched_run_says_how_large_its_error_may_be(
    behind: float, starved: float, said: str
) -> None:
    found = Judgement(1e-4, 2.0, 0.1, 1.0, behind, starved=starved)
    assert said in found.text
    assert "too long" not in Judgement(1e-4, 0.5, 0.01, 1.0, 0.01, starved=0.2).text
    assert "too long" not in Judgement(1e-4, 20.0, 0.01, 1.0, 0.2).text, (
        "an invalid run has no bound"
    )


@pytest.mark.parametrize(
    ("frames", "waited", "dilation", "needed"),
    [(0.5, 0.55, 1.0, 50), (0.5, 0.2, 5.0, 50), (0.5, 0.12, 10.0, 50), (14.45, 0.001, 1.0, 20)],
)
def test_the_dilation_that_would_do_is_said(
    frames: float, waited: float, dilation: float, needed: float
) -> None:
    """The waiting is that of shifts by sixteen ranks, which were faithful at dilation 50."""
    found = Judgement(1e-4, frames, waited, dilation)
    assert found.text.endswith(f"; try --dilation {needed}, or a quiet machine")


def test_other_programs_are_named_and_their_effect_needs_no_dilation() -> None:
    quiet = "; try a quiet machine (other programs took 63% of its processors)"
    assert Judgement(1e-4, 0.5, 0.4, 10.0, others=0.634).text.endswith(quiet)
    late = Judgement(1e-4, 4.0, 0.4, 10.0, others=0.634)
    assert late.text.endswith(f"{quiet} and --dilation 50")


def test_a_command_of_many_ranks_gets_a_larger_dilation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The frames of a hub would fit into this machine, and its sixteen ranks would not."""
    monkeypatch.setattr(budget, "frame_budget", lambda: 50_000.0)
    hub = network("{kind: hub, nodes: 16}")

    def chosen(n_ranks: int, n_processors: int = 2) -> float:
        monkeypatch.setattr(budget, "n_cores", lambda: n_processors)
        return budget.dilation_of_command(hub, n_ranks)

    assert chosen(0) == 1
    assert 1 < chosen(2) <= chosen(16)
    assert chosen(16) > chosen(16, 16)


def test_a_run_without_frames_is_idle() -> None:
    assert Judgement(float("nan"), float("nan"), None, 1.0).word == "idle"
