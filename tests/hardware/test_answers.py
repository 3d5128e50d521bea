"""Answers of machines that are broken or hostile: each is refused as one of that machine.

Machines are objects that answer at once, and nothing is sent.
"""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from linkwright import Cluster, calibrations, run
from linkwright import compile as compile_network
from linkwright.errors import RunError
from linkwright.hardware.answers import Counters, Played, checked
from linkwright.hardware.fleet import Fleet, Place
from linkwright.machines import Local
from linkwright.workloads import PingPong

NETWORK = compile_network(Cluster.parse("{name: two, topology: {kind: direct}}"))
NAMES = NETWORK.device_names
PART = {"ended_ns": 2000, "late_ns": 0, "waited_ns": 0, "used_ns": 0}
GOOD = [{"rank": 0, "marks": [[0, 5], [1, 5]], **PART}]
COUNTERS = {"nics": {}, "tcp": {}, "cpu": [1.0, 2.0, 1]}


class _Machine:
    """An agent that answers as it is asked to."""

    def __init__(self, number: int, **answers: Any) -> None:
        self.machine = Local(NAMES[number])
        other = [{"rank": 1, "marks": [], **PART}]
        self.answers = {
            "routes": ["lo"], "ranks": [9], "connect": ["connected"], "clock": [9],
            "align": [0, 0, 0], "now": 0, "counters": COUNTERS, "release": True,
            "play": other if number else GOOD, **answers,
        }  # fmt: skip

    def ask(self, name: str, _: Any, longest_s: float) -> Any:
        return self.answers[name]

    def work(self, name: str, *_: Any) -> Any:
        return self.answers[name]


def measured(**answers: Any) -> Any:
    places = {name: Place(name, Local(name), "127.0.0.1", ()) for name in NAMES}
    agents: Any = {NAMES[0]: _Machine(0, **answers), NAMES[1]: _Machine(1)}
    return run(
        NETWORK,
        PingPong(size_bytes=1),
        engine="hardware",
        calibration=calibrations.load("linux-6-desktop"),
        machines=Fleet(places, agents),
    )


def test_two_marks_of_one_time_are_a_nanosecond_apart() -> None:
    assert 0 < measured().filter(metric="latency").values()[0] < 1e-6


@pytest.mark.parametrize(
    "answers",
    [
        {"play": []},
        {"play": [{**GOOD[0], "rank": 1}]},
        {"play": GOOD * 2},
        {"play": [{**GOOD[0], "marks": [[0, 9], [1, 5]]}]},
        {"play": [{**GOOD[0], "marks": [[0, 5]]}]},
        {"play": [{**GOOD[0], "marks": [[0, 5], [1, 5], [2, 5]]}]},
        {"ranks": []},
        {"ranks": [9, 9]},
        {"clock": []},
        {"routes": []},
        {"routes": ["lo", "lo"]},
    ],
)
def test_answers_that_do_not_fit_the_question_are_refused(answers: dict[str, Any]) -> None:
    with pytest.raises(RunError, match=f"{NAMES[0]} gives an answer without sense"):
        measured(**answers)


@pytest.mark.parametrize("mark", [[-1, 5], [1 << 32, 5], [1 << 70, 5], [1], ["1", 5]])
def test_numbers_of_marks_are_bounded(mark: list[Any]) -> None:
    with pytest.raises(RunError, match="without sense"):
        checked({**GOOD[0], "marks": [mark]}, TypeAdapter(Played), "n0")


@pytest.mark.parametrize("cpu", [[1.0, 1.0, 0], [-1.0, 1.0, 1], [1.0, float("inf"), 1]])
def test_machines_have_processors(cpu: list[float]) -> None:
    with pytest.raises(RunError, match="without sense"):
        checked({**COUNTERS, "cpu": cpu}, TypeAdapter(Counters), "n0")


def test_idle_time_that_goes_back_is_no_growth() -> None:
    late, early = (Counters(nics={}, tcp={}, cpu=[one, 9.0, 1.0]) for one in (1.0, 2.0))
    assert late.since(early).cpu == [0.0, 0.0, 1.0]
