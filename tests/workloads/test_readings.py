"""Readings: formulas that give what a workload measures, for any marks. Python evaluates them here;
the page of a run does so in frontend/src/play/figures.ts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add, mul, sub, truediv

import numpy as np
import pytest

from linkwright import workloads
from linkwright.workloads import Marks, Workload
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
]


def marks_of(workload: Workload, seed: int) -> Marks:
    """Return marks that ranks could pass, at random times, in order of time."""
    steps = workload.steps(N_RANKS)
    is_mark = steps.kind == StepKind.MARK
    passed = [
        (number, rank)
        for number, scope in zip(steps.number[is_mark], steps.rank[is_mark], strict=True)
        for rank in (range(N_RANKS) if scope == EVERY_RANK else [scope])
    ]
    time_s = np.sort(np.random.default_rng(seed).random(len(passed)))
    number, rank = np.array(passed, dtype=np.uint32).T
    return Marks(number, rank, time_s)


def value(formula: Formula, marks: Marks) -> float:
    """Return the value of a formula."""
    if isinstance(formula, float):
        return formula
    operator, *given = formula
    if operator in ("first", "last", "mean"):
        times_s = marks.times_s(*given)
        return float({"first": np.min, "last": np.max, "mean": np.mean}[operator](times_s))
    values = [value(one, marks) for one in given]
    return min(values) if operator == "least" else OPERATORS[operator](*values)


@pytest.mark.parametrize("workload", READ, ids=lambda workload: workload.name)
@pytest.mark.parametrize("seed", range(3))
def test_readings_are_what_is_measured(workload: Workload, seed: int) -> None:
    marks = marks_of(workload, seed)
    found = readings(workload, N_RANKS)
    assert found is not None
    given = [(one.metric, value(one.formula, marks), one.unit, one.parameters) for one in found]
    measured = workload.measure(marks)
    assert given == [(one.metric, one.value, one.unit, one.parameters) for one in measured]


@pytest.mark.parametrize(
    "workload",
    [workloads.parse(name) for name in ("netpipe", "datagrams", "file-server")],
    ids=lambda workload: workload.name,
)
def test_a_choice_or_a_search_is_no_formula(workload: Workload) -> None:
    assert readings(workload, 4) is None
