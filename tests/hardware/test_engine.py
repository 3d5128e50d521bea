"""The hardware engine on machines that are processes of this one: messages, collectives, clocks,
and refusals.

No test judges a time: this machine is busy.
"""

from __future__ import annotations

import ast
import json
import os
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from linkwright import Cluster, calibrations, run, workloads
from linkwright import compile as compile_network
from linkwright.errors import CapabilityError, RunError
from linkwright.hardware.clocks import Alignment, Clock
from linkwright.hardware.fleet import Fleet, Place, WrongPlaneError, fleet_of
from linkwright.hardware.operations import operations_of, peers_of
from linkwright.hardware.program import program
from linkwright.machines import Local
from linkwright.machines.agents import Agent
from linkwright.program import compile_program
from linkwright.workloads import AllReduce, PingPong, Workload
from linkwright.workloads.steps import Steps, join, mark, receive, send

NETWORK = compile_network(
    Cluster.parse(
        "{name: four, topology: {kind: switch, nodes: 4}, parts: {catalogue: ethernet-2026}}"
    )
)
NAMES = NETWORK.device_names[:4]
HOSTS = calibrations.load("linux-6-desktop")


@pytest.fixture(scope="module")
def fleet() -> Iterator[Fleet]:
    places = [
        Place(name, Local(name), f"127.0.0.{1 + number}", ()) for number, name in enumerate(NAMES)
    ]
    with fleet_of(places) as found:
        yield found


def measured(fleet: Fleet, workload: Workload, **inputs: Any) -> Any:
    return run(NETWORK, workload, engine="hardware", machines=fleet, **inputs)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("ping-pong", {"size_bytes": "1,100000,3000000", "src": "3", "dst": "1"}),
        ("all-reduce", {"size_bytes": "300000", "library": "mpich-4"}),
        ("all-to-all", {"size_bytes": "100000"}),
        ("barrier", {}),
        ("incast", {"size_bytes": "70000"}),
    ],
)
def test_workloads_have_the_figures_of_the_other_engines(
    fleet: Fleet, name: str, settings: dict[str, str]
) -> None:
    workload = workloads.parse(name, settings)
    found = measured(fleet, workload)
    predicted = run(NETWORK, workload, engine="analytic", calibration=HOSTS)
    figures = [(one.metric, dict(one.parameters)) for one in predicted if one.metric != "events"]
    own_figures = ("retransmissions", "waited_share", "clock_error_s")
    own = [(one.metric, dict(one.parameters)) for one in found if one.metric not in own_figures]
    assert own == figures
    assert {(one.engine, one.origin) for one in found} == {("hardware", "measured")}
    assert all(one.value > 0 for one in found if one.metric in ("latency", "time", "throughput"))
    assert any("clocks agree to" in one for one in found.remarks)


def test_several_ranks_of_a_machine_have_a_process_each(fleet: Fleet) -> None:
    found = measured(fleet, AllReduce(size_bytes=8), placement="row:2", calibration=HOSTS)
    assert {one.parameters["placement"] for one in found} == {"row:2"}


def test_loops_stay_loops_and_collectives_are_their_messages() -> None:
    written = operations_of(compile_program(PingPong(size_bytes=(1, 8)), 3, hosts=HOSTS))
    assert [len(one) for one in written] == [7, 3, 0]
    reduced = operations_of(compile_program(AllReduce(size_bytes=8), 4, hosts=HOSTS))
    assert peers_of(reduced)[0] == [1, 2, 3]
    assert len(json.dumps(reduced)) < 6_000


class _Stuck(Workload):
    """Rank 0 waits for a message that rank 1 sends after one of rank 0."""

    name = "stuck"

    def steps(self, n_ranks: int) -> Steps:
        return join(mark(0, 0), receive(0, 1), send(0, 1, 8), receive(1, 0), send(1, 0, 8))

    def measure(self, marks: Any) -> list[Any]:
        return []


def test_a_machine_that_ends_in_the_middle_ends_the_run(fleet: Fleet) -> None:
    places = list(fleet.places.values())[:2]
    with fleet_of(places) as two, ExitStack() as at_end:
        talk = two.agents[NAMES[1]].talk
        assert talk is not None
        killer = subprocess.Popen(["sh", "-c", f"sleep 1.5; kill -9 {talk.process.pid}"])
        at_end.callback(killer.wait)
        with pytest.raises(RunError, match=r"has ended"):
            measured(two, _Stuck())


def test_no_process_outlives_the_command(fleet: Fleet) -> None:
    agent = Agent(Local("n0"), program(), {"version": 1, "token": "0" * 16, "nics": []}).start()
    job = {"rank": 0, "address": "127.0.0.1", "peers": [], "rendezvous_from": 1,
           "operations": ""}  # fmt: skip
    agent.ask("ranks", [job], longest_s=10)
    assert agent.talk is not None
    own = agent.talk.process.pid
    ranks = Path(f"/proc/{own}/task/{own}/children").read_text().split()
    assert len(ranks) == 1
    os.kill(own, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while Path(f"/proc/{ranks[0]}").exists() and _state(ranks[0]) != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.02)
    agent.end()


def test_a_rank_that_fails_in_any_way_is_no_second_agent() -> None:
    agent = Agent(Local("n0"), program(), {"version": 1, "token": "0" * 16, "nics": []}).start()
    job = {"rank": 0, "address": "127.0.0.1", "peers": [], "rendezvous_from": 1,
           "operations": "no base64"}  # fmt: skip
    agent.ask("ranks", [job], longest_s=10)
    assert "rank 0: " in agent.ask("connect", {}, longest_s=10)["error"]
    assert isinstance(agent.ask("now", None, longest_s=10), int)
    assert agent.ask("ranks", [{"rank": 1}], longest_s=10) == {
        "error": "rank 1: KeyError: 'address'"
    }
    assert agent.ask("release", None, longest_s=10) is True
    agent.end()


def test_strangers_on_the_port_of_a_rank_do_not_end_the_run() -> None:
    token = "0" * 16
    agent = Agent(Local("n0"), program(), {"version": 1, "token": token, "nics": []}).start()
    job = {"rank": 0, "address": "127.0.0.1", "peers": [1], "rendezvous_from": 1, "operations": ""}
    (port,) = agent.ask("ranks", [job], longest_s=10)
    with ExitStack() as open_ones:
        silent, rude, known = (
            open_ones.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(3)
        )
        rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        rude.close()
        known.sendall(token.encode() + (1).to_bytes(4, "big"))
        # It is connected, and only then fails at the operations.
        assert "no connection" not in str(agent.ask("connect", {}, longest_s=10))
        assert silent.fileno() >= 0
    agent.end()


def _state(process: str) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_the_program_is_one_of_python_3_7() -> None:
    ast.parse(program(), feature_version=(3, 7))
    assert "import linkwright" not in program()
    assert "strict=" not in program()


def test_another_version_of_the_protocol_is_refused() -> None:
    agent = Agent(Local("n0"), program(), {"version": 99, "token": "0" * 16, "nics": []})
    with pytest.raises(RunError, match="version 99 of the protocol"):
        agent.start()
    agent.end()


def test_traffic_never_leaves_by_an_interface_that_is_not_of_the_plan(fleet: Fleet) -> None:
    moved = fleet.with_addresses({NAMES[1]: "192.0.2.1"})
    with pytest.raises(WrongPlaneError, match=rf"from {NAMES[0]} to {NAMES[1]} leave by"):
        measured(moved, PingPong(size_bytes=1))


def test_what_machines_cannot_do_is_refused_by_name(fleet: Fleet) -> None:
    with pytest.raises(CapabilityError, match="datagrams"):
        measured(fleet, workloads.parse("datagrams", {}))
    with pytest.raises(CapabilityError, match="needs machines that are up"):
        run(NETWORK, PingPong(), engine="hardware")


def test_a_clock_that_drifts_is_read_between_its_alignments() -> None:
    clock = Clock(Alignment(0, 100, 30), Alignment(1000, 200, 50))
    assert clock.reference_ns(500) == 500 + 150
    assert clock.error_s == pytest.approx(50e-9)
