"""Readings: the figures of a workload as formulas over the marks of a run still to come.

A page that plays a run elsewhere computes the same figures from the same marks. `readings` lets the
workload measure a run without times: each time that it reads is a formula, and so is what it
computes from them. `Workload.measure` stays the only description. A workload whose figures depend
on more than a formula (a choice, a search) has no readings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partialmethod
from itertools import pairwise
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.arrivals import Datagrams
from linkwright.workloads.steps import EVERY_RANK, StepKind, Steps, in_group
from linkwright.workloads.workload import Marks, Workload

__all__ = ["Formula", "Reading", "readings"]

Formula = float | list[Any]
"""A number, or a list: "first", "last" or "mean" with a mark and a rank (None for all), the time at
which it was passed first, last or on average; "longest" or "late pass" with two marks; "least" or
"greatest" with formulas; "linear from" with lists of a size, a factor and two formulas; "sent" or
"arrived" with the rank of the sender (None for all), "last arrival", "goodput" with a size, "mean
latency" or "latency percentile" with a number, of datagrams; or an operator with two formulas."""


@dataclass(frozen=True)
class Reading:
    """A figure of a run to come."""

    metric: str
    unit: str
    parameters: Mapping[str, Any]
    formula: Formula


class _UnreadableError(Exception):
    """A workload that asks for more than a formula can give."""


@dataclass(frozen=True, eq=False)
class _Symbol:
    """A formula that computes like a number."""

    formula: Formula

    def _with(self, operator: str, other: object) -> _Symbol:
        return _Symbol([operator, self.formula, _formula(other)])

    def _behind(self, operator: str, other: object) -> _Symbol:
        return _Symbol([operator, _formula(other), self.formula])

    def _refuse(self, *_: object) -> NoReturn:
        raise _UnreadableError

    __add__, __radd__ = partialmethod(_with, "+"), partialmethod(_behind, "+")
    __sub__, __rsub__ = partialmethod(_with, "-"), partialmethod(_behind, "-")
    __mul__, __rmul__ = partialmethod(_with, "*"), partialmethod(_behind, "*")
    __truediv__, __rtruediv__ = partialmethod(_with, "/"), partialmethod(_behind, "/")
    __float__ = __bool__ = __lt__ = __gt__ = __le__ = __ge__ = __array__ = _refuse


class _DatagramsToCome(Datagrams):
    """The datagrams of a run to come: every figure is a symbol."""

    def __init__(self) -> None:
        nothing = np.zeros(0)
        of_ranks = nothing.astype(np.uint32)
        super().__init__(
            source=of_ranks,
            destination=of_ranks,
            size_bytes=of_ranks,
            sent_s=nothing,
            received_s=nothing,
        )

    def __getattribute__(self, name: str) -> Any:
        if name in ("source", "destination", "size_bytes", "sent_s", "received_s"):
            raise _UnreadableError
        return super().__getattribute__(name)

    def n_sent(self, source: int | None = None) -> float:
        """Return the number of datagrams, of one rank or of all."""
        return cast("float", _Symbol(["sent", source]))

    def n_arrived(self, source: int | None = None) -> float:
        """Return the number of those that arrived."""
        return cast("float", _Symbol(["arrived", source]))

    def last_s(self) -> float:
        """Return the time at which the last one had arrived."""
        return cast("float", _Symbol(["last arrival"]))

    def goodput(self, size_bytes: int) -> float:
        """Return the bytes that arrived per second."""
        return cast("float", _Symbol(["goodput", size_bytes]))

    def mean_latency_s(self) -> float | None:
        """Return the mean time of those that arrived; there may be none."""
        return cast("float", _Symbol(["mean latency"]))

    def latency_percentile_s(self, per_cent: int) -> float | None:
        """Return a percentile of the times of those that arrived; there may be none."""
        return cast("float", _Symbol(["latency percentile", per_cent]))


class _MarksToCome(Marks):
    """The marks of a run to come: every time is a symbol."""

    def __init__(self, steps: Steps, n_ranks: int) -> None:
        nothing = np.zeros(0)
        of_ranks = nothing.astype(np.uint32)
        super().__init__(of_ranks, of_ranks, nothing, _DatagramsToCome())
        object.__setattr__(self, "_steps", steps)
        object.__setattr__(self, "_n_ranks", n_ranks)

    def __getattribute__(self, name: str) -> Any:
        if name in ("mark", "rank", "time_s"):
            raise _UnreadableError
        return super().__getattribute__(name)

    def times_s(self, mark: int, rank: int | None = None) -> NDArray[np.float64]:
        """Refuse: single times are no formula."""
        raise _UnreadableError

    def first_s(self, mark: int, rank: int | None = None) -> float:
        """Return the time of the first pass."""
        return _time("first", mark, rank)

    def last_s(self, mark: int, rank: int | None = None) -> float:
        """Return the time of the last pass."""
        return _time("last", mark, rank)

    def mean_s(self, mark: int) -> float:
        """Return the mean time of all passes."""
        return _time("mean", mark, None)

    def least(self, values: Sequence[float]) -> float:
        """Return the least of some values."""
        return cast("float", _Symbol(["least", *map(_formula, values)]))

    def greatest(self, values: Sequence[float]) -> float:
        """Return the greatest of some values."""
        return cast("float", _Symbol(["greatest", *map(_formula, values)]))

    def longest_s(self, begin: int, end: int) -> float:
        """Return the longest span of a rank."""
        return cast("float", _Symbol(["longest", int(begin), int(end)]))

    def late_pass_s(self, begin: int, end: int) -> float:
        """Return the mean length of the last half of the passes of a loop."""
        return cast("float", _Symbol(["late pass", int(begin), int(end)]))

    def linear_from(self, points: Sequence[tuple[float, float]], power: float) -> float | None:
        """Return the size from which on the time grows with a power of the size; it may not."""
        steps = [
            [small, (large / small) ** power, _formula(small_s), _formula(large_s)]
            for (small, small_s), (large, large_s) in pairwise(points)
        ]
        return cast("float", _Symbol(["linear from", *steps]))

    def n_ranks(self, mark: int) -> int:
        """Return the number of ranks that will pass a mark."""
        steps: Steps = super().__getattribute__("_steps")
        passes = (steps.kind == StepKind.MARK) & (steps.number == mark)
        scopes = np.unique(steps.rank[passes])
        n_all: int = super().__getattribute__("_n_ranks")
        if EVERY_RANK in scopes:
            return n_all
        in_groups = np.isin(in_group(steps.number), scopes) & (steps.kind == StepKind.MEMBER)
        return len(np.unique(np.append(scopes[scopes >= 0], steps.rank[in_groups])))


def readings(workload: Workload, n_ranks: int) -> list[Reading] | None:
    """Return the figures of a workload as formulas; None if they are none.

    Examples
    --------
    >>> from linkwright.workloads import PingPong
    >>> [latency, throughput] = readings(PingPong(size_bytes=1, repeats=1), 2)
    >>> latency.formula
    ['/', ['-', ['last', 1, 0], ['first', 0, 0]], 2.0]
    """
    try:
        measured = workload.measure(_MarksToCome(workload.steps(n_ranks), n_ranks))
        return [
            Reading(one.metric, one.unit, one.parameters, _formula(one.value)) for one in measured
        ]
    except _UnreadableError:
        return None


def _time(which: str, mark: int, rank: int | None) -> float:
    return cast("float", _Symbol([which, int(mark), None if rank is None else int(rank)]))


def _formula(value: object) -> Formula:
    if isinstance(value, _Symbol):
        return value.formula
    return float(cast("float", value))
