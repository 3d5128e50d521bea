"""The time for which programs in the nodes wait for a processor of this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.emulation.processes import FIRST

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.engines.emulation.cluster import WireOptions, emulated
from linkwright.engines.emulation.waiting import Waiting
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


def waited(between: str, copies: int, *before: str) -> float:
    """Run copies of a program that sends datagrams for a second; return the time they waited."""
    hosts = calibrations.load(NETWORK.calibration)
    words = ["sh", "-c", " ".join(['"$0" -c "$1" &'] * copies) + " wait", sys.executable]
    with emulated(NETWORK, WireOptions(hosts=hosts)) as (up, wires), up.waiting() as waiting:
        up.sandbox.run("n0", [*before, *words, TALK.format(between=between)])
    found = waiting.share(wires)
    assert found is not None
    return found


def test_programs_that_want_more_than_the_processors_wait() -> None:
    n = len(os.sched_getaffinity(0))
    # Each of four programs for every processor waits for three quarters of the time, and for more
    # where others use the machine.
    assert 0.4 < waited("pass", 4 * n) <= 1


def test_programs_that_sleep_hardly_wait() -> None:
    assert waited("time.sleep(0.01)", 2, *FIRST) < 0.3


@pytest.mark.parametrize("is_told", [False, True])
def test_nothing_is_found_where_the_kernel_does_not_tell(tmp_path: Path, is_told: bool) -> None:
    thread = tmp_path / "1" / "task" / "1"
    thread.mkdir(parents=True)
    if is_told:
        (thread / "schedstat").write_text("1000 2000 3\n")
    hosts = calibrations.load(NETWORK.calibration)
    with emulated(NETWORK, WireOptions(hosts=hosts)) as (up, wires), Waiting(tmp_path) as waiting:
        up.sandbox.run("n0", [sys.executable, "-c", TALK.format(between="time.sleep(0.01)")])
    assert waiting.share(wires) == (0.0 if is_told else None)
