"""The compiled core, called directly with arguments of which one is hostile, raises an error.

It neither aborts for want of memory nor panics nor computes without an end. The calls are made by
a process of its own, which has 2 GB of address space: hostile_calls.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("hostile_calls.py")
GROUPS = (
    "fabrics", "networks", "explicit", "metrics", "saturations", "programs", "goals", "runs",
    "hosts", "faults",
)  # fmt: skip
ERRORS = {
    "ValueError", "TypeError", "OverflowError",
    "CapabilityError", "DesignError", "PlanError", "RunError", "UsageError",
}  # fmt: skip
"""Exceptions that a call may raise; the second and third come from numbers of another type."""
MOST_S = 30.0
"""Longest time of one call, on a machine with other work."""


@cache
def calls_of(group: str) -> list[tuple[str, str, float]]:
    """Return the calls of a group, each with its outcome and the seconds that it took."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), group], capture_output=True, text=True, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (lines[-1:], done.stderr[-300:])
    return [(line[0], line[1], line[2]) for line in lines if len(line) > 1]


@pytest.mark.parametrize("group", GROUPS)
def test_hostile_arguments_raise_errors(group: str) -> None:
    calls = calls_of(group)
    wrong = [
        (name, outcome, took_s)
        for name, outcome, took_s in calls
        if outcome.partition(":")[0] not in ERRORS | {"returned"} or took_s > MOST_S
    ]
    assert not wrong
    assert sum(outcome != "returned" for _, outcome, _ in calls) >= 5


def test_a_count_of_2_to_the_31_asks_for_no_memory() -> None:
    outcomes = {name: outcome for name, outcome, _ in calls_of("fabrics")}
    assert "ports, at most 16777216 are possible" in outcomes["Fabric torus n_ports 2147483648"]
