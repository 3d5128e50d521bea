"""Keep-alive and file server by themselves: what they take is known by hand.

What they do beside a workload is tested in tests/engines/test_background.py.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.kinds import figure, network

from linkwright import calibrations, engines
from linkwright.workloads import FileServer, KeepAlive
from linkwright.workloads.steps import StepKind, in_turn, receive, send

HOSTS = "pentium-pro-200-linux-2.0"
N_CLIENTS = 4


def test_parts_in_turn_keep_the_order_of_each() -> None:
    steps = in_turn(receive(0, [1, 2, 3]), send(0, [1, 2, 3], 8))
    assert steps.kind.tolist() == [StepKind.RECEIVE, StepKind.SEND] * 3
    assert steps.peer.tolist() == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("protocol", ["udp", "tcp"])
def test_questions_go_out_at_even_spaces(protocol: str) -> None:
    asked = KeepAlive(protocol=protocol, spacing_s=0.2, count=5)
    found = engines.run(network("switch"), asked, calibration=HOSTS)
    # From the first request to the last there are these intervals, and then its reply.
    spaces_s = (5 * N_CLIENTS - 1) * 0.2 / N_CLIENTS
    assert figure(found, "time") == pytest.approx(spaces_s, abs=0.001)
    assert figure(found, "delivered") == 1


@pytest.mark.parametrize("protocol", ["udp", "tcp"])
def test_files_come_as_fast_as_the_disk_reads(protocol: str) -> None:
    # Blocks fit the window, so that no tail of a block is held.
    files = FileServer(protocol=protocol, count=50, block_bytes=8000)
    found = engines.run(network("switch"), files, calibration=HOSTS)
    disk = calibrations.load(HOSTS).disk
    assert disk is not None
    block_us = disk.read.us + disk.read.us_per_byte * 8000
    # Besides the disk there are copies and sending, less than as much again; nothing overlaps them.
    at_most = 8000 / block_us * 1e6
    assert 0.5 * at_most < figure(found, "aggregate_throughput") < at_most
    spared = engines.run(network("switch"), files.model_copy(update={"cached": True}))
    assert figure(spared, "aggregate_throughput") > at_most


def test_what_is_lost_is_not_delivered() -> None:
    flood = FileServer(count=200, cached=True, block_bytes=1472)
    lossy = ["cable:0 loss 0.2"]
    found = engines.run(network("hub"), flood, calibration=HOSTS, faults=lossy)
    share = figure(found, "delivered")
    assert 0.5 < share < 1
    served = share * 200 * N_CLIENTS * 1472
    assert figure(found, "aggregate_throughput") == pytest.approx(served / figure(found, "time"))


def test_beside_others_every_node_is_served_without_end() -> None:
    steps = FileServer(cached=True).background_steps(3, 5)
    assert steps.rank.tolist() == [3] * len(steps)
    pushed = steps.peer[steps.kind == StepKind.DATAGRAM]
    assert np.sort(pushed).tolist() == [0, 1, 2, 4, 5]
    assert steps.number[0] == 2**32 - 1
    asked = FileServer(cached=True, protocol="tcp").background_steps(3, 5)
    assert set(asked.rank.tolist()) == {3, 4, 5}
