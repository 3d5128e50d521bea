"""W1 in ns-3 and in SimGrid, by our drivers, where Debian's packages of them are installed; and an
exchange with losses in ns-3.
"""

from __future__ import annotations

import pytest

from linkwright import calibrations
from peers import drivers, tails
from peers.contenders import CONTENDERS, EQUAL, command, ns3_command, write_inputs
from peers.drivers import DRIVERS, Driver
from peers.equal import ns3_arguments
from peers.measured import Figures, measured, play

OURS_S = 0.0868


def marks(driver: Driver) -> list[pytest.MarkDecorator]:
    reason = drivers.missing(driver)
    return [pytest.mark.live, pytest.mark.skipif(reason is not None, reason=str(reason))]


@pytest.fixture(scope="module")
def ours() -> Figures:
    drivers.build([driver for driver in DRIVERS if not drivers.missing(driver)])
    write_inputs()
    return play("w1", "packet", EQUAL)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=marks(driver))
        for name, driver in (("ns-3", drivers.NS3), ("SimGrid", drivers.FLOWS))
    ],
)
def test_w1_takes_as_long_as_here(ours: Figures, name: str) -> None:
    contender = next(one for one in CONTENDERS if one.name == name)
    theirs = measured(command(contender, "w1"))
    assert theirs["simulated_s"] == pytest.approx(ours["simulated_s"], rel=0.01)
    assert 0 < theirs["run_cpu_s"] <= theirs["whole_cpu_s"]
    assert theirs["peak_bytes"] > 1e6


@pytest.mark.live
@pytest.mark.skipif(
    drivers.missing(drivers.NS3) is not None, reason=str(drivers.missing(drivers.NS3))
)
def test_losses_of_cubic_with_sack_stall_all_to_all_as_long_as_here() -> None:
    drivers.build([drivers.NS3])
    stack, workload = tails.STACKS[0], tails.OrderedAllToAll()
    own, other = (play(workload, 172, stack) for play in (tails.ours, tails.theirs))
    assert own
    assert other
    assert other["simulated_s"] == pytest.approx(own["simulated_s"], rel=0.01)
    assert other["dropped"] == pytest.approx(own["dropped"], rel=0.3)


@pytest.mark.live
@pytest.mark.skipif(
    drivers.missing(drivers.NS3) is not None, reason=str(drivers.missing(drivers.NS3))
)
def test_what_ns3_counts_is_consistent(ours: Figures) -> None:
    equal = ns3_arguments(calibrations.load(EQUAL))
    found = measured(ns3_command("w1", {**equal, "count": "1"}))
    # The last segment before a full send buffer is cut short.
    assert found["segments"] == pytest.approx(16 * 1_000_000 / 1460, rel=0.01)
    assert (found["dropped"], found["retransmissions"], found["timeouts"]) == (0, 0, 0)
    # Every segment and an acknowledgement for every second one cross two wires.
    assert found["frame_hops"] == pytest.approx(2 * 1.5 * found["segments"], rel=0.02)
    assert ours["simulated_s"] == pytest.approx(OURS_S, rel=0.001)
