"""Calls on the threads of this process: their order, their progress, and the first that fails.

Workers that die are in tests/study/test_runner.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from linkwright.errors import UsageError
from linkwright.execution.calls import called


def squares(n: int) -> list[tuple[str, Callable[[], int]]]:
    return [(f"{i} squared", partial(pow, i, 2)) for i in range(n)]


@pytest.mark.parametrize("n_jobs", [1, 3, None])
def test_results_are_in_the_order_of_the_calls(n_jobs: int | None) -> None:
    assert called(squares(40), n_jobs=n_jobs) == [i * i for i in range(40)]
    assert called([], n_jobs=n_jobs) == []


def test_each_call_is_reported_once_by_its_name() -> None:
    steps: list[tuple[int, int, str]] = []
    called(squares(9), n_jobs=2, progress=lambda *step: steps.append(step), n_before=3)
    assert [done for done, _, _ in steps] == list(range(4, 13))
    assert {n_all for _, n_all, _ in steps} == {12}
    assert {name for _, _, name in steps} == {name for name, _ in squares(9)}


def test_calls_run_side_by_side() -> None:
    both = threading.Barrier(2, timeout=10)
    assert len(called([("a", both.wait), ("b", both.wait)], n_jobs=2)) == 2


def test_the_first_that_fails_ends_all() -> None:
    begun: list[int] = []

    def begin(place: int) -> None:
        begun.append(place)
        if place == 1:
            raise UsageError("the second fails", "")

    with pytest.raises(UsageError, match="the second fails"):
        called([(str(i), partial(begin, i)) for i in range(50)], n_jobs=1)
    assert len(begun) < 50


@pytest.mark.parametrize("n_jobs", [0, 1025])
def test_numbers_of_jobs_out_of_range_are_refused(n_jobs: int) -> None:
    with pytest.raises(UsageError, match="runs at the same time"):
        called(squares(1), n_jobs=n_jobs)
