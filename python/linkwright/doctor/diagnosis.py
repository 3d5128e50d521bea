"""The state of a cluster: its problems in the order in which to mend them, and its numbers.

A number far above its prediction is no problem of the machines: it is not normal, because the
design has other parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from linkwright.as_built import Verdict
from linkwright.doctor.expectation import Expectation, is_normal_latency, is_normal_rate
from linkwright.doctor.measuring import Echo, Stream
from linkwright.doctor.problems import Problem, problems_of
from linkwright.notebook import counted

__all__ = ["Diagnosis", "Number", "diagnosed"]


@dataclass(frozen=True)
class Number:
    """A measured number beside its prediction; without one, it may be normal or not."""

    kind: str
    place: str
    metric: str
    measured: float
    predicted: float | None
    unit: str
    is_normal: bool | None

    @property
    def share(self) -> float | None:
        """The measured number as a multiple of the predicted one."""
        return self.measured / self.predicted if self.predicted else None


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """The state of a cluster.

    Attributes
    ----------
    verdict : Verdict
        The machines against the plan.
    problems : tuple of Problem
        In the order in which to mend them.
    numbers : tuple of Number
        Measured numbers beside the predicted ones.
    left_out : tuple of str
        Sentences about measurements that were not made.
    """

    verdict: Verdict
    problems: tuple[Problem, ...]
    numbers: tuple[Number, ...]
    left_out: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The answer in one sentence."""
        name = self.verdict.network.name
        if not self.problems:
            lacking = ", as far as it was compared" if self.verdict.not_checked else ""
            return f"{name} has no problems: it is as planned{lacking}; {self._numbers}."
        first = self.problems[0]
        return (
            f"{name} has {counted(len(self.problems), 'problem')}; {self._numbers}. "
            f"First: {first.problem}. Next: {first.next_step}."
        )

    @property
    def _numbers(self) -> str:
        """The share of normal numbers in words."""
        predicted = [one for one in self.numbers if one.is_normal is not None]
        n_unknown = len(self.numbers) - len(predicted)
        if not self.numbers:
            return "nothing was measured"
        without = f"{counted(n_unknown, 'number')} without a prediction" if n_unknown else ""
        if not predicted:
            return without
        n_normal = sum(one.is_normal is True for one in predicted)
        verb = "is" if n_normal == 1 else "are"
        normal = f"{n_normal:,} of {counted(len(predicted), 'number')} {verb} normal"
        return f"{normal}, {without}" if without else normal

    def to_json(self) -> dict[str, Any]:
        """Return the diagnosis as a JSON value."""
        return {
            "problems": [asdict(one) for one in self.problems],
            "numbers": [asdict(one) for one in self.numbers],
            "moves": [one.to_json() for one in self.verdict.cabling.moves],
            "left_out": list(self.left_out),
        }


def diagnosed(
    verdict: Verdict,
    echoes: Sequence[Echo],
    streams: Sequence[Stream],
    *,
    expectation: Expectation,
    left_out: Sequence[str],
    fabric: dict[str, list[str]],
    gone: Mapping[str, str],
) -> Diagnosis:
    """Return the problems behind findings and measurements.

    Parameters
    ----------
    verdict : Verdict
        The machines against the plan.
    echoes, streams : sequence
        Measurements.
    expectation : Expectation
        Predictions of the network.
    left_out : sequence of str
        Sentences about measurements that were not made.
    fabric : dict of str to list of str
        Interfaces of the fabric by node.
    gone : mapping of str to str
        Nodes that stopped answering, with the reason: nothing else about them is a problem.
    """
    echoes = [one for one in echoes if not {one.course.source, one.course.target} & gone.keys()]
    streams = [one for one in streams if not {one.course.source, one.course.target} & gone.keys()]
    numbers = list(_numbers(echoes, streams, expectation))
    problems = problems_of(
        verdict, echoes, streams, expectation=expectation, fabric=fabric, gone=gone
    )
    return Diagnosis(verdict, tuple(problems), tuple(numbers), tuple(left_out))


def _numbers(
    echoes: Sequence[Echo], streams: Sequence[Stream], expectation: Expectation
) -> Iterator[Number]:
    for echo in echoes:
        course = echo.course
        if echo.latency_s is not None:
            latency_s = expectation.latency_s(course)
            is_normal = is_normal_latency(echo.latency_s, latency_s)
            yield Number(
                course.kind, course.place, "latency", echo.latency_s, latency_s, "s", is_normal
            )
    for stream in streams:
        course = stream.course
        if stream.rate_bps is not None:
            rate_bps = expectation.rate_bps(course)
            is_normal = is_normal_rate(stream.rate_bps, rate_bps)
            yield Number(
                course.kind, course.place, "rate", stream.rate_bps, rate_bps, "bit/s", is_normal
            )
