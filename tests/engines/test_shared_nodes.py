"""Several ranks on a node: messages between them, and the processors that they share.

Expected times are computed from the constants of the calibration, by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

import linkwright
from linkwright import calibrations, engines, workloads
from linkwright.calibrations import Calibration
from linkwright.errors import LinkwrightError, RunError
from linkwright.results.result import Result
from linkwright.workloads.steps import (
    Steps,
    all_reduce,
    barrier,
    compute,
    join,
    mark,
    receive,
    repeat,
    send,
    sync_send,
)
from linkwright.workloads.workload import Marks, Measurement, Workload

ENGINES = ["packet", "flow", "analytic"]
SERVER = calibrations.load("linux-6-server")
FOUR = linkwright.compile(
    linkwright.Cluster.parse("{name: four, topology: {kind: switch, nodes: 4}}")
)


class Timed(Workload):
    """A given table of steps, and the time of each rank at mark 1."""

    name: ClassVar[str] = "timed"
    given: ClassVar[Steps]
    wanted: ClassVar[int]

    def n_ranks(self, n_nodes: int) -> int:
        return self.wanted

    def steps(self, n_ranks: int) -> Steps:
        return join(self.given, mark(1))

    def measure(self, marks: Marks) -> list[Measurement]:
        return [self._measurement("end", time_s, "s") for time_s in marks.times_s(1)]


def ends_s(
    steps: Steps, n_ranks: int, placement: str, engine: str, hosts: Calibration = SERVER
) -> list[float]:
    """Return the times at which ranks finish."""
    workload = type("Given", (Timed,), {"given": steps, "wanted": n_ranks})()
    found = engines.run(FOUR, workload, engine=engine, calibration=hosts, placement=placement)
    return found.filter(metric="end").values().tolist()


@dataclass(frozen=True)
class Local:
    """The constants of messages between ranks of a node, in seconds."""

    send_s: float
    latency_s: float
    take_s: float
    copy_s: float

    @classmethod
    def of(cls, hosts: Calibration) -> Local:
        local = hosts.local
        assert local is not None
        us = [local.send.us, local.latency.us, local.take.us, local.copy_data.us_per_byte]
        return cls(*(1e-6 * one for one in us))

    def short_s(self, size_bytes: int) -> float:
        """Return the time of a short message to a rank that waits for it."""
        return self.send_s + self.latency_s + self.take_s + 2 * size_bytes * self.copy_s

    def rendezvous_s(self, size_bytes: int) -> float:
        """Return the time of a message by request, clear-to-send and data."""
        hops_s = 3 * (self.latency_s + self.take_s)
        return self.send_s + hops_s + size_bytes * self.copy_s


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["linux-6-server", "pentium-pro-200-linux-2.0"])
def test_a_message_within_a_node_takes_the_time_of_its_constants(name: str, engine: str) -> None:
    hosts = calibrations.load(name)
    size_bytes = 2000
    steps = join(send(0, 1, size_bytes), receive(1, 0))
    expected_s = Local.of(hosts).short_s(size_bytes)
    assert ends_s(steps, 2, "2:2", engine, hosts)[1] == pytest.approx(expected_s, rel=1e-6)


@pytest.mark.parametrize("engine", ENGINES)
def test_long_and_synchronous_messages_wait_for_their_receive(engine: str) -> None:
    local = Local.of(SERVER)
    long_s = ends_s(join(send(0, 1, 10**6), receive(1, 0)), 2, "0,0", engine)[1]
    assert long_s == pytest.approx(local.rendezvous_s(10**6), rel=1e-6)
    late = join(compute(1e-3, 1), sync_send(0, 1, 8), receive(1, 0))
    sender_s, receiver_s = ends_s(late, 2, "0,0", engine)
    assert min(sender_s, receiver_s) > 1e-3
    assert receiver_s == pytest.approx(1e-3, rel=0.01)


@pytest.mark.parametrize("engine", ENGINES)
def test_ranks_with_processors_of_their_own_compute_side_by_side(engine: str) -> None:
    assert ends_s(compute(0.01), 8, "row:8", engine) == pytest.approx([0.01] * 8, rel=1e-3)


@pytest.mark.parametrize("engine", ENGINES)
def test_more_ranks_than_processors_take_turns(engine: str) -> None:
    """Eight processors and sixteen ranks; alone, one rank has a processor all the time."""
    ends = ends_s(compute(0.03), 16, "0:16", engine)
    assert max(ends) == pytest.approx(0.06, rel=1e-3)
    assert min(ends) > 0.05
    alone = ends_s(compute(0.03, 0), 16, "0:16", engine)
    assert max(alone) == pytest.approx(0.03, rel=1e-3)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_collective_is_faster_the_more_of_it_is_within_nodes(engine: str) -> None:
    steps = repeat(5, all_reduce(4096), barrier())
    apart, pairs, together = (
        max(ends_s(steps, 4, placement, engine)) for placement in ("row", "row:2", "0:4")
    )
    assert 0 < together < pairs < apart
    assert together < apart / 10


@pytest.mark.parametrize("engine", ENGINES)
def test_ranks_of_a_node_share_its_interface(engine: str) -> None:
    """Two streams from one node take twice as long as one, from two nodes as long as one."""
    size_bytes = 20 * 10**6
    steps = join(send([0, 1], [2, 3], size_bytes), receive([2, 3], [0, 1]))
    same = max(ends_s(steps, 4, "0,0,1,2", engine))
    apart = max(ends_s(steps, 4, "0,3,1,2", engine))
    assert same == pytest.approx(2 * apart, rel=0.1)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_with_shared_nodes_repeats_to_the_bit(engine: str) -> None:
    steps = repeat(3, all_reduce(100_000), compute(1e-4), barrier())
    first, again = (ends_s(steps, 10, "0:5,2:3,3:2", engine) for _ in range(2))
    assert first == again
    assert len(first) == 10


def result_of(workload: Workload, placement: str, **options: object) -> Result:
    return engines.run(FOUR, workload, calibration=SERVER, placement=placement, **options)


def test_a_workload_has_as_many_ranks_as_its_placement() -> None:
    everyone = type("Everyone", (Timed,), {"given": barrier(), "n_ranks": lambda _, n: n})()
    found = result_of(everyone, "row:3").filter(metric="end")
    assert found.parameter("placement") == ("row:3",) * 12


@pytest.mark.parametrize(
    ("workload", "kind", "message"),
    [
        (workloads.DiskNet(), RunError, "one rank per node"),
        (workloads.DatagramStream(), RunError, "one rank per node"),
    ],
)
def test_refused_on_shared_nodes(
    workload: Workload, kind: type[LinkwrightError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        result_of(workload, "row:2", engine="packet")


def test_a_calibration_without_local_messages_refuses_shared_nodes() -> None:
    hosts = SERVER.model_copy(update={"local": None})
    with pytest.raises(RunError, match=r"no section \[local\]"):
        ends_s(barrier(), 4, "row:2", "packet", hosts)
    assert len(ends_s(barrier(), 4, "row", "packet", hosts)) == 4
