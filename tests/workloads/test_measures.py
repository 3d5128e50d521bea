"""The steps of ranks, and the figures from their marks.

Marks are made up here; what engines make of the workloads is tested with the engines.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwright.workloads import (
    AllGather,
    AllReduce,
    AllToAll,
    Barrier,
    Broadcast,
    Marks,
    Permutation,
    PingPong,
    ReduceScatter,
    Shift,
)
from linkwright.workloads.permutation import permutation
from linkwright.workloads.steps import StepKind, Steps


def marks(*passed: tuple[int, int, float]) -> Marks:
    """Return marks given as (mark, rank, time_s), put in order of time."""
    mark, rank, time_s = zip(*sorted(passed, key=lambda entry: entry[2]), strict=True)
    return Marks(np.array(mark, np.uint32), np.array(rank, np.uint32), np.array(time_s))


def values(measurements: list) -> dict[tuple[str, int | None], float]:
    return {(m.metric, m.parameters.get("size_bytes")): m.value for m in measurements}


def ends(steps: Steps, kind: StepKind) -> Counter[tuple[int, int]]:
    """Return how often each (rank, peer) has a step of a kind."""
    chosen = steps.kind == kind
    return Counter(zip(steps.rank[chosen].tolist(), steps.peer[chosen].tolist(), strict=True))


def test_ping_pong_halves_the_round_trip() -> None:
    workload = PingPong(src=2, dst=0, size_bytes=(1, 1000), repeats=10)
    passed = marks((0, 2, 1.0), (1, 2, 1.02), (2, 2, 1.02), (3, 2, 1.06))
    measured = workload.measure(passed)
    assert values(measured) == pytest.approx(
        {
            ("latency", 1): 0.001,
            ("throughput", 1): 1000.0,
            ("latency", 1000): 0.002,
            ("throughput", 1000): 500_000.0,
        }
    )
    assert {m.metric: m.unit for m in measured} == {"latency": "s", "throughput": "B/s"}
    assert measured[0].parameters == {
        "src": 2, "dst": 0, "size_bytes": 1, "repeats": 10, "warm_up": 4,
    }  # fmt: skip


def test_ping_pong_leaves_other_ranks_alone() -> None:
    steps = PingPong(src=3, dst=1).steps(8)
    assert set(steps.rank.tolist()) == {1, 3}
    assert ends(steps, StepKind.SEND) == {(3, 1): 22, (1, 3): 22}
    assert int(steps.size_bytes[steps.kind == StepKind.SEND][0]) == 1 << 20, "largest first"
    assert StepKind.BARRIER not in steps.kind


def test_ping_pong_without_warm_up_begins_with_its_mark() -> None:
    assert PingPong(warm_up=0).steps(2).kind[0] == StepKind.MARK


BROADCAST_MARKS = marks(
    (0, 0, 1.0), (0, 1, 0.9), (0, 2, 1.1), (1, 0, 1.2), (1, 1, 1.5), (1, 2, 1.4)
)


@pytest.mark.parametrize(
    ("settings", "time_s", "throughput"),
    [
        ({"closing_barrier": True}, 0.1, 2 * 1000 / 0.1),
        ({"closing_barrier": True, "receivers": "all"}, 0.1, 3 * 1000 / 0.1),
        ({"closing_barrier": False}, 0.25, 2 * 1000 / 0.25),
        ({"closing_barrier": False, "receivers": "all"}, 0.25, 3 * 1000 / 0.25),
    ],
)
def test_broadcast_readings(settings: dict, time_s: float, throughput: float) -> None:
    workload = Broadcast(size_bytes=1000, repeats=2, **settings)
    assert values(workload.measure(BROADCAST_MARKS)) == pytest.approx(
        {("time", 1000): time_s, ("aggregate_throughput", 1000): throughput}
    )


@pytest.mark.parametrize(("closing_barrier", "n_barriers"), [(True, 5), (False, 3)])
def test_broadcast_barriers(closing_barrier: bool, n_barriers: int) -> None:
    # One in the loop that warms up, one before each size, and perhaps one after it.
    steps = Broadcast(size_bytes=(8, 9), closing_barrier=closing_barrier, root=1).steps(4)
    assert np.count_nonzero(steps.kind == StepKind.BARRIER) == n_barriers
    assert set(steps.peer[steps.kind == StepKind.BROADCAST].tolist()) == {1}


@pytest.mark.parametrize("workload", [AllToAll, AllGather, ReduceScatter])
def test_collectives_of_blocks_count_those_that_leave_the_ranks(
    workload: type[AllToAll] | type[AllGather] | type[ReduceScatter],
) -> None:
    passed = marks((0, 0, 1.0), (0, 1, 1.2), (1, 0, 3.0), (1, 1, 3.4))
    assert values(workload(size_bytes=50, repeats=10).measure(passed)) == pytest.approx(
        {("time", 50): 0.21, ("aggregate_throughput", 50): 2 * 1 * 50 / 0.21}
    )


def test_all_reduce_throughput_is_what_each_rank_must_at_least_move() -> None:
    passed = marks(*((m, r, m * 2.0) for m in (0, 1) for r in range(4)))
    assert values(AllReduce(size_bytes=1000, repeats=10).measure(passed)) == pytest.approx(
        {("time", 1000): 0.2, ("bus_throughput", 1000): 2 * 3 / 4 * 1000 / 0.2}
    )


@pytest.mark.parametrize(
    ("workload", "kind"),
    [
        (AllToAll, StepKind.ALL_TO_ALL),
        (AllReduce, StepKind.ALL_REDUCE),
        (AllGather, StepKind.ALL_GATHER),
        (ReduceScatter, StepKind.REDUCE_SCATTER),
    ],
)
def test_collectives_run_each_size_between_its_marks(
    workload: type[AllToAll] | type[AllReduce] | type[AllGather] | type[ReduceScatter],
    kind: StepKind,
) -> None:
    steps = workload(size_bytes=(8, 64), repeats=3, warm_up=1).steps(4)
    assert steps.size_bytes[steps.kind == kind].tolist() == [64, 8, 64], "largest to warm up"
    assert steps.number[steps.kind == StepKind.MARK].tolist() == [0, 1, 2, 3]


def test_barrier_is_the_mean_of_what_each_rank_sees() -> None:
    passed = marks((0, 0, 1.0), (0, 1, 1.2), (1, 0, 3.0), (1, 1, 3.4))
    assert values(Barrier(repeats=10).measure(passed)) == pytest.approx({("time", None): 0.21})


def test_patterns_end_when_everybody_is_done() -> None:
    passed = marks((0, 0, 0.0), (0, 1, 0.5), (0, 2, 0.1), (1, 1, 2.0), (1, 0, 1.0), (1, 2, 1.5))
    swap = Permutation(seed=5, size_bytes=10)
    assert permutation(3, swap.seed).tolist() == [0, 2, 1]
    for workload, n_messages in [(Shift(size_bytes=10), 3), (swap, 2)]:
        assert workload.n_ranks(3) == 3
        assert values(workload.measure(passed)) == pytest.approx(
            {("time", 10): 2.0, ("aggregate_throughput", 10): n_messages * 10 / 2.0}
        )


def test_a_mark_that_was_not_passed_is_a_bug() -> None:
    with pytest.raises(KeyError, match="rank 0 passed no mark 1"):
        PingPong(size_bytes=1).measure(marks((0, 0, 1.0)))


@given(st.integers(2, 300), st.integers(-400, 400))
def test_shift_sends_one_message_to_and_from_everybody(n_ranks: int, k: int) -> None:
    steps = Shift(k=k).steps(n_ranks)
    expected = {(i, (i + k) % n_ranks): 1 for i in range(n_ranks)}
    assert ends(steps, StepKind.START_SEND) == expected
    receives = ends(steps, StepKind.START_RECEIVE)
    assert {(source, rank): n for (rank, source), n in receives.items()} == expected


@given(st.integers(2, 300), st.integers(0, (1 << 64) - 1))
def test_permutation_sends_one_message_to_and_from_all_that_move(n_ranks: int, seed: int) -> None:
    steps = Permutation(seed=seed).steps(n_ranks)
    destination = permutation(n_ranks, seed)
    assert sorted(destination.tolist()) == list(range(n_ranks))
    expected = {(i, int(d)): 1 for i, d in enumerate(destination) if i != d}
    assert ends(steps, StepKind.START_SEND) == expected
    receives = ends(steps, StepKind.START_RECEIVE)
    assert {(source, rank): n for (rank, source), n in receives.items()} == expected


@pytest.mark.parametrize(
    ("n_ranks", "seed", "expected"),
    [
        (6, 1, [1, 5, 4, 0, 3, 2]),
        (16, 7, [12, 5, 2, 13, 8, 10, 15, 3, 0, 4, 6, 1, 7, 9, 11, 14]),
    ],
)
def test_permutation_is_the_one_other_programs_make(
    n_ranks: int, seed: int, expected: list[int]
) -> None:
    # From the same few lines in C++ with uint64_t.
    assert permutation(n_ranks, seed).tolist() == expected
