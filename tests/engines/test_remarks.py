"""Remarks on a run: idle nodes, faults that never came, time-outs; none where there is nothing.

Those on what fast engines leave out are in test_unmodelled.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import linkwright
from linkwright import engines, workloads
from linkwright.engines.inputs import Run
from linkwright.engines.packet import PACKET
from linkwright.engines.remarks import Ending, first_due, never_came, remarks
from linkwright.faults import parse
from linkwright.network import Network
from linkwright.workloads import WORKLOADS

IDEAL = "ideal-reno"


def network(topology: str, extra: str = "") -> Network:
    return linkwright.compile(linkwright.Cluster.parse(f"{{topology: {topology}{extra}}}"))


SWITCH_24 = "{kind: switch, nodes: 24}"
RING_3 = "{kind: ring, shape: [3]}"
FALLBACK = ", routing: {fallback: true}"


@pytest.mark.parametrize(
    ("name", "settings", "topology", "remark"),
    [
        (
            "npb.lu",
            {"class": "S"},
            SWITCH_24,
            "npb.lu runs on 16 of the 24 nodes: it needs a power of two",
        ),
        (
            "npb.sp",
            {"class": "A"},
            SWITCH_24,
            "npb.sp runs on 16 of the 24 nodes: it needs a square number",
        ),
        (
            "npb.bt",
            {"class": "S"},
            "{kind: switch, nodes: 25}",
            "npb.bt runs on 16 of the 25 nodes: class S is too small for more",
        ),
        (
            "npb.cg",
            {"class": "S", "ranks": 8},
            SWITCH_24,
            "npb.cg runs on 8 of the 24 nodes: ranks=8",
        ),
        ("barrier", {"ranks": 5}, SWITCH_24, "barrier runs on 5 of the 24 nodes: ranks=5"),
        ("broadcast", {"ranks": 5}, SWITCH_24, "broadcast runs on 5 of the 24 nodes: ranks=5"),
        (
            "token",
            {},
            SWITCH_24,
            "token runs on 14 of the 24 nodes: the default is 7 pairs",
        ),
        ("token", {}, RING_3, "token runs on 2 of the 3 nodes: each pair needs two"),
        ("token", {"pairs": 2}, SWITCH_24, "token runs on 4 of the 24 nodes: pairs=2"),
        (
            "hpl",
            {"n": 200, "nb": 50, "p": 5},
            SWITCH_24,
            "hpl runs on 20 of the 24 nodes: its grid has 5 x 4 ranks",
        ),
        (
            "recording",
            {"folder": "examples/halo/recording"},
            SWITCH_24,
            "recording runs on 4 of the 24 nodes: no more were recorded",
        ),
    ],
)
def test_nodes_without_a_rank_are_told_with_the_reason(
    name: str, settings: dict[str, object], topology: str, remark: str
) -> None:
    chosen = WORKLOADS[name](**settings)
    hosts = "pentium-ii-400-linux-2.2" if name == "hpl" else "pentium-pro-200-linux-2.0"
    result = engines.run(network(topology), chosen, engine="analytic", calibration=hosts)
    assert remark in result.remarks


@pytest.mark.parametrize("engine", ["analytic", "flow", "packet"])
def test_nothing_is_said_of_a_run_on_all_nodes(engine: str) -> None:
    for workload in (workloads.Barrier(), workloads.PingPong(size_bytes=1)):
        result = engines.run(network(RING_3), workload, engine=engine, calibration=IDEAL)
        assert result.remarks == ()


def after_faults(*faults: str, repeats: int = 1) -> tuple[str, ...]:
    ring, shift = network(RING_3, FALLBACK), workloads.Shift(size_bytes=100_000)
    return engines.run(ring, shift, calibration=IDEAL, faults=faults, repeats=repeats).remarks


def test_a_fault_after_the_end_never_came() -> None:
    (remark,) = after_faults("cable:0 down at 2min")
    assert remark.startswith("the fault 'cable:0 down at 2min' never came: the run ended at ")
    assert remark.endswith(" ms; choose an earlier time or a longer workload")
    assert after_faults("cable:0 loss 0.5 from 1s to 2s")[0].startswith("the fault 'cable:0 loss")
    assert (
        "never came: the last of 2 runs ended at"
        in after_faults("cable:0 down at 1s", repeats=2)[0]
    )


def test_the_real_time_of_a_dilated_fault_is_told() -> None:
    ring = network(RING_3)
    late = parse(["cable:0 down at 5s", "cable:1 down at 6s", "cable:2 down"], ring)
    (remark,) = never_came(late[:1], 0.6, 50.0)
    assert remark == (
        "the fault 'cable:0 down at 5s' never came: the run ended at 600 ms, and it was due at "
        "250 s of real time; choose an earlier time or a longer command"
    )
    assert "the first was due at 250 s of real time" in next(iter(never_came(late, 0.6, 50.0)))
    assert "real time" not in next(iter(never_came(late, 0.6, 1.0)))
    assert [*never_came(late, 6.5, 50.0)] == []
    (remark,) = first_due(late, 50.0)
    assert remark == "the fault 'cable:0 down at 5s' is due at 250 s of real time"
    assert [*first_due(late, 1.0)] == []


def test_faults_that_never_came_are_told_together() -> None:
    faults = [f"cable:{i} down at {at}s" for i in range(3) for at in (1, 2)]
    (remark,) = after_faults(*faults[:2])
    assert remark.startswith("the faults 'cable:0 down at 1s', 'cable:0 down at 2s' never came: ")
    (remark,) = after_faults(*faults)
    assert "'cable:1 down at 1s' and 3 more never came: " in remark


def test_a_fault_that_came_is_no_remark() -> None:
    assert after_faults("cable:0 loss 0", "cable:0 loss 0 from 100us to 200us") == ()


def told(*endings: Ending, faults: Sequence[str] = ()) -> tuple[str, ...]:
    hosts = linkwright.calibrations.load(IDEAL)
    ring, workload = network(RING_3), workloads.Barrier()
    run = Run(network=ring, workload=workload, hosts=hosts, faults=parse(faults, ring))
    return remarks(PACKET, run, endings)


def test_a_fault_may_come_in_some_runs_only() -> None:
    (remark,) = told(
        *(Ending(3, end_s) for end_s in (0.9, 0.5, 1.1)), faults=["cable:0 down at 1s"]
    )
    assert "never came in 2 of 3 runs: the last of them ended at 900 ms; choose" in remark


def test_time_outs_are_told_where_they_take_more_than_a_tenth() -> None:
    assert told(Ending(3, 2.0, n_timeouts=1, waited_s=0.2)) == ()
    (remark,) = told(Ending(3, 1.9, n_timeouts=1, waited_s=0.2))
    assert remark == (
        "TCP time-outs dominate barrier: during 200 ms of 1.9 s simulated (11%) at least one "
        "connection waits for one; 1 time-out of 200 ms or more"
    )
    (remark,) = told(Ending(3, 4), Ending(3, 4, 182, waited_s=3.0), Ending(3, 4, 5, waited_s=1.0))
    assert remark == (
        "TCP time-outs dominate barrier in 2 of 3 runs, at worst: during 3 s of 4 s simulated "
        "(75%) at least one connection waits for one; 182 time-outs of 200 ms or more each"
    )


def test_the_packet_engine_says_how_long_connections_waited() -> None:
    """The only cable of two nodes is cut for 100 ms: the run waits for one time-out of 200 ms."""
    pair, workload = network("{kind: direct}"), workloads.Shift(size_bytes=1_000_000)
    faults = ["cable:0 down at 20ms up at 120ms"]
    result = engines.run(pair, workload, calibration=IDEAL, faults=faults)
    (remark,) = result.remarks
    assert remark.startswith("TCP time-outs dominate shift: during ")
    (recovery_s,) = result.filter(metric="recovery_s").values()
    (simulated_s,) = result.filter(metric="simulated_s").values()
    waited_ms = float(remark.partition("during ")[2].partition(" ms")[0])
    assert waited_ms == pytest.approx(recovery_s * 1e3, rel=0.02)
    assert f"ms of {simulated_s * 1e3:.3g} ms simulated" in remark


def test_probes_are_named_apart_from_the_time_outs_that_the_metric_counts() -> None:
    (remark,) = told(Ending(3, 4, n_timeouts=1, n_probes=2, waited_s=3.0))
    assert remark.endswith(
        "waits for one; 1 time-out and 2 probes of a lost tail of 200 ms or more each "
        "(probes are not in `timeouts`)"
    )


def test_a_probe_that_waits_as_long_as_a_time_out_is_named() -> None:
    """Linux 6 repeats a single lost segment as a probe, after 200 ms because of delayed ACKs."""
    pair, workload = network("{kind: direct}"), workloads.Shift(size_bytes=1_000)
    faults = ["cable:0 loss 1 from 0s to 50ms"]
    result = engines.run(pair, workload, calibration="ideal-linux-6", faults=faults)
    assert result.filter(metric="timeouts").values() == [0]
    assert result.remarks[-1].endswith(
        "waits for one; 2 probes of a lost tail of 200 ms or more each "
        "(probes are not in `timeouts`)"
    )


def test_a_traced_run_has_the_same_remarks() -> None:
    pair, workload = network(RING_3), workloads.Barrier(ranks=2)
    result, _ = engines.watch(pair, workload, faults=["cable:0 down at 2min"])
    assert result.remarks == engines.run(pair, workload, faults=["cable:0 down at 2min"]).remarks
    assert len(result.remarks) == 2


def of_today(nic: str, *, node: str = "desktop-pc", workload: str = "ping-pong") -> tuple[str, ...]:
    """Return the remarks on a run of two computers of today."""
    cable = "usb4-cable" if nic in ("usb4", "usb4-amd") else "thunderbolt-5-cable"
    cable = "dac-100g" if "nic" in nic or "{" in nic else cable
    parts = f"{{catalogue: ethernet-2026, node: {node}, nic: {nic}, cable: {cable}}}"
    pair = linkwright.compile(
        linkwright.Cluster.parse(f"{{topology: {{kind: direct}}, parts: {parts}}}")
    )
    return linkwright.run(pair, WORKLOADS[workload]()).remarks


@pytest.mark.parametrize(
    ("nic", "node", "workload", "words"),
    [
        ("usb4", "mini-pc", "all-reduce", []),
        ("nic-100g", "server", "ping-pong", ["class mlx5 is an estimate"]),
        ("nic-100g", "server", "all-reduce", ["is an estimate", "MPI over TCP"]),
        ("nic-100g", "server", "barrier", ["is an estimate", "MPI over TCP"]),
        ("usb4", "mac-six-ports", "ping-pong", ["run macOS"]),
        ("usb4", "mac-six-ports", "all-reduce", ["run macOS", "MPI over TCP"]),
        ("thunderbolt-5", "mac-six-ports", "ping-pong", ["is not known", "run macOS"]),
        ("{rate_mbps: 100000}", "server", "ping-pong", ["name no class"]),
        ("{rate_mbps: 100000, nic_class: gigabit}", "server", "ping-pong", []),
    ],
)
def test_a_run_says_what_is_not_known_of_its_hosts(
    nic: str, node: str, workload: str, words: list[str]
) -> None:
    found = of_today(nic, node=node, workload=workload)
    assert len(found) == len(words), found
    for remark, word in zip(found, words, strict=True):
        assert word in remark


def test_nics_of_several_classes_are_modelled_as_the_most_frequent() -> None:
    mixed = linkwright.compile(linkwright.Cluster.load("examples/usb4-ring-and-lan.yaml"))
    result = linkwright.run(mixed, workloads.PingPong(size_bytes=1))
    assert set(result.column("calibration")) == {"linux-6-desktop nic=usb4"}
    (remark,) = [one for one in result.remarks if "several classes" in one]
    assert "usb4 (8 ports), multigigabit (4 ports)" in remark


def test_hosts_of_the_papers_have_no_remark_on_their_nics() -> None:
    found = linkwright.run(network("{kind: direct}"), workloads.AllReduce(repeats=2))
    assert found.remarks == ()
