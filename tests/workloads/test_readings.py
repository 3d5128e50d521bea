"""Readings: formulas that give what a workload measures, for any marks. Python evaluates them here;
the page of a run does so in frontend/src/play/formulas.ts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import add, mul, sub, truediv
from typing import Any

import numpy as np
import pytest
from tests.workloads.every import workload_of

from linkwright import workloads
from linkwright.workloads import Datagrams, Marks, Measurement, Workload
from linkwright.workloads.npb.benchmark import NpbBenchmark
from linkwright.workloads.readings import Formula, readings
from linkwright.workloads.steps import EVERY_RANK, StepKind

N_RANKS = 6
OPERATORS: dict[str, Callable[[float, float], float]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
}
OF_DATAGRAMS: dict[str, Callable[..., float | None]] = {
    "sent": Datagrams.n_sent,
    "arrived": Datagrams.n_arrived,
    "last arrival": Datagrams.last_s,
    "goodput": Datagrams.goodput,
    "mean latency": Datagrams.mean_latency_s,
    "latency percentile": Datagrams.latency_percentile_s,
}
READ: Sequence[Workload] = [
    workloads.PingPong(size_bytes=(1, 3000)),
    workloads.Broadcast(size_bytes=(10, 100)),
    workloads.Broadcast(size_bytes=10, closing_barrier=False, receivers="all"),
    workloads.AllReduce(),
    workloads.AllToAll(),
    workloads.AllGather(),
    workloads.ReduceScatter(),
    workloads.Barrier(),
    workloads.Token(size_bytes=(4, 8), runs=3),
    workloads.Shift(),
    workloads.Neighbour(),
    workloads.Incast(),
    workloads.parse("netpipe", {"largest_bytes": "64"}),
    workloads.parse("hpl", {"n": "48", "nb": "16", "rate": "1e8", "memory_bytes": "1"}),
    workloads.parse("npb.ep", {"class": "S", "rate": "1e8"}),
    workloads.parse("npb.is", {"class": "S", "rate": "1e8", "iterations": "7"}),
    workloads.parse("npb.lu", {"class": "A", "rate": "1e8", "memory_bytes": "1"}),
    workloads.parse("npb.bt", {"class": "A", "rate": "1e8", "exact": "true"}),
    workloads.DatagramStream(),
    workloads.parse("keep-alive"),
    workloads.parse("keep-alive", {"protocol": "tcp"}),
    workloads.parse("file-server", {"cached": "true"}),
]
SQUARE = 4
"""Ranks of programs that do not run on any number."""


def marks_of(workload: Workload, seed: int) -> Marks:
    """Return marks that ranks could pass, at random times, in order of time."""
    n_ranks = n_ranks_of(workload)
    steps = workload.steps(n_ranks)
    is_mark = steps.kind == StepKind.MARK
    passed = [
        (number, rank)
        for number, scope in zip(steps.number[is_mark], steps.rank[is_mark], strict=True)
        for _ in range(n_passes(workload, number))
        for rank in (range(n_ranks) if scope == EVERY_RANK else [scope])
    ]
    time_s = np.sort(np.random.default_rng(seed).random(len(passed)))
    number, rank = np.array(passed, dtype=np.uint32).T
    return Marks(number, rank, time_s, datagrams_of(seed))


def datagrams_of(seed: int) -> Datagrams:
    """Return datagrams of two ranks, some of them lost; all of them if the seed is 0."""
    chance = np.random.default_rng(seed)
    source, sent_s = chance.integers(0, 2, 300), np.sort(chance.random(300))
    is_lost = chance.random(300) < (0.1 if seed else 1)
    received_s = np.where(is_lost, np.nan, sent_s + chance.random(300))
    return Datagrams(
        source=source,
        destination=1 - source,
        size_bytes=np.full(300, 1472),
        sent_s=sent_s,
        received_s=received_s,
    )


def n_ranks_of(workload: Workload) -> int:
    """Return a number of ranks that the workload runs on."""
    return SQUARE if workload.name.startswith(("npb", "hpl")) else N_RANKS


def n_passes(workload: Workload, mark: int) -> int:
    """Return how often a rank passes a mark: the end of a pass of a loop is the second mark."""
    return workload.n_played if isinstance(workload, NpbBenchmark) and mark == 1 else 1


def value(formula: Formula, marks: Marks) -> float:
    """Return the value of a formula."""
    if isinstance(formula, float):
        return formula
    operator, *given = formula
    if operator in ("first", "last", "mean"):
        times_s = marks.times_s(*given)
        return float({"first": np.min, "last": np.max, "mean": np.mean}[operator](times_s))
    if operator in OF_DATAGRAMS:
        assert marks.datagrams is not None
        found = OF_DATAGRAMS[operator](marks.datagrams, *given)
        return math.nan if found is None else found
    if operator == "longest":
        return marks.longest_s(*given)
    if operator == "late pass":
        return marks.late_pass_s(*given)
    if operator == "linear from":
        return linear_from(given, marks)
    values = [value(one, marks) for one in given]
    if operator in ("least", "greatest"):
        return min(values) if operator == "least" else max(values)
    return OPERATORS[operator](*values)


def linear_from(steps: list[Any], marks: Marks) -> float:
    """Return the size from which on times grow by the factors; NaN if the last does not."""
    found = math.nan
    for size, factor, small, large in reversed(steps):
        if value(large, marks) / value(small, marks) < factor:
            break
        found = size
    return found


@pytest.mark.parametrize("workload", READ, ids=lambda workload: workload.name)
@pytest.mark.parametrize("seed", range(3))
def test_readings_are_what_is_measured(workload: Workload, seed: int) -> None:
    marks = marks_of(workload, seed)
    found = readings(workload, n_ranks_of(workload))
    assert found is not None
    values = [(one.metric, value(one.formula, marks), one.unit, one.parameters) for one in found]
    given = [one for one in values if not math.isnan(one[1])]
    measured = workload.measure(marks)
    assert given == [(one.metric, one.value, one.unit, one.parameters) for one in measured]


class Chooser(workloads.Barrier):
    """A workload that looks at the times, or at single datagrams."""

    looks_at: str = "time_s"

    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the first time that it finds."""
        found = marks if self.looks_at == "time_s" else marks.datagrams
        return [self._measurement("first", getattr(found, self.looks_at)[0], "s")]


@pytest.mark.parametrize("looks_at", ["time_s", "received_s"])
def test_a_choice_or_a_search_is_no_formula(looks_at: str) -> None:
    assert readings(Chooser(looks_at=looks_at), 4) is None


def test_every_built_in_workload_has_formulas() -> None:
    needing_files = {"goal", "recording"}
    for name in set(workloads.WORKLOADS) - needing_files:
        workload = workload_of(name)
        assert readings(workload, n_ranks_of(workload)) is not None, name
