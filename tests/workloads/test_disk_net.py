"""Copies of files on every engine: what disks and wires take is known by hand, and how they mix.

Disks here are slow enough for their times to stand out; the network is that of the paper.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from linkwright import calibrations, engines
from linkwright.design.cluster import Cluster
from linkwright.errors import UsageError
from linkwright.network import compile as compile_network
from linkwright.workloads import DiskNet, Marks, Workload
from linkwright.workloads.counts import count_calls
from linkwright.workloads.steps import (
    StepKind,
    Steps,
    compute,
    disk_flush,
    disk_read,
    disk_write,
    join,
    mark,
    receive,
    send,
)
from linkwright.workloads.workload import Measurement

ENGINES = ("analytic", "flow", "packet")
SINGLE = compile_network(
    Cluster.parse(
        "{name: s, topology: {kind: single-net, nodes: 16}, parts: {catalogue: beowulf-1996}}"
    )
)
HOSTS = calibrations.load("ideal-reno").changed(
    {
        "disk.access.us": 20_000,
        "disk.read.us": 0,
        "disk.read.us_per_byte": 1.0,
        "disk.write.us": 0,
        "disk.write.us_per_byte": 2.0,
        "disk.gather_bytes": 100_000,
    }
)


class Given(Workload):
    """Steps as given by a subclass, between marks 0 and 1 of every rank."""

    name: ClassVar[str] = "given"
    uses_disks: ClassVar[bool] = True
    given: ClassVar[Steps]

    def steps(self, n_ranks: int) -> Steps:
        """Return them."""
        return join(mark(0), self.given, mark(1))

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the time of rank 0."""
        return [Measurement("time", marks.span_s(0, 1, 0), "s", {})]


def seconds(steps: Steps, engine: str, hosts: calibrations.Calibration = HOSTS) -> float:
    """Return how long the steps take on idle nodes."""
    workload = type("These", (Given,), {"given": steps})()
    result = engines.run(SINGLE, workload, engine=engine, calibration=hosts)
    return float(result.filter(metric="time").values()[0])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("steps", "time_s"),
    [
        (join(disk_read(10_000), disk_read(10_000)), 0.020 + 0.020),
        (disk_write(99_999), 0.0),
        (disk_write(100_000), 0.0),
        (join(disk_write(99_999), disk_flush()), 0.020 + 0.199998),
        (join(disk_write(100_000), disk_write(100_000)), 0.220),
        (join(disk_write(100_000), disk_write(100_000), disk_flush()), 0.420),
        (join(disk_write(100_000), disk_read(1000)), 0.220 + 0.021),
        # The processor computes while the disk writes.
        (join(disk_write(100_000), compute(0.2), disk_flush()), 0.220),
    ],
)
def test_what_a_disk_takes(engine: str, steps: Steps, time_s: float) -> None:
    assert seconds(steps, engine) == pytest.approx(time_s, abs=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_copy_takes_the_processor(engine: str) -> None:
    hosts = HOSTS.changed({"disk.copy_data.us": 10, "disk.copy_data.us_per_byte": 0.5})
    assert seconds(disk_read(1000), engine, hosts) == pytest.approx(0.021 + 0.00051, abs=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_kernel_takes_data_while_its_process_waits_for_the_disk(engine: str) -> None:
    # More than the send buffer holds, and no more than both: sent before the second is over.
    steps = join(send(0, 1, 200_000), disk_read(1_000_000, 1), receive(1, 0))
    assert 0.05 < seconds(steps, engine) < 0.3


def aggregate(internode: int, engine: str = "packet", pairs: int = 7) -> float:
    """Return MB/s of copies of a file of 400 kB."""
    workload = DiskNet(pairs=pairs, internode=internode, file_bytes=400_000)
    result = engines.run(SINGLE, workload, engine=engine, calibration=HOSTS)
    return float(result.filter(metric="aggregate_throughput").values()[0]) / 1e6


@pytest.mark.parametrize("engine", ENGINES)
def test_copies_to_the_own_disk_do_not_know_of_each_other(engine: str) -> None:
    # 0.4 s of reading, 0.8 s of writing in five goes, and the head turns before and after each;
    # blocks of 8192 B gather to 106,496 B, so that four goes are full ones and the rest is flushed.
    times_s = 0.4 + 0.8 + 20e-3 * (1 + 3 + 4)
    assert aggregate(0, engine, 1) == pytest.approx(0.4 / times_s, rel=0.03)
    assert aggregate(0, engine) == pytest.approx(7 * aggregate(0, engine, 1), rel=0.01)


def test_one_copy_across_reads_and_writes_at_the_same_time() -> None:
    # Only the slower disk counts, and what the wire adds before the first block and to the last.
    assert 0.4 / (0.8 + 0.4) < aggregate(1, pairs=1) < 0.4 / 0.8
    assert aggregate(1, pairs=1) > aggregate(0, pairs=1)


def test_one_bus_carries_few_copies() -> None:
    mixes = [aggregate(internode) for internode in range(8)]
    assert max(mixes) == max(mixes[:4]), "a few copies across relieve the disks"
    # The wire carries 1.1 MB/s; before it are the first block, behind it the last goes to disk.
    assert mixes[7] == pytest.approx(7 * 0.4 / (7 * 0.4 / 1.1 + 0.2 + 0.22), rel=0.1)
    assert mixes[7] < mixes[0]


def test_steps_of_a_mix() -> None:
    steps = DiskNet(pairs=3, internode=1, file_bytes=20_000, warm_up=0).steps(6)
    reads, writes = (steps.kind == kind for kind in (StepKind.DISK_READ, StepKind.DISK_WRITE))
    assert set(steps.rank[reads].tolist()) == {0, 2, 4}
    assert set(steps.rank[writes].tolist()) == {1, 2, 4}
    assert steps.size_bytes[reads & (steps.rank == 0)].tolist() == [8192, 20_000 - 2 * 8192]
    sends = [one for one in count_calls(steps, 6) if one.call == StepKind.SEND]
    assert sum(one.size_bytes[0] for one in sends) == 20_000


def test_figures_end_when_all_disks_are_done() -> None:
    marks = Marks(
        np.array([0, 0, 1, 1], np.uint32),
        np.array([0, 1, 1, 0], np.uint32),
        np.array([1.0, 1.1, 2.0, 3.0]),
    )
    measured = DiskNet(pairs=1, file_bytes=1000).measure(marks)
    assert [(one.metric, one.value) for one in measured] == [
        ("time", 2.0),
        ("aggregate_throughput", 500.0),
    ]


def test_what_is_not_known_is_named() -> None:
    with pytest.raises(UsageError, match="calibration ideal-reno has no constants") as error:
        engines.run(SINGLE, DiskNet(), calibration="ideal-reno")
    assert "[disk]" in error.value.hint
    with pytest.raises(UsageError, match="8 internode copies of 7 pairs"):
        DiskNet(internode=8).n_ranks(16)
