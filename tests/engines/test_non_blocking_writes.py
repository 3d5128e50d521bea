"""Writes that wait for room while their rank goes on, as in libraries with non-blocking writes.

Hosts take no time; messages of 1,000 bytes or more are sent by rendezvous.
"""

from __future__ import annotations

from typing import ClassVar

import pytest
from pydantic import Field

import linkwright
from linkwright import calibrations, engines
from linkwright.workloads import Marks, Measurement, Workload
from linkwright.workloads.steps import (
    Steps,
    compute,
    join,
    mark,
    receive,
    send,
    start_receive,
    start_send,
    stream,
    wait_all,
)

ENGINES = ["packet", "flow", "analytic"]
SIZE_BYTES = 4_000_000
LATE_S = 0.01


class Given(Workload):
    """Steps as given; the time at which the last rank has passed all."""

    name: ClassVar[str] = "given"
    given: object = Field(exclude=True)

    def steps(self, n_ranks: int) -> Steps:
        assert isinstance(self.given, Steps)
        return join(self.given, mark(9))

    def measure(self, marks: Marks) -> list[Measurement]:
        return [Measurement("end", marks.last_s(9), "s", {})]


def time_s(engine: str, *parts: Steps, goes_on: bool = True, rendezvous_from: int = 1000) -> float:
    network = linkwright.compile(
        linkwright.Cluster.parse("{name: test, topology: {kind: switch, nodes: 3}}")
    )
    hosts = calibrations.load("ideal-reno").changed(
        {"messages.rendezvous_from": rendezvous_from, "messages.both_drain": goes_on}
    )
    workload = Given(given=join(*parts))
    result = engines.run(network, workload, engine=engine, calibration=hosts)
    return float(result.filter(metric="end").values()[0])


def alone_s(engine: str) -> float:
    return time_s(engine, send(0, 1, SIZE_BYTES), receive(1, 0))


@pytest.mark.parametrize("engine", ["packet", "flow"])
def test_a_rank_answers_requests_while_its_own_data_wait_for_room(engine: str) -> None:
    """Rank 1 sends to rank 2 when the request of rank 0 comes, as in a ring out of step.

    Wires of the analytic engine serve transfers in turn, so that the answer waits for the data.
    """
    passes = join(start_receive(1, 0, number=1), send(1, 2, SIZE_BYTES), wait_all(1))
    ring = (compute(LATE_S, 0), send(0, 1, SIZE_BYTES), passes, receive(2, 1))
    alone = alone_s(engine)
    # Acknowledgements wait behind the data of rank 1.
    assert LATE_S + alone < time_s(engine, *ring) < LATE_S + 1.2 * alone
    assert time_s(engine, *ring, goes_on=False) > 1.8 * alone


@pytest.mark.parametrize("engine", ENGINES)
def test_data_to_one_rank_keep_their_order(engine: str) -> None:
    """The answer to a request of rank 1 waits behind the data to it, as in one stream of bytes."""
    answers = join(start_receive(0, 1, number=1), send(0, 1, SIZE_BYTES), wait_all(0))
    asks = join(
        start_receive(1, 0, number=1),
        receive(1, 2, 8),
        start_send(1, 0, SIZE_BYTES, number=3),
        wait_all(1),
    )
    other = join(compute(LATE_S, 2), send(2, 1, 8, 8))
    assert time_s(engine, answers, asks, other) == pytest.approx(2 * alone_s(engine), rel=0.05)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_rank_that_ends_leaves_no_data_behind(engine: str) -> None:
    """Rank 0 has a processor of its own for its stream, hands two messages over and ends."""
    hands_over = join(
        stream(1, 0, cpu=0), send(0, 1, SIZE_BYTES), send(0, 1, SIZE_BYTES), mark(1, rank=0)
    )
    takes = join(receive(1, 0), receive(1, 0))
    seen = time_s(engine, hands_over, stream(0, 0), takes, rendezvous_from=2**40)
    assert seen == pytest.approx(2 * alone_s(engine), rel=0.05)
