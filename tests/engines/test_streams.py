"""Streams of a rank, events between them, and synchronous sends, in every predictive engine.

Hosts take no time, so that most times are whole milliseconds of computation.
"""

from __future__ import annotations

from typing import ClassVar

import pytest
from pydantic import Field

import linkwright
from linkwright import engines
from linkwright.errors import RunError, UsageError
from linkwright.program import compile_program
from linkwright.workloads import Marks, Measurement, Workload
from linkwright.workloads.steps import (
    PROCESS,
    Steps,
    compute,
    join,
    mark,
    receive,
    repeat,
    rest,
    send,
    signal,
    start_sync_send,
    stream,
    sync_send,
    wait,
    wait_for,
)

ENGINES = ["packet", "flow", "analytic"]
MS = 1e-3


class Given(Workload):
    """Steps as given; the time at which the last rank passes mark 9."""

    name: ClassVar[str] = "given"
    given: object = Field(exclude=True)
    ranks: int = 2

    def n_ranks(self, n_nodes: int) -> int:
        return min(self.ranks, n_nodes)

    def steps(self, n_ranks: int) -> Steps:
        assert isinstance(self.given, Steps)
        return join(self.given, mark(9))

    def measure(self, marks: Marks) -> list[Measurement]:
        return [Measurement("end", marks.last_s(9), "s", {})]


def time_ms(engine: str, *parts: Steps, ranks: int = 2) -> float:
    network = linkwright.compile(
        linkwright.Cluster.parse(f"{{name: test, topology: {{kind: switch, nodes: {ranks}}}}}")
    )
    workload = Given(given=join(*parts), ranks=ranks)
    result = engines.run(network, workload, engine=engine, calibration="ideal-reno")
    return result.filter(metric="end").values()[0] / MS


@pytest.mark.parametrize("engine", ENGINES)
def test_a_synchronous_send_ends_when_its_receive_has_begun(engine: str) -> None:
    receiver = join(compute(50 * MS, 1), receive(1, 0))
    for sender in (sync_send(0, 1, 8), join(start_sync_send(0, 1, 8, number=3), wait(3, 0))):
        seen = time_ms(engine, sender, compute(50 * MS, 0), receiver)
        assert seen == pytest.approx(100, rel=0.01)
    assert time_ms(engine, send(0, 1, 8), compute(50 * MS, 0), receiver) < 51


@pytest.mark.parametrize("engine", ENGINES)
def test_a_stream_of_the_process_runs_while_another_waits(engine: str) -> None:
    """Rank 1 passes a message on from rank 0 to rank 2 while it waits for another of rank 2."""
    passes_on = join(
        signal(1, 1), stream(1, 1), wait_for(1, 1), receive(1, 0, 5), send(1, 2, 8, 5), signal(2, 1)
    )
    steps = join(
        passes_on,
        stream(0, 1),
        receive(1, 2, 6),
        wait_for(2, 1),
        send(0, 1, 8, 5),
        receive(2, 1, 5),
        send(2, 1, 8, 6),
    )
    assert time_ms(engine, steps, ranks=3) < 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_stream_of_the_process_waits_while_it_computes(engine: str) -> None:
    answer = join(stream(1, 1), receive(1, 0), send(1, 0, 8), stream(0, 1), compute(50 * MS, 1))
    asks = join(send(0, 1, 8), receive(0, 1))
    assert time_ms(engine, asks, answer, receive(1, 0, 7), send(0, 1, 8, 7)) > 50
    own = join(stream(1, 1, cpu=0), receive(1, 0), send(1, 0, 8))
    beside = join(own, stream(0, 1), stream(2, 1, cpu=1), compute(50 * MS, 1), signal(1, 1))
    assert time_ms(engine, asks, compute(45 * MS, 0), beside) < 50
    assert time_ms(engine, asks, beside, stream(0, 1), wait_for(1, 1)) == pytest.approx(50)


@pytest.mark.parametrize("engine", ENGINES)
def test_events_order_loops(engine: str) -> None:
    """Ten rounds of 1 ms pass two processors, one behind the other, as in a pipeline."""
    first = join(stream(1, 0, cpu=0), repeat(10, compute(MS, 0), signal(1, 0), rank=0))
    second = join(
        stream(2, 0, cpu=1), repeat(10, wait_for(1, 0), compute(MS, 0), signal(2, 0), rank=0)
    )
    end = join(stream(0, 0), repeat(10, wait_for(2, 0), rank=0))
    assert time_ms(engine, first, second, end) == pytest.approx(11)


@pytest.mark.parametrize("engine", ENGINES)
def test_streams_share_a_processor_in_turn(engine: str) -> None:
    both = join(*[join(stream(i, 0, cpu=4), compute(MS, 0), signal(1, 0)) for i in (1, 2, 3)])
    assert time_ms(engine, both, stream(0, 0), repeat(3, wait_for(1, 0), rank=0)) == pytest.approx(
        3
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_rank_whose_streams_wait_for_each_other_is_named(engine: str) -> None:
    steps = join(
        stream(1, 0), wait_for(1, 0), signal(2, 0), stream(0, 0), wait_for(2, 0), signal(1, 0)
    )
    with pytest.raises(RunError, match=r"rank 0 in operation .* wait for event"):
        time_ms(engine, steps)
    with pytest.raises(RunError, match=r"rank 1 in operation .* receive from rank 0, tag 4"):
        time_ms(engine, receive(1, 0, 4))


@pytest.mark.parametrize(
    ("steps", "rule"),
    [
        (wait_for(3, 0), "rank 0 waits for event 3, which it never signals"),
        (join(stream(1, 0), compute(1, 0), stream(1, 0, cpu=2)), "stream 1 .* another processor"),
        (stream(1, 0, cpu=256), "processor with too large a number"),
        (join(stream(1, 0), rest(1.0, 0)), "beside other streams"),
    ],
)
def test_streams_that_no_rank_can_have_are_refused(steps: Steps, rule: str) -> None:
    with pytest.raises(UsageError, match=rule):
        compile_program(Given(given=steps), 2)


def test_a_table_without_streams_has_none() -> None:
    assert stream(0).peer.tolist() == [PROCESS]
