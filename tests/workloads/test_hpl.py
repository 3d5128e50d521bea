"""HPL: operations and bytes against the published formulas, and the distribution of data.

A small interpreter of messages follows the steps, so that the test sees whether every rank has a
panel in the end, and not only that messages were sent.
"""

from __future__ import annotations

import itertools
from collections import deque
from typing import get_args

import numpy as np
import pytest

from linkwright import engines
from linkwright.design.cluster import Cluster
from linkwright.errors import UsageError
from linkwright.network import compile as compile_network
from linkwright.workloads import Hpl, parse
from linkwright.workloads.hpl.grid import BlockGrid
from linkwright.workloads.hpl.lines import (
    BroadcastVariant,
    binary_exchange,
    broadcast,
    spread_and_roll,
)
from linkwright.workloads.steps import StepKind, Steps, join

SWITCH = compile_network(Cluster.parse("{name: s, topology: {kind: switch, nodes: 8}}"))
VARIANTS = get_args(BroadcastVariant)
SENDS = (StepKind.SEND, StepKind.START_SEND)


def known_after(steps: Steps, holders: set[int]) -> set[int]:
    """Return the ranks that know a fact that `holders` know first and every message passes on."""
    known, posted = set(holders), {}
    ranks = {int(rank): deque(np.flatnonzero(steps.rank == rank)) for rank in set(steps.rank)}
    while any(ranks.values()):
        progress = False
        for rank, rows in ranks.items():
            if not rows:
                continue
            kind, peer = StepKind(steps.kind[rows[0]]), int(steps.peer[rows[0]])
            if kind in SENDS:
                posted.setdefault((rank, peer), deque()).append(rank in known)
            elif kind == StepKind.RECEIVE:
                if not posted.get((peer, rank)):
                    continue
                if posted[peer, rank].popleft():
                    known.add(rank)
            rows.popleft()
            progress = True
        assert progress, "a rank waits forever"
    assert not any(posted.values()), "a message that nobody takes"
    return known


@pytest.mark.parametrize("length", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("variant", [one for one in VARIANTS if not one.startswith("long")])
def test_rings_reach_everybody_once(variant: BroadcastVariant, length: int) -> None:
    members = np.arange(2 * length).reshape(2, length)
    steps = join(*broadcast(variant, members, np.array([100, 200])))
    assert known_after(steps, {0, length}) == set(range(2 * length))
    received = steps.peer[steps.kind == StepKind.SEND]
    assert sorted(received.tolist()) == [r for r in range(2 * length) if r % length], "once each"


def test_rings_are_those_of_the_description() -> None:
    edges = {}
    for variant in VARIANTS[:4]:
        steps = join(*broadcast(variant, np.arange(8).reshape(1, 8), np.array([8])))
        sends = steps.kind == StepKind.SEND
        edges[variant] = set(
            zip(steps.rank[sends].tolist(), steps.peer[sends].tolist(), strict=True)
        )
    assert edges == {
        "1ring": {(i, i + 1) for i in range(7)},
        "1ring-m": {(0, 1), (0, 2), *((i, i + 1) for i in range(2, 7))},
        "2ring": {(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (6, 7)},
        "2ring-m": {(0, 1), (0, 2), (2, 3), (3, 4), (0, 5), (5, 6), (6, 7)},
    }


@pytest.mark.parametrize("length", [2, 3, 4, 6, 7, 8])
@pytest.mark.parametrize("chosen", [spread_and_roll, binary_exchange])
def test_exchanges_give_everybody_the_whole(chosen, length: int) -> None:
    members = np.arange(length).reshape(1, length)
    size = 840 * length
    steps = join(*chosen(members, np.array([size])))
    sends = np.isin(steps.kind, SENDS)
    received = np.bincount(
        steps.peer[sends], weights=steps.size_bytes[sends].astype(float), minlength=length
    )
    # The one that had all of it at first receives back what it has handed on.
    assert (received[1:] >= size * (length - 1) / length).all()
    if chosen is spread_and_roll:
        assert received.max() <= 2 * size, "what a rank receives does not grow with the ranks"


@pytest.mark.parametrize(("rows", "columns"), [(1, 4), (2, 3), (3, 2), (4, 1), (1, 1)])
@pytest.mark.parametrize("look_ahead", [0, 1])
def test_all_operations_are_done(rows: int, columns: int, look_ahead: int) -> None:
    workload = Hpl(n=600, nb=16, p=rows, q=columns, rate=1.0, panel_speed=1, look_ahead=look_ahead)
    steps = workload.steps(rows * columns)
    # Every row of ranks solves with the triangle of the panel for itself.
    twice = (rows - 1) * 16 * 600**2 / 2
    assert total_s(steps) == pytest.approx(workload.n_operations + twice, rel=0.01)


def total_s(steps: Steps) -> float:
    """Return the seconds of computation of all ranks, loops multiplied out."""
    total, times = 0.0, {}
    for row in range(len(steps)):
        rank, kind = int(steps.rank[row]), steps.kind[row]
        if kind == StepKind.REPEAT:
            times[rank] = int(steps.number[row])
        elif kind == StepKind.END_REPEAT:
            del times[rank]
        elif kind == StepKind.COMPUTE:
            total += times.get(rank, 1) * float(steps.compute_s[row])
    return total


def test_a_row_of_ranks_moves_the_lower_triangle() -> None:
    # About N^2 / 2 numbers pass every link of a ring: 400 MB for the case of STACK-2001.
    steps = Hpl(n=10_000, nb=64, p=1, q=8, rate=1e8, panel_broadcast="1ring").steps(8)
    sends = (steps.kind == StepKind.SEND) & (steps.rank == 3) & (steps.size_bytes > 1000)
    passed = float(steps.size_bytes[sends].sum())
    assert passed == pytest.approx(7 / 8 * 8 * 10_000**2 / 2, rel=0.02)


def test_blocks_are_dealt_in_turn() -> None:
    grid = BlockGrid(n=10, block=3, rows=2, columns=3)
    assert grid.n_panels == 4
    assert [grid.width(panel) for panel in range(4)] == [3, 3, 3, 1]
    assert grid.rows_from(0).tolist() == [6, 4]
    assert grid.rows_from(3).tolist() == [0, 1]
    assert grid.rows_before(2).tolist() == [3, 3]
    # The right-hand side is one more column.
    assert grid.columns_from(0).tolist() == [5, 3, 3]
    assert BlockGrid(n=9, block=3, rows=1, columns=4).columns_from(0).tolist() == [3, 3, 3, 1]
    assert grid.row_lines(1).tolist() == [[1, 2, 0], [4, 5, 3]]
    assert grid.column_lines(1, 2).tolist() == [[5, 2]]


@pytest.mark.parametrize(
    "settings",
    [
        {
            "p": str(p),
            "q": str(q),
            "panel_broadcast": variant,
            "row_swap": swap,
            "look_ahead": ahead,
        }
        for (p, q), variant, swap, ahead in itertools.product(
            [(1, 8), (2, 4), (3, 2)], VARIANTS, ["binary-exchange", "spread-roll"], "01"
        )
    ],
    ids=lambda settings: "-".join(settings.values()),
)
def test_every_variant_runs_and_is_no_faster_than_its_computation(settings: dict) -> None:
    workload = parse("hpl", {"n": "500", "nb": "50", "rate": "1e8", **settings})
    result = engines.run(SWITCH, workload, calibration="pentium-pro-200-linux-2.0")
    time_s = float(result.filter(metric="time").values()[0])
    n_ranks = int(settings["p"]) * int(settings["q"])
    assert workload.n_operations / (n_ranks * 1e8) < time_s < 5.0
    rate = float(result.filter(metric="rate").values()[0])
    assert rate == pytest.approx((2 / 3 * 500**3 + 1.5 * 500**2) / time_s)


def test_one_rank_takes_its_operations_over_its_rate() -> None:
    workload = Hpl(n=1000, nb=50, p=1, q=1, rate=1e8, panel_speed=1)
    result = engines.run(SWITCH, workload)
    assert result.filter(metric="time").values()[0] == pytest.approx(6.68, rel=0.02)


def test_looking_ahead_saves_time() -> None:
    times = [
        engines.run(SWITCH, Hpl(n=2000, nb=50, p=1, q=8, rate=1e8, look_ahead=ahead))
        .filter(metric="time")
        .values()[0]
        for ahead in (1, 0)
    ]
    assert times[0] < times[1]


def test_a_run_beyond_the_memory_says_so() -> None:
    result = engines.run(SWITCH, Hpl(n=400, nb=50, rate=1e8, memory_bytes=1e5))
    assert set(result.filter(metric="rate").parameter("exceeds_memory")) == {True}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n": "32"}, "nb of 64 is more than n of 32"),
        ({"look_ahead": "2"}, "'look_ahead' cannot be '2'"),
        ({"panel_broadcast": "3ring"}, "'panel_broadcast' cannot be '3ring'"),
        ({"p": "3", "q": "3"}, "a grid of 3 x 3 ranks, the cluster has 8 nodes"),
        ({"p": "9"}, "a grid of 9 x 1 ranks, the cluster has 8 nodes"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse("hpl", settings).n_ranks(8)


def test_without_a_rate_it_does_not_run() -> None:
    with pytest.raises(UsageError, match="no speed of hpl") as error:
        engines.run(SWITCH, Hpl())
    assert "rate=" in error.value.hint
    assert Hpl().n_ranks(12) == 12
    assert [Hpl(p=2).n_ranks(7), Hpl(q=4).n_ranks(9)] == [6, 8]
