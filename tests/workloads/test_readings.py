"""Readings: formulas that give what a workload measures, for any marks. Python evaluates them here;
the page of a run does so in frontend/src/play/figures.ts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import add, mul, sub, truediv
from typing import Any

import numpy as np
import pytest

from linkwright import workloads
from linkwright.workloads import Marks, Workload
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
READ: Sequence[Workload] = [
    workloads.PingPong(size_bytes=(1, 3000)),
    workloads.Broadcast(size_bytes=(10, 100)),
    workloads.Broadcast(size_bytes=10, closing_barrier=False, receivers="all"),
    workloads.AllReduce(),
    workloads.AllToAll(),
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
    return Marks(number, rank, time_s)


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


@pytest.mark.parametrize(
    "workload",
    [workloads.parse(name) for name in ("datagrams", "file-server")],
    ids=lambda workload: workload.name,
)
def test_a_choice_or_a_search_is_no_formula(workload: Workload) -> None:
    assert readings(workload, 4) is None
