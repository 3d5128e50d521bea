"""Other simulators get the input of our engines: the traffic, the routes and the parameters
of every case. That the drivers run is tested in tests/live/test_peers.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import ClassVar

import numpy as np
import pytest

import linkwright
from cases import CASES, BroadcastBarrier, Case
from linkwright import calibrations
from linkwright.engines import packet
from linkwright.engines.inputs import Run
from linkwright.workloads import Marks, Measurement, Workload
from linkwright.workloads.steps import Steps, join, mark, receive, repeat, send
from peers import tails
from peers.ablation import ABLATION_CASES, ABLATIONS, both_figures
from peers.contenders import CONTENDERS, EQUAL, PLAYED, network_of, ns3_command
from peers.drivers import DRIVERS, Driver, missing
from peers.equal import ns3_arguments
from peers.table import ablation_table, ratio_table, replaced
from peers.traffic import Traffic, traffic_of


class Told(Workload):
    """The file of a workload, read back: what a driver plays."""

    name: ClassVar[str] = "told"
    text: str

    def steps(self, n_ranks: int) -> Steps:
        first, rounds, *lines = self.text.splitlines()
        assert first == f"ranks {n_ranks}"
        steps = []
        for line in lines:
            rank, word, peer, size_bytes = line.split()
            if word == "send":
                steps.append(send(int(rank), int(peer), int(size_bytes)))
            else:
                assert word == "receive"
                steps.append(receive(int(rank), int(peer)))
        return join(mark(0), repeat(int(rounds.split()[1]), *steps), mark(1))

    def measure(self, marks: Marks) -> list[Measurement]:
        return [self._measurement("time", marks.span_s(0, 1), "s")]


def counts(case: Case, workload: Workload) -> dict[str, float]:
    network = linkwright.compile(linkwright.Cluster.parse(case.design))
    hosts = calibrations.load(EQUAL)
    return packet.counts(Run(network=network, workload=workload, hosts=hosts, seed=1))


@pytest.mark.parametrize(
    ("name", "workload"),
    [
        ("w1", CASES["w1"].workload),
        ("w3-144", PLAYED["w3-144"].workload),
        ("w5-switch", BroadcastBarrier(repeats=20)),
        ("w5-torus", BroadcastBarrier(repeats=20)),
    ],
)
def test_the_file_of_a_case_plays_as_the_case_does(name: str, workload: Workload) -> None:
    case = PLAYED[name]
    told = Told(text=traffic_of(workload, case.n_nodes).text())
    as_told, ours = counts(case, told), counts(case, workload)
    assert as_told["simulated_s"] == pytest.approx(ours["simulated_s"], rel=1e-6)
    assert as_told["frame_hops"] == pytest.approx(ours["frame_hops"], rel=1e-3)


def bytes_by_pair(traffic: Traffic, is_send: bool) -> dict[tuple[int, int], int]:
    chosen = traffic.is_send == is_send
    ends = (traffic.rank[chosen], traffic.peer[chosen])
    sender, receiver = ends if is_send else ends[::-1]
    pairs = list(zip(sender.tolist(), receiver.tolist(), strict=True))
    return {
        pair: sum(
            size
            for other, size in zip(pairs, traffic.size_bytes[chosen].tolist(), strict=True)
            if other == pair
        )
        for pair in set(pairs)
    }


@pytest.mark.parametrize("name", ["w1", "w3", "w4", "w5-switch"])
def test_all_that_is_sent_is_received(name: str) -> None:
    traffic = traffic_of(CASES[name].workload, CASES[name].n_nodes)
    assert bytes_by_pair(traffic, True) == bytes_by_pair(traffic, False)


def test_the_files_have_the_sizes_that_are_known() -> None:
    totals = {}
    for name, case in CASES.items():
        told = traffic_of(case.workload, case.n_nodes)
        size_bytes = told.size_bytes[told.is_send]
        totals[name] = (told.rounds, size_bytes.size, int(size_bytes.sum()))
    assert totals == {
        "w1": (1, 16, 16_000_000),
        "w2": (1, 64 * 63, 64 * 63 * 65_536),
        "w3": (1, 576, 576_000_000),
        "w4": (1, 16, 16_000_000),
        "w5-switch": (1000, 15 + 64, 15 * 8192 + 64),
        "w5-torus": (1000, 15 + 64, 15 * 8192 + 64),
    }


def test_what_is_no_loop_of_messages_is_refused() -> None:
    with pytest.raises(ValueError, match="no loop of messages"):
        traffic_of(linkwright.workloads.AllReduce(), 16)
    with pytest.raises(ValueError, match="not binomial"):
        traffic_of(BroadcastBarrier(repeats=1), 12)


def test_the_drivers_are_told_the_networks_of_the_cases() -> None:
    assert {name: network_of(name) for name in PLAYED} == {
        "w1": ("switch", "16"),
        "w2": ("switch", "64"),
        "w3": ("p-mesh", "24x24"),
        "w4": ("hub", "16"),
        "w5-switch": ("switch", "16"),
        "w5-torus": ("torus", "4x4"),
        "w2-16": ("switch", "16"),
        "w3-144": ("p-mesh", "12x12"),
    }


def nodes_on_the_way(network: linkwright.Network, source: int, destination: int) -> list[int]:
    way = network.core.path(source, int(network.addresses.identity[destination]))
    return [device for device, *_ in way if device < network.n_compute]


def test_packets_of_a_p_mesh_go_along_the_row_first_as_in_the_drivers() -> None:
    network = linkwright.compile(linkwright.Cluster.parse(PLAYED["w3-144"].design))
    for source, destination in np.random.default_rng(1).integers(0, 144, (50, 2)).tolist():
        corner = source // 12 * 12 + destination % 12
        expected = [source, corner] if corner not in (source, destination) else [source]
        if source != destination:
            assert nodes_on_the_way(network, source, destination)[: len(expected)] == expected


def test_packets_of_a_torus_go_along_the_row_first_and_by_parity_on_ties() -> None:
    network = linkwright.compile(linkwright.Cluster.parse(CASES["w5-torus"].design))
    for source in range(16):
        for destination in set(range(16)) - {source}:
            row, column = divmod(source, 4)
            d_row, d_column = (destination // 4 - row) % 4, (destination - column) % 4
            step = {1: 1, 2: 1 - (row + column) % 2 * 2, 3: -1}[d_column or d_row]
            if d_column:
                column = (column + step) % 4
            else:
                row = (row + step) % 4
            assert nodes_on_the_way(network, source, destination)[1] == row * 4 + column


def test_attributes_of_ns3_follow_from_the_calibration() -> None:
    equal = calibrations.load(EQUAL)
    changed = equal.changed({"tcp.initial_window": 3, "tcp.shortest_timeout_us": 7})
    before, after = ns3_arguments(equal), ns3_arguments(changed)
    assert {name: value for name, value in after.items() if before[name] != value} == {
        "ns3::TcpSocket::InitialCwnd": "3",
        "ns3::TcpSocketBase::MinRto": "7us",
    }
    options = {"tcp.sack": True, "tcp.timestamps": True, "tcp.congestion": "cubic"}
    options |= {"tcp.fast_retransmit": False, "tcp.ack_delay_us": 0, "tcp.limited_transmit": True}
    today = ns3_arguments(equal.changed(options))
    assert {name.split("::")[-1]: value for name, value in today.items() - before.items()} == {
        "Sack": "true",
        "Timestamp": "true",
        "SegmentSize": "1448",
        "SocketType": "ns3::TcpCubic",
        "ReTxThreshold": "1000000",
        "DelAckCount": "1",
        "DelAckTimeout": "0us",
        "LimitedTransmit": "true",
    }
    assert before["hostQueue"] == "99p"
    assert "--ns3::TcpSocket::SegmentSize=1460" in ns3_command("w1", before)


def test_all_send_to_the_same_rank_first_in_an_ordered_all_to_all() -> None:
    told = traffic_of(tails.OrderedAllToAll(size_bytes=100), 5)
    for rank in range(5):
        own = told.is_send & (told.rank == rank)
        assert told.peer[own].tolist() == sorted(set(range(5)) - {rank})
    assert set(told.size_bytes[told.is_send].tolist()) == {100}


def test_the_tails_are_played_with_the_queue_and_the_tcp_that_the_row_names() -> None:
    sack, _, linux_6 = tails.STACKS
    workload = tails.OrderedAllToAll()
    few, many = (tails.ours(workload, n_frames, sack) for n_frames in (43, 2_000))
    assert few
    assert many
    assert few["dropped"] > 1_000 > many["dropped"]
    today = tails.ours(workload, 172, linux_6)
    before = tails.ours(workload, 172, sack)
    assert today
    assert before
    assert today["timeouts"] <= 1 < before["timeouts"]


def test_stalls_are_runs_as_long_as_a_time_out() -> None:
    runs = [
        {"simulated_s": time_s, "dropped": 2, "retransmissions": 2, "timeouts": 1}
        for time_s in (0.001, 0.201, 0.002)
    ]
    row = {"workload": "w", "queue": "q", "stack": "s", "simulator": "ns-3", "runs": runs}
    last = tails.tails_table([row]).splitlines()[-1]
    assert last == "| w: s | q | ns-3 | 2.000 | 1 of 3 | 2 | 2 | 1 |"


def test_a_simulator_that_is_not_there_is_named_with_its_remedy() -> None:
    absent = Driver(
        name="absent",
        package="libabsent-dev",
        evidence="/no/such/file",
        sources=(),
        compiler=("g++",),
    )
    assert missing(absent) == (
        "absent is skipped: libabsent-dev is missing (apt-get install libabsent-dev)"
    )


def test_every_rival_plays_a_case_of_its_own() -> None:
    names = {one.name: one for one in CONTENDERS}
    for one in CONTENDERS:
        for case in one.cases if one.engine == "packet" else ():
            assert any(case in names[rival].cases for rival in one.rivals)
    assert {one.driver for one in CONTENDERS if one.driver} == set(DRIVERS)


def test_an_ablation_without_ns3_has_our_figures_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("peers.ablation.missing", lambda _: "not here")
    equal, slow = ABLATIONS[0], next(a for a in ABLATIONS if "initial_window" in str(a.both))
    first, second = both_figures(equal, "w1"), both_figures(slow, "w1")
    assert first["ns3"] == "not installed"
    assert isinstance(first["ours"], dict)
    assert isinstance(second["ours"], dict)
    assert second["ours"]["simulated_s"] > first["ours"]["simulated_s"]
    assert set(ABLATION_CASES) <= set(PLAYED)


def stored(run_s: float, peak_mb: float, **more: float) -> dict[str, float]:
    return {
        "simulated_s": 0.0867,
        "run_s": run_s,
        "run_cpu_s": run_s,
        "whole_s": run_s + 1,
        "whole_cpu_s": run_s + 0.5,
        "peak_bytes": peak_mb * 1e6,
        **more,
    }


def test_the_tables_of_stored_figures(golden: Callable[[str, str], None]) -> None:
    runs = {
        "w1": {
            "packet engine": [
                stored(0.004, 57, grown_bytes=1e6),
                stored(0.008, 57, grown_bytes=1e6),
            ],
            "ns-3": [stored(0.4, 24), stored(0.4, 24)],
        }
    }
    rows = [
        {
            "parameter": "all equal",
            "w1": {
                "ours": {"simulated_s": 0.0868, "dropped": 0, "timeouts": 0},
                "ns3": {"simulated_s": 0.0867, "dropped": 2, "retransmissions": 3, "timeouts": 1},
            },
        },
        {"parameter": "SACK", "w1": {"ours": None, "ns3": "crashes"}},
    ]
    tables = [ratio_table(runs, {"w1": "W1"}), ablation_table(rows, ["w1"])]
    golden("benchmarks/peers.md", "\n\n".join(tables) + "\n")


def test_a_page_without_the_block_is_refused() -> None:
    assert json.dumps(replaced("a<!-- b -->x<!-- end b -->c", "b", "y")) == (
        '"a<!-- b -->\\ny\\n<!-- end b -->c"'
    )
    with pytest.raises(ValueError, match="no block b"):
        replaced("nothing", "b", "y")
