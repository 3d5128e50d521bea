"""The time for which programs in the nodes wait for a processor of this machine: how much it is
where programs are many, where they sleep, and while they are ranks of MPI.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.emulation.processes import FIRST

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.emulation.cluster import EmulatedCluster, WireOptions, emulated
from linkwright.emulation.spans import SPANS, RankTimes
from linkwright.emulation.waiting import Waited, Waiting
from linkwright.network import compile as compile_network

NETWORK = compile_network(Cluster.parse("name: t\ntopology: {kind: direct}\n"))
TALK = """
import socket, time
end = time.monotonic() + 1
talks = socket.socket(type=socket.SOCK_DGRAM)
while time.monotonic() < end:
    talks.sendto(b"x", ("n1", 9))
    {between}
"""


N_PROCESSORS = len(os.sched_getaffinity(0))


def talk(up: EmulatedCluster, between: str, copies: int, *before: str) -> None:
    """Run copies of a program that sends datagrams for a second."""
    words = ["sh", "-c", " ".join(['"$0" -c "$1" &'] * copies) + " wait", sys.executable]
    up.sandbox.machine("n0").run([*before, *words, TALK.format(between=between)])


def waited(*talks: Callable[[EmulatedCluster], None]) -> Waited:
    """Return the shares of time for which programs waited."""
    hosts = calibrations.load(NETWORK.calibration)
    with emulated(NETWORK, WireOptions(hosts=hosts)) as (up, wires), up.waiting() as waiting:
        for run in talks:
            run(up)
    found = waiting.share(wires)
    assert found is not None
    return found


def hustle(up: EmulatedCluster) -> None:
    """Run four programs for every processor."""
    talk(up, "pass", 4 * N_PROCESSORS)


def doze(up: EmulatedCluster) -> None:
    """Run programs that hardly need a processor."""
    talk(up, "time.sleep(0.01)", 2, *FIRST)


def as_rank(run: Callable[[EmulatedCluster], None]) -> Callable[[EmulatedCluster], None]:
    """Run a program, and note that it is a rank of MPI."""

    def run_as_rank(up: EmulatedCluster) -> None:
        notes = up.sandbox.root / SPANS.relative_to("/")
        begin_ns = time.monotonic_ns()
        run(up)
        notes.write_text(f"1 {begin_ns} 0\n-1 {time.monotonic_ns()} 0\n")

    return run_as_rank


def test_programs_that_want_more_than_the_processors_wait() -> None:
    # Each of four programs for every processor waits for three quarters of the time, and for more
    # where others use the machine. At any time, one of them does.
    found = waited(hustle)
    assert 0.4 < found.mean <= 1
    assert found.mean <= found.some <= 1
    assert found.some > 0.8


def test_programs_that_sleep_hardly_wait() -> None:
    assert waited(doze).mean < 0.3


def test_the_time_counts_in_which_programs_are_ranks() -> None:
    assert waited(hustle, as_rank(doze)).mean < 0.3


def test_ranks_of_a_dilated_run_count_by_their_lateness() -> None:
    ranks = RankTimes.parse("1 0 0\n1 0 0\n-1 2000000000 300000000\n-1 2000000000 100000000\n", 9.0)
    assert (ranks.span_s, ranks.late_s) == (2.0, (0.1, 0.3))
    assert Waited.of_sum(0.4, 2, 2.0) == Waited(mean=0.1, some=0.2)
    assert Waited.of_sum(0.4, 2, 2.0, starved_s=0.3) == Waited(mean=0.1, some=0.15)


@pytest.mark.parametrize(
    ("notes", "spans_s"),
    [
        ("", ()),
        ("1 1000000000 0\n-1 3000000000 0\n", ((1, 3),)),
        # Ranks begin and end one by one; a second program follows, and is killed.
        (
            "1 1000000000 0\n1 2000000000 0\n-1 3000000000 0\n-1 4000000000 0\n1 6000000000 0\n",
            ((1, 4), (6, 9.1234567891234)),
        ),
        # A program follows at once.
        ("-1 3000000000 0\n1 1000000000 0\n1 3000000000 0\n-1 4000000000 0\n", ((1, 3), (3, 4))),
    ],
)
def test_spans_last_from_the_first_rank_to_the_last(
    notes: str, spans_s: tuple[tuple[float, float], ...]
) -> None:
    assert RankTimes.parse(notes, 9.1234567891234).spans_s == spans_s


@pytest.mark.parametrize("is_told", [False, True])
def test_nothing_is_found_where_the_kernel_does_not_tell(tmp_path: Path, is_told: bool) -> None:
    thread = tmp_path / "proc" / "1" / "task" / "1"
    thread.mkdir(parents=True)
    if is_told:
        (thread / "schedstat").write_text("1000 2000 3\n")
    hosts = calibrations.load(NETWORK.calibration)
    with emulated(NETWORK, WireOptions(hosts=hosts)) as (up, wires), Waiting(tmp_path) as waiting:
        up.sandbox.machine("n0").run(
            [sys.executable, "-c", TALK.format(between="time.sleep(0.01)")]
        )
    assert waiting.share(wires) == (Waited(0.0, 0.0) if is_told else None)
