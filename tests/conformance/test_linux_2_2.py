"""Streams of small messages under Linux 2.2, against what was measured of it [LONCARIC-1999].

With the default buffer every 41st message of a stream of small ones waits for 10 to 20 ms; in
kernel 2.2.1 these are messages of less than 93 bytes. The sender's buffer is full of small
messages, and the receiver has got too few bytes to acknowledge them before its timer rings.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

import linkwright
from linkwright import calibrations, workloads
from linkwright.engines import packet
from linkwright.engines.inputs import Run

NEVER = 2**31 - 1
HOSTS = calibrations.load("pentium-ii-400-linux-2.2").changed(
    # Sockets with the kernel's own buffers, and no message library.
    {
        "messages.header_bytes": 0,
        "messages.envelope_bytes": 0,
        "messages.long_from": NEVER,
        "messages.rendezvous_from": NEVER,
        "tcp.receive_buffer_bytes": 65535,
        "tcp.send_buffer_segments": 41,
    }
)
WIRE = linkwright.compile(linkwright.Cluster.parse("{name: wire, topology: {kind: direct}}"))


@pytest.fixture
def goal_file(tmp_path: Path) -> Path:
    return tmp_path / "stream.goal"


def stream_ms(goal: Path, n_messages: int, size_bytes: int) -> float:
    """Return the time of a bulk transfer, which opens the window, and a stream after it."""
    sizes = [1_000_000] + [size_bytes] * n_messages

    def rank(verb: str) -> str:
        tasks = [f"l{i}: {verb} tag 0" for i, verb in enumerate(verb.format(b) for b in sizes)]
        order = [f"l{i} requires l{i - 1}" for i in range(1, len(sizes))]
        return "\n".join([*tasks, *order])

    goal.write_text(
        f"num_ranks 2\nrank 0 {{\n{rank('send {}b to 1')}\n}}\n"
        f"rank 1 {{\n{rank('recv {}b from 0')}\n}}\n"
    )
    workload = workloads.parse("goal", {"file": str(goal)})
    run = Run(network=WIRE, workload=workload, hosts=HOSTS, seed=1)
    return packet.counts(run)["simulated_s"] * 1e3


def test_every_41st_small_message_waits_for_a_tick(goal_file: Path) -> None:
    times = [stream_ms(goal_file, n, 16) for n in range(200, 283)]
    waits = [n for n, (a, b) in enumerate(pairwise(times)) if b - a > 1]
    assert len(waits) == 2
    assert waits[1] - waits[0] == 41
    # From one acknowledgement by timer to the next.
    assert times[82] - times[0] == pytest.approx(20, rel=0.01)


@pytest.mark.parametrize("size_bytes", [93, 500])
def test_others_do_not_wait(goal_file: Path, size_bytes: int) -> None:
    """41 of them are more than two full segments, which are acknowledged at once."""
    each_ms = (stream_ms(goal_file, 400, size_bytes) - stream_ms(goal_file, 200, size_bytes)) / 200
    assert each_ms < 0.1
